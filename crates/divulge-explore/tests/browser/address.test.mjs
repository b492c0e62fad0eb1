// Addresses: what is written is read again, whatever events are called.

import assert from "node:assert/strict";

import { decode, encode } from "../../web/address.js";

const odd = ["a", "b c", "x,y", "p~q", "1.5", "50%", "ä&ö", "=", "#", "", "'(*)!"];
const nothing = { changes: {}, sought: false, shows: null, why: null };
const places = [
  { ...nothing, events: [], at: 0 },
  { ...nothing, events: odd, at: odd.length },
  { events: ["a", "b"], at: 1, changes: { "": { alike: [odd.slice(0, 5), odd.slice(5, 9)], knows: "goal-directed" } }, sought: true, shows: null, why: ["x=y", "~"] },
  { ...nothing, events: ["a"], at: 0, changes: { "": { alike: [] } } },
  { ...nothing, events: ["a"], at: 1, changes: { "": { unseen: [] } } },
  { events: ["a"], at: 1, changes: { "the nurse": { unseen: odd.slice(0, 9), knows: "plan" }, "a@b=c&d": { alike: [["a", "b"]], unseen: ["c"] } }, sought: false,
    shows: ["the nurse", "a@b=c&d"], why: ["x", "y", "the nurse"] },
];
for (const place of places) assert.deepEqual(decode(encode(place)), place);

assert.equal(encode(places[0]), "#start");
assert.equal(encode({ events: ["a", "b"], at: 1 }), "#events=a,b&at=1");
assert.equal(encode(places[5]).match(/unseen@the%20nurse=/)?.length, 1);
assert.deepEqual(decode(""), { ...nothing, events: null, at: null });
// What cannot be read is passed over, and nobody is led beyond the last event.
assert.deepEqual(decode("#events=a,%zz&at=7&at=x&nonsense&knows").events, ["a", "%zz"]);
assert.equal(decode("#events=a&at=7").at, 1);
console.log("  ok    addresses");
