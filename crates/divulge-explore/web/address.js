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

export function encode(place) {
  const parts = [];
  if (place.events?.length) parts.push("events=" + place.events.map(name).join(","));
  if (place.events && place.at !== place.events.length) parts.push("at=" + place.at);
  if (place.events && !place.events.length) parts.push("start");
  if (place.alike) parts.push("alike=" + place.alike.map((group) => group.map(name).join("~")).join("."));
  if (place.knows) parts.push("knows=" + name(place.knows));
  if (place.sought) parts.push("plan=sought");
  if (place.why) parts.push("why=" + place.why.map(name).join("~"));
  return "#" + parts.join("&");
}

export function decode(hash) {
  const place = { events: null, at: null, alike: null, knows: null, sought: false, why: null };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const cut = part.indexOf("=");
    const [key, value] = cut < 0 ? [part, ""] : [part.slice(0, cut), part.slice(cut + 1)];
    if (key === "start") place.events = [];
    else if (key === "events") place.events = names(value, ",");
    else if (key === "at" && /^\d+$/.test(value)) place.at = Number(value);
    else if (key === "alike") place.alike = value === "" ? [] : value.split(".").map((group) => names(group, "~"));
    else if (key === "knows") place.knows = plain(value);
    else if (key === "plan") place.sought = value === "sought";
    else if (key === "why" && names(value, "~").length === 2) place.why = names(value, "~");
  }
  if (place.events) place.at = Math.min(place.at ?? place.events.length, place.events.length);
  return place;
}
