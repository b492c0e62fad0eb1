// A link that carries a whole model, packed into its fragment. Nothing is sent anywhere: a fragment stays in the browser.

export const LONGEST_LINK = 100_000;
export const LARGEST_LINKED = 4_000_000;

async function piped(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    if (size > most) {
      await reader.cancel().catch(() => {});
      throw new Error("too large");
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// The fragment for a name, a text and a question; null if it would be too long for a link.
export async function encodeLink(carried) {
  const bytes = new TextEncoder().encode(JSON.stringify(carried));
  if (bytes.length > LARGEST_LINKED) return null;
  const packed = await piped(bytes, new CompressionStream("deflate-raw"), LARGEST_LINKED);
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  const fragment = `#v1=${btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
  return fragment.length > LONGEST_LINK ? null : fragment;
}

// What a fragment says: a model it carries, an example it names, nothing, or an error in words.
export async function decodeLink(fragment) {
  const example = /^#example=([^&]*)(?:&ask=([a-z]*))?$/.exec(fragment);
  if (example) {
    try {
      return { example: decodeURIComponent(example[1]), what: example[2] ?? "" };
    } catch {
      return { error: "The link names an example in a way that cannot be read." };
    }
  }
  if (/^#v\d+=/.test(fragment) && !fragment.startsWith("#v1=")) return { error: "The link was made by a newer playground than this one: it cannot be read here." };
  if (!fragment.startsWith("#v1=")) return {};
  const damaged = { error: "The link is damaged: perhaps it was cut off when it was copied. Ask for it again, or for the file." };
  if (fragment.length > LONGEST_LINK) return { error: "The link is longer than any that the playground makes, so it is not opened." };
  try {
    const text = atob(fragment.slice(4).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const carried = JSON.parse(new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw"), LARGEST_LINKED)));
    if (typeof carried?.name !== "string" || typeof carried.text !== "string") return damaged;
    return { carried: { name: carried.name.slice(0, 200), text: carried.text, question: typeof carried.question === "object" && carried.question ? carried.question : {} } };
  } catch (e) {
    return e.message === "too large" ? { error: "The model in the link is too large to be opened here." } : damaged;
  }
}
