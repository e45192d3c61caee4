// <div id="asking" data-later="/requests?date=…" data-parts="head asking list"> stands on a
// page that was shown before customers' systems were asked. The address answers once
// they were, and the elements with those ids are taken from its page. If the last of
// them, the records, has rows already that somebody may be about to pick, they stay
// until a button is pressed; what is ticked stays in any case.

import { replace } from "./swap.js";

let asking = null;

export function later(enhance) {
  const place = document.querySelector("#asking[data-later]:not([data-asked])");
  if (!place) return;
  place.dataset.asked = "yes";
  asking?.abort();
  asking = new AbortController();
  ask(place, enhance, asking.signal);
}

async function ask(place, enhance, signal) {
  let page;
  try {
    const answer = await fetch(place.dataset.later, { signal });
    if (answer.ok && !answer.redirected) page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch (error) {
    if (error.name === "AbortError") return;
  }
  if (!place.isConnected) return;
  const ids = place.dataset.parts.split(" ");
  const parts = page ? ids.map((id) => page.getElementById(id)) : [null];
  if (parts.includes(null)) return place.replaceChildren(); // what is stored is shown already
  const list = document.getElementById(ids.at(-1));
  const news = newsIn(list, parts.at(-1));
  if (!news) return replace(parts[ids.indexOf("asking")], enhance);
  const show = () => parts.forEach((part) => put(part, enhance));
  if (!list.querySelector("[data-row]")) return show();
  const line = parts[ids.indexOf("asking")].cloneNode(true);
  line.append(offer(news, show));
  replace(line, enhance);
}

// newsIn says what a new list has that the one shown has not; nothing if it is the same.
function newsIn(old, fresh) {
  const words = (e) => e.textContent.replace(/\s+/g, " ");
  if (words(old) === words(fresh)) return "";
  const rows = (e) => [...e.querySelectorAll("[data-row]")].map((row) => row.getAttribute("href"));
  const had = new Set(rows(old));
  const more = rows(fresh).filter((row) => !had.has(row)).length;
  return more ? `${more} more ${more === 1 ? "has" : "have"} come.` : "The list has changed.";
}

function offer(news, show) {
  const line = document.createElement("p");
  const button = document.createElement("button");
  line.className = "notice";
  button.type = "button";
  button.className = "button tight";
  button.textContent = "Show";
  button.addEventListener("click", show);
  line.append(news + " ", button);
  return line;
}

// put replaces a part and keeps what is ticked in it.
function put(part, enhance) {
  const box = (e) => `input[type=checkbox][name="${CSS.escape(e.name)}"][value="${CSS.escape(e.value)}"]`;
  for (const ticked of document.querySelectorAll(`#${CSS.escape(part.id)} input[type=checkbox]:checked`)) {
    const same = part.querySelector(box(ticked));
    if (same) same.checked = true;
  }
  replace(part, enhance);
}
