// Drafts survive another window, a full browser and one that refuses.

import assert from "node:assert/strict";

import { Drafts } from "../../web/drafts.js";

function memory(room = Infinity) {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, text) {
      if (text.length > room) throw new Error("full");
      kept.set(key, text);
    },
    removeItem: (key) => kept.delete(key),
  };
}

const shared = memory();
const one = new Drafts(() => shared);
const two = new Drafts(() => shared);
assert.equal(one.put("a.divulge", "first"), "a.divulge");
assert.equal(one.put("a.divulge", "first, changed"), "a.divulge");
// What another window has written meanwhile is not overwritten, whether it has this name or another.
assert.equal(two.put("b.divulge", "second"), "b.divulge");
assert.equal(two.put("a.divulge", "mine"), "a-2.divulge");
assert.equal(one.put("a.divulge", "first, changed again"), "a.divulge");
const later = new Drafts(() => shared);
assert.deepEqual(Object.fromEntries(later.list().map(({ name, text }) => [name, text])), { "a.divulge": "first, changed again", "a-2.divulge": "mine", "b.divulge": "second" });
// A draft that was opened may be changed, until somebody else does so.
later.take("b.divulge");
assert.equal(later.put("b.divulge", "second, changed"), "b.divulge");
assert.equal(two.put("b.divulge", "second, otherwise"), "b-2.divulge");
later.remove("b.divulge");
assert.ok(!new Drafts(() => shared).list().some(({ name }) => name === "b.divulge"));

const small = new Drafts(() => memory(40));
assert.equal(small.put("a", "x".repeat(100)), "a");
assert.equal(small.works, false);
assert.equal(small.list()[0].text.length, 100, "this window still has it");

const none = new Drafts(() => { throw new Error("denied"); });
assert.equal(none.works, false);
assert.equal(none.put("a", "text"), "a");
assert.equal(none.list().length, 1);

const odd = memory();
odd.setItem("divulge-playground", '{"all": {"a": 3, "b": {"text": "t"}}, "open": "a"}');
assert.deepEqual(new Drafts(() => odd).list().map(({ name }) => name), ["b"]);
odd.setItem("divulge-playground", "not JSON");
assert.deepEqual(new Drafts(() => odd).list(), []);
console.log("drafts: all passed");
