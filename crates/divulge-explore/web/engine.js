// The engine: divulge itself, compiled to WebAssembly. Everything that is shown comes from here.

export async function start(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const { input, answer, output, memory } = instance.exports;
  return (request) => {
    const text = new TextEncoder().encode(JSON.stringify(request));
    const at = input(text.length);
    new Uint8Array(memory.buffer, at, text.length).set(text);
    const length = answer();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, output(), length)));
  };
}
