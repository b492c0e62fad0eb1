// Drafts, kept in this browser as far as it lets us: texts by name, and which one was open. Other windows may change them meanwhile.

const KEY = "divulge-playground";

export class Drafts {
  // `storage` is that of the browser, which may refuse to be looked at.
  constructor(storage = () => localStorage) {
    Object.assign(this, { storage, all: {}, open: null, works: true, seen: {} });
    this.look();
    try {
      storage().setItem(`${KEY}-try`, "1");
      storage().removeItem(`${KEY}-try`);
    } catch {
      this.works = false;
    }
  }

  // What is kept now; what cannot be read is taken for nothing.
  look() {
    try {
      const { all, open } = JSON.parse(this.storage().getItem(KEY) ?? "{}");
      const drafts = Object.entries(all ?? {}).filter(([, draft]) => typeof draft?.text === "string");
      this.all = Object.fromEntries(drafts.map(([name, { text, at }]) => [name, { text, at: Number(at) || 0 }]));
      if (this.open === null && typeof open === "string" && this.all[open]) this.open = open;
    } catch {
      this.works = false;
    }
  }

  keep() {
    try {
      this.storage().setItem(KEY, JSON.stringify({ all: this.all, open: this.open }));
      this.works = true;
    } catch {
      this.works = false;
    }
    return this.works;
  }

  // The text of a draft, which this window now works on.
  take(name) {
    this.open = name;
    this.seen[name] = this.all[name].at;
    return this.all[name].text;
  }

  // Keeps a text, and gives the name that it is kept under: another one if another window has changed the draft of this name.
  put(name, text) {
    if (this.works) this.look();
    const there = this.all[name];
    const changed = there && there.text !== text && there.at !== this.seen[name];
    const own = changed ? this.fresh(name) : name;
    // Never the same time twice, or a change could go unnoticed.
    const at = Math.max(Date.now(), (there?.at ?? 0) + 1);
    this.all[own] = { text, at };
    this.seen[own] = at;
    this.open = own;
    this.keep();
    return own;
  }

  remove(name) {
    if (this.works) this.look();
    delete this.all[name];
    if (this.open === name) this.open = null;
    return this.keep();
  }

  // A name that is not taken: what stands before the ending gets a number.
  fresh(name, taken = []) {
    const [, stem, ending] = /^(.*?)(\.[^./]*)?$/s.exec(name);
    for (let n = 1; ; n += 1) {
      const tried = n === 1 ? name : `${stem}-${n}${ending ?? ""}`;
      if (!this.all[tried] && !taken.includes(tried)) return tried;
    }
  }

  // The newest first.
  list() {
    return Object.entries(this.all).sort(([, a], [, b]) => b.at - a.at).map(([name, draft]) => ({ name, ...draft }));
  }
}
