// Keeps the page up to date: when the server says that something happened, the live
// part is fetched again. Details that the reader has opened stay open.
const live = document.getElementById("live");

async function refresh() {
  const open = new Set([...live.querySelectorAll("details[open]")].map((d) => d.id));
  const answer = await fetch("/feed");
  if (!answer.ok) return;
  live.innerHTML = await answer.text();
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
}

function ago(seconds) {
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  const minutes = String(Math.floor(seconds / 60) % 60).padStart(2, "0");
  return `${Math.floor(seconds / 3600)} h ${minutes} min ago`;
}

setInterval(() => {
  for (const t of document.querySelectorAll("time[data-ago]")) {
    t.textContent = ago((Date.now() - Date.parse(t.dateTime)) / 1000);
  }
}, 1000);

const events = new EventSource("/events");
events.onmessage = refresh;
events.onopen = refresh;
