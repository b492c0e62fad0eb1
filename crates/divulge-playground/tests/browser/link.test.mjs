// Links carry what they are given, and nothing else opens anything.

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";

import { decodeLink, encodeLink, LARGEST_LINKED, LONGEST_LINK } from "../../web/link.js";

const carried = { name: "größe.divulge", text: "world { x: 0..3 = 0 } // – ∧ 😀\n".repeat(50), question: { what: "plan", set: [["rows", "5"]] } };
const fragment = await encodeLink(carried);
assert.match(fragment, /^#v1=[\w-]+$/);
assert.deepEqual(await decodeLink(fragment), { carried });

assert.deepEqual(await decodeLink(""), {});
assert.deepEqual(await decodeLink("#ask-form"), {});
assert.deepEqual(await decodeLink("#example=lessons%2Fcorridor&ask=plan"), { example: "lessons/corridor", what: "plan" });
assert.match((await decodeLink("#example=%zz")).error, /cannot be read/);
assert.match((await decodeLink("#v2=abc")).error, /newer playground/);
for (const broken of [fragment.slice(0, -20), "#v1=", "#v1=%%%", "#v1=AAAA", fragment.replace("#v1=", "#v1=x")]) {
  assert.match((await decodeLink(broken)).error, /damaged/, broken.slice(0, 20));
}
const packed = (value) => `#v1=${deflateRawSync(Buffer.from(value)).toString("base64url")}`;
assert.match((await decodeLink(packed('{"name": 3, "text": "x"}'))).error, /damaged/);
assert.deepEqual((await decodeLink(packed('{"name": "a", "text": "b", "question": 7}'))).carried.question, {});
// A small link that would unpack to much more.
assert.match((await decodeLink(packed("a".repeat(LARGEST_LINKED * 3)))).error, /too large/);
assert.match((await decodeLink(`#v1=${"A".repeat(LONGEST_LINK)}`)).error, /longer/);
// Text that does not get smaller makes no link.
let noise = "";
for (let i = 0, x = 1; i < 120_000; i += 1) {
  x = (x * 48271) % 2147483647;
  noise += String.fromCharCode(33 + (x % 90));
}
assert.equal(await encodeLink({ ...carried, text: noise }), null);
console.log("links: all passed");
