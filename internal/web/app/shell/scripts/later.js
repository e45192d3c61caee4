// <div id="asking" data-later="/requests?date=…"> stands on a page that was shown before customers' systems were asked.
// The address answers once they were; the page is then brought to what it says, as to any other news.

import { take } from "./live.js";
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
  const said = page?.getElementById("asking");
  if (!said) return place.replaceChildren(); // what is stored is shown already
  replace(said.cloneNode(true), enhance);
  take(page);
}
