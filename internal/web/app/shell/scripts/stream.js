// <div data-stream="/searches/7/stream"> listens to server-sent events. The data
// of each is HTML whose elements replace those with the same id on the page;
// an element with data-into="list" is appended to the element with that id
// instead. An event named "end" closes the stream. data-stream is removed then,
// so that CSS can show that the stream is over. A stream that is refused because
// too many are open is requested again when the answer says to.

import { put } from "./swap.js";

export function stream(root, enhance) {
  for (const place of root.querySelectorAll("[data-stream]")) listen(place, enhance);
  if (root.matches?.("[data-stream]")) listen(root, enhance);
}

function listen(place, enhance) {
  if (place.dataset.listening) return;
  place.dataset.listening = "yes";
  const url = place.dataset.stream;
  let source;
  let again;
  let done = false;
  const over = () => {
    done = true;
    clearTimeout(again);
    source.close();
    place.removeAttribute("data-stream");
  };
  const open = () => {
    if (done) return;
    // A place that was replaced meanwhile needs its stream no longer.
    if (!place.isConnected) return over();
    source = new EventSource(url);
    source.addEventListener("message", (event) => (place.isConnected ? put(event.data, enhance) : over()));
    source.addEventListener("end", (event) => {
      if (event.data && place.isConnected) put(event.data, enhance);
      over();
    });
    source.addEventListener("error", refused);
  };
  // A browser reopens a stream that broke, but never one that was refused.
  const refused = async () => {
    if (source.readyState !== EventSource.CLOSED || done) return;
    const wait = await whenToAsk(url);
    if (wait === out) {
      over();
      return signedOut(place);
    }
    if (wait === null) return over(); // live.js brings the page up to date
    if (!done) again = setTimeout(open, wait);
  };
  addEventListener("pagehide", over, { once: true });
  open();
}

export const out = "signed out";

// signedOut says, in place of the progress, why the page no longer updates.
function signedOut(place) {
  const said = document.createElement("p");
  const link = document.createElement("a");
  said.className = "notice act";
  said.role = "alert";
  link.href = location.href;
  link.textContent = "Sign in";
  said.append("You are signed out: this page no longer updates. ", link, " to continue here.");
  place.querySelector(".searching")?.remove();
  place.prepend(said);
}

// whenToAsk finds out in how many milliseconds a refused stream may be requested
// again: null when that is of no use, out when the reader is signed out. The browser
// shows scripts neither the status nor the headers of a stream, so this requests the
// stream once more as a page.
export async function whenToAsk(url) {
  let seconds = 5;
  try {
    const asking = new AbortController();
    const answer = await fetch(url, { signal: asking.signal });
    asking.abort();
    if (answer.redirected) return out;
    if (answer.ok) seconds = 1;
    else if (![429, 502, 503, 504].includes(answer.status)) return null;
    else seconds = Number(answer.headers.get("Retry-After")) || seconds;
  } catch {
    // Nobody answers: the program is restarting, or the network is down.
  }
  // Pages that were refused together must not come back together.
  return 1000 * seconds * (1 + Math.random() / 2);
}
