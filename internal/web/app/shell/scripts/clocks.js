// Instants: <time data-left datetime="…"> counts down where the server wrote
// the time left; every other <time> with a title also names the reader's own time.

const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
let ticking = false;

export function clocks(root) {
  for (const time of root.querySelectorAll("time[datetime][title]:not([data-known])")) {
    time.dataset.known = "yes";
    time.title += " · " + local.format(new Date(time.dateTime)) + " your time";
  }
  if (ticking || !document.querySelector("time[data-left]")) return;
  ticking = true;
  setInterval(() => document.querySelectorAll("time[data-left]").forEach(tick), 15000);
}

function tick(time) {
  const left = new Date(time.dateTime) - Date.now();
  const { before = "", after = "", then = "ended" } = time.dataset;
  const words = left > 0 ? before + inWords(left) + after : then;
  if (time.textContent !== words) time.textContent = words;
  time.classList.remove("good", "watch", "act");
  time.classList.add(urgency(left));
}

// inWords and urgency do what timeLeft in format.go does.
function inWords(ms) {
  if (ms <= 0) return "past";
  const minutes = Math.floor(ms / 60000);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

function urgency(ms) {
  if (ms < 3600000) return "act";
  return ms < 6 * 3600000 ? "watch" : "good";
}
