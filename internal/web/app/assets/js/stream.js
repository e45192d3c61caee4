// <div data-stream="/searches/7/stream"> listens to server-sent events. The data
// of each is HTML whose elements replace those with the same id on the page;
// an element with data-into="list" is appended to the element with that id
// instead. An event named "end" closes the stream. data-stream is taken away
// then, so that CSS can show that it is over.

import { put } from "./swap.js";

export function stream(root, enhance) {
  for (const place of root.querySelectorAll("[data-stream]")) listen(place, enhance);
  if (root.matches?.("[data-stream]")) listen(root, enhance);
}

function listen(place, enhance) {
  if (place.dataset.listening) return;
  place.dataset.listening = "yes";
  const source = new EventSource(place.dataset.stream);
  const over = () => {
    source.close();
    place.removeAttribute("data-stream");
  };
  // A place that was replaced meanwhile has let go of its stream.
  source.addEventListener("message", (event) => (place.isConnected ? put(event.data, enhance) : over()));
  source.addEventListener("end", (event) => {
    if (event.data && place.isConnected) put(event.data, enhance);
    over();
  });
  addEventListener("pagehide", over, { once: true });
}
