// The engine: divulge itself, compiled to WebAssembly. Everything that is shown comes from here.

// What the page carries packed, as bytes.
export async function unpacked(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Starts the engine; what it returns answers requests. Some take bytes that follow the request.
export async function start(bytes) {
  // The page can be closed at any time, so there is nothing to stop.
  const { instance } = await WebAssembly.instantiate(bytes, { host: { poll: () => 0, reached() {} } });
  const { input, answer, output, memory } = instance.exports;
  return (request, more = new Uint8Array()) => {
    const text = new TextEncoder().encode(JSON.stringify(request) + "\n");
    // Addresses are unsigned, but come as signed numbers.
    const at = input(text.length + more.length) >>> 0;
    new Uint8Array(memory.buffer, at, text.length).set(text);
    new Uint8Array(memory.buffer, at + text.length, more.length).set(more);
    const length = answer();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, output() >>> 0, length)));
  };
}
