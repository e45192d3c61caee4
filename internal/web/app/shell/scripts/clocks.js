// Instants: <time data-left datetime="…"> counts down from the time left that the
// server wrote. Every other <time> with a title also names the reader's own time.
// An empty field with data-zone gets the reader's time zone.

const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
let ticking = false;

export function clocks(root) {
  for (const time of root.querySelectorAll("time[datetime][title]:not([data-known])")) {
    time.dataset.known = "yes";
    time.title += " · " + local.format(new Date(time.dateTime)) + " your time";
  }
  for (const zone of root.querySelectorAll("input[data-zone]")) {
    if (!zone.value) zone.value = local.resolvedOptions().timeZone;
  }
  if (ticking || !document.querySelector("time[data-left]")) return;
  ticking = true;
  // The limits and words are the server's: time_left.go.
  const scale = JSON.parse(document.body.dataset.leftScale);
  setInterval(() => document.querySelectorAll("time[data-left]").forEach((time) => tick(time, scale)), 15000);
}

function tick(time, scale) {
  // The account's clock may be ahead of real time.
  const left = new Date(time.dateTime) - Date.now() - Number(document.body.dataset.ahead ?? 0);
  const { before = "", after = "", then = "ended" } = time.dataset;
  const words = left > 0 ? before + inWords(left, scale.words) + after : then;
  if (time.textContent !== words) time.textContent = words;
  time.classList.remove(...scale.urgency.map((step) => step.says));
  time.classList.add(stepOf(scale.urgency, left));
}

function inWords(ms, steps) {
  const minutes = Math.floor(ms / 60000);
  const m = minutes % 60;
  const parts = { d: Math.floor(minutes / 1440), h: Math.floor(minutes / 60) % 24, m, mm: String(m).padStart(2, "0") };
  return stepOf(steps, ms).replace(/\{(\w+)\}/g, (_, name) => parts[name]);
}

function stepOf(steps, ms) {
  return steps.find((step) => !step.under || ms < step.under * 60000).says;
}
