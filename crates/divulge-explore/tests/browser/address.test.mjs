// Addresses: what is written is read again, whatever events are called.

import assert from "node:assert/strict";

import { decode, encode } from "../../web/address.js";

const odd = ["a", "b c", "x,y", "p~q", "1.5", "50%", "ä&ö", "=", "#", "", "'(*)!"];
const places = [
  { events: [], at: 0, alike: null, knows: null, sought: false, why: null },
  { events: odd, at: odd.length, alike: null, knows: null, sought: false, why: null },
  { events: ["a", "b"], at: 1, alike: [odd.slice(0, 5), odd.slice(5, 9)], knows: "goal-directed", sought: true, why: ["x=y", "~"] },
  { events: ["a"], at: 0, alike: [], knows: null, sought: false, why: null },
];
for (const place of places) assert.deepEqual(decode(encode(place)), place);

assert.equal(encode(places[0]), "#start");
assert.equal(encode({ events: ["a", "b"], at: 1 }), "#events=a,b&at=1");
assert.deepEqual(decode(""), { events: null, at: null, alike: null, knows: null, sought: false, why: null });
// What cannot be read is passed over, and nobody is led beyond the last event.
assert.deepEqual(decode("#events=a,%zz&at=7&at=x&nonsense&knows").events, ["a", "%zz"]);
assert.equal(decode("#events=a&at=7").at, 1);
console.log("  ok    addresses");
