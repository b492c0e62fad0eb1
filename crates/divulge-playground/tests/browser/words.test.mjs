// Words that were broken into lines become whole again, and tables stay what they are.

import assert from "node:assert/strict";

import { unbroken } from "../../web/words.js";

const WORDS = `violated (stipulation)

The observer must not know that \`facility = pebble\`, but it
knows that \`facility = pebble\`.
  hide: !(knows(facility = pebble) |
      knows(facility = breeder))

  n   the robot   observer saw
  0   (start)
                  4 vertices
How the observer comes to know it
`;

assert.deepEqual(unbroken(WORDS, 60), [
  { text: "violated (stipulation)", indent: 0 },
  { text: "", indent: 0 },
  { text: "The observer must not know that `facility = pebble`, but it knows that `facility = pebble`.", indent: 0 },
  // The first word of the next line would have fitted here, so the line was meant to end.
  { text: "hide: !(knows(facility = pebble) |", indent: 2 },
  { text: "knows(facility = breeder))", indent: 6 },
  { text: "", indent: 0 },
  { table: ["  n   the robot   observer saw", "  0   (start)", "                  4 vertices"] },
  { text: "How the observer comes to know it", indent: 0 },
]);
assert.deepEqual(unbroken("left (3 times), ring, stop\nright\n", 60), [{ text: "left (3 times), ring, stop", indent: 0 }, { text: "right", indent: 0 }]);
console.log("words: in order");
