// The engine in a thread of its own: requests in, answers out. It looks at the clock and at its memory, since the engine has neither.

let engine = null;
let now = null;

// How long what only adds to an answer may take.
const PATIENCE = 5000;

const host = {
  // How far it is; says whether to go on (0), or that the time (1) or the memory (2) is used up.
  poll(adding, doing, length, explored, stored, maps, learnt) {
    const time = performance.now();
    if (adding && now.adding === null) now.adding = time;
    if (time > now.told + 200) {
      now.told = time;
      const what = new TextDecoder().decode(new Uint8Array(engine.memory.buffer, doing >>> 0, length));
      const progress = { doing: what, explored, stored, maps, learnt, adding: Boolean(adding), found: now.found, bytes: engine.memory.buffer.byteLength };
      postMessage({ id: now.id, progress });
    }
    if (now.seconds && time > now.begin + now.seconds * 1000) return 1;
    if (now.adding !== null && adding && time > now.adding + PATIENCE) return 1;
    if (now.bytes && engine.memory.buffer.byteLength > now.bytes) return 2;
    return 0;
  },
  reached(events, feasible, infeasible) {
    now.found = events >= 0 ? { events } : { feasible, infeasible };
  },
};

function call(request) {
  const text = new TextEncoder().encode(JSON.stringify(request));
  // Addresses are unsigned, but come as signed numbers.
  const at = engine.input(text.length) >>> 0;
  new Uint8Array(engine.memory.buffer, at, text.length).set(text);
  const length = engine.play() >>> 0;
  return JSON.parse(new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.output() >>> 0, length)));
}

onmessage = async ({ data }) => {
  if (data.module) {
    engine = (await WebAssembly.instantiate(data.module, { host })).exports;
    postMessage({ ready: true });
    return;
  }
  now = { id: data.id, begin: performance.now(), told: performance.now() + 300, adding: null, found: null, seconds: data.seconds, bytes: data.bytes };
  try {
    postMessage({ id: data.id, reply: call(data.request) });
  } catch (e) {
    // Whatever state the engine is in now, it must not answer again.
    postMessage({ id: data.id, crashed: String(e) });
  }
};
