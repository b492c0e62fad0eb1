// Engines in workers: one request at a time, stopped by ending the worker and starting another.

import { byId } from "./dom.js";

// What the page carries packed, as bytes.
export async function unpacked(id) {
  const text = atob(byId(`packed-${id}`).textContent.trim());
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const decoded = (bytes) => new TextDecoder().decode(bytes);

export class Engine {
  constructor(module, url, files) {
    Object.assign(this, { module, url, files, pending: new Map(), next: 1 });
    this.start();
  }

  start() {
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (e) => this.fail({ crashed: e.message ?? "the worker could not be started" });
    this.worker.postMessage({ module: this.module });
    this.send({ do: "files", files: this.files() }).catch(() => {});
  }

  get busy() {
    return this.pending.size > 0;
  }

  heard({ id, progress, reply, crashed }) {
    const waiting = this.pending.get(id);
    if (!waiting) return;
    if (progress) return waiting.progress?.(progress);
    if (crashed) return this.fail({ crashed });
    this.pending.delete(id);
    waiting.done(reply);
  }

  send(request, { seconds = 0, bytes = 0, progress } = {}) {
    const id = this.next;
    this.next += 1;
    return new Promise((done, failed) => {
      this.pending.set(id, { done, failed, progress });
      this.worker.postMessage({ id, request, seconds, bytes });
    });
  }

  // Ends what is being done; whoever waits for it is told why.
  fail(why) {
    this.worker.onmessage = null;
    this.worker.terminate();
    const waiting = [...this.pending.values()];
    this.pending.clear();
    this.start();
    for (const each of waiting) each.failed(why);
  }

  stop() {
    if (this.busy) this.fail({ stopped: true });
  }
}
