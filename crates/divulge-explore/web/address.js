// The address: where one is, by events, and what was changed. Whatever is not said is as it was given.

// A name in an address: the signs that stand between names are written as numbers too.
function name(text) {
  return encodeURIComponent(text).replace(/[~.!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
}

function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function names(text, sign) {
  return text === "" ? [] : text.split(sign).map(plain);
}

// What is changed about an observer carries its name, unless there is only one.
function owned(key, observer) {
  return observer === "" ? key : `${key}@${name(observer)}`;
}

export function encode(place) {
  const parts = [];
  if (place.events?.length) parts.push("events=" + place.events.map(name).join(","));
  if (place.events && place.at !== place.events.length) parts.push("at=" + place.at);
  if (place.events && !place.events.length) parts.push("start");
  for (const [observer, change] of Object.entries(place.changes ?? {})) {
    if (change.alike) parts.push(owned("alike", observer) + "=" + change.alike.map((group) => group.map(name).join("~")).join("."));
    if (change.unseen) parts.push(owned("unseen", observer) + "=" + change.unseen.map(name).join("~"));
    if (change.knows) parts.push(owned("knows", observer) + "=" + name(change.knows));
  }
  if (place.sought) parts.push("plan=sought");
  if (place.shows) parts.push("shows=" + place.shows.map(name).join("~"));
  if (place.why) parts.push("why=" + place.why.map(name).join("~"));
  return "#" + parts.join("&");
}

export function decode(hash) {
  const place = { events: null, at: null, changes: {}, sought: false, shows: null, why: null };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const cut = part.indexOf("=");
    const [whole, value] = cut < 0 ? [part, ""] : [part.slice(0, cut), part.slice(cut + 1)];
    const [key, observer] = whole.includes("@") ? [whole.slice(0, whole.indexOf("@")), plain(whole.slice(whole.indexOf("@") + 1))] : [whole, ""];
    const change = (what) => { place.changes[observer] = { ...place.changes[observer], ...what }; };
    if (key === "start") place.events = [];
    else if (key === "events") place.events = names(value, ",");
    else if (key === "at" && /^\d+$/.test(value)) place.at = Number(value);
    else if (key === "alike") change({ alike: value === "" ? [] : value.split(".").map((group) => names(group, "~")) });
    else if (key === "unseen") change({ unseen: names(value, "~") });
    else if (key === "knows") change({ knows: plain(value) });
    else if (key === "plan") place.sought = value === "sought";
    else if (key === "shows") place.shows = names(value, "~");
    else if (key === "why" && [2, 3].includes(names(value, "~").length)) place.why = names(value, "~");
  }
  if (place.events) place.at = Math.min(place.at ?? place.events.length, place.events.length);
  return place;
}
