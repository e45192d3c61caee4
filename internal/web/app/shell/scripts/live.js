// An open page stays true. It hears from /live that its account has news, asks for its own address once more, and is
// brought to what the server writes then: morph.js. Hidden tabs do not listen, and look when they are shown.

import { bring, own } from "./morph.js";
import { out, whenToAsk } from "./stream.js";

const lost = 30000; // ms without a word after which the page is no longer taken for true
const poll = 5000; // ms between questions where streams do not come through, or nobody answers
const rest = 300; // ms between two looks at the page
const again = 60000; // ms after which it looks without news: deadlines pass by themselves

const page = document.body.dataset;
let enhance, mark, source, left, shown; // shown: the page as the server last wrote it
let [tag, stale, waits, polling, over, looking, behind] = ["", "", {}, false, false, false, false];
let at = page.news; // the news that the page shows
let news = at; // those that were heard last
let heard = Date.now();
let [looked, ticked, opened, retry] = [heard, heard, 0, 0];

export function live(enhancing) {
  if (!page.live) return;
  enhance = enhancing;
  mark = new URL(page.live, location).searchParams.get("for");
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : ((retry = 0), tick())));
  addEventListener("pagehide", close);
  addEventListener("pageshow", tick);
  for (const leaving of ["pointerout", "focusout"]) {
    document.addEventListener(leaving, () => {
      clearTimeout(left);
      if (waits.late) left = setTimeout(put, rest);
    });
  }
  setInterval(tick, 1000);
  tick();
}

function tick() {
  const now = Date.now();
  const slept = now - ticked > lost;
  ticked = now;
  if (over || document.hidden) return;
  if (slept || now - heard > lost) doubt();
  if (slept) close();
  if (behind && !changing()) look();
  if (source && heard < opened && now - opened > poll) [polling] = [true, close()];
  else if (now - opened > again) polling = false;
  if (now < retry || source) return;
  if (polling) ask();
  else open();
}

function close() {
  source?.close();
  source = null;
}

function open() {
  opened = Date.now();
  source = new EventSource(page.live);
  source.addEventListener("message", (event) => hear(event.data));
  source.addEventListener("error", async () => {
    if (source?.readyState !== EventSource.CLOSED) return; // the browser opens it again
    close();
    retry = Infinity;
    const wait = await whenToAsk(page.live);
    if (wait === null || wait === out) end(wait === out);
    else retry = Date.now() + wait;
  });
}

async function ask() {
  retry = Date.now() + poll;
  const answer = await fetch(page.live).catch(() => null);
  if (answer?.redirected || answer?.status === 409) end(answer.redirected);
  else if (answer?.ok) hear(await answer.text());
}

function end(signedOut) {
  over = true;
  close();
  doubt(signedOut ? "You are signed out: this page no longer updates" : "This page belongs to another sign-in");
}

function hear(word) {
  [heard, news] = [Date.now(), word];
  if (news !== at || heard - looked > again) look();
  else trust();
}

// look asks for the page as it is now, and once more for news that come meanwhile.
async function look(second) {
  if (looking || over) return;
  [looking, looked] = [true, Date.now()];
  const [began, here] = [news, location.href];
  let pause = rest;
  try {
    const headers = { "Gangway-Live": mark, ...(tag && { "If-None-Match": tag }) };
    const frame = `/frame?section=${page.section}&at=${encodeURIComponent(location.pathname)}`;
    const url = page.still === undefined ? here : page.live.replace(/\?.*/, frame);
    const answer = await fetch(url, { headers, cache: "no-store" });
    if (answer.redirected) return end(true);
    if (answer.status === 200) {
      tag = answer.headers.get("Etag");
      keep(new DOMParser().parseFromString(await answer.text(), "text/html"), here);
    }
    if ([429, 502, 503, 504].includes(answer.status)) throw answer;
    at = began;
    if (answer.ok) {
      trust();
      put();
      // A replica other than the one that told of the news may learn of them a moment later.
      const by = answer.headers.get("Gangway-News")?.split(".")[0];
      if (!second && by !== began.split(".")[0]) setTimeout(look, 3 * rest, true);
    } else doubt("This page no longer updates");
  } catch {
    pause = poll;
  }
  setTimeout(() => {
    looking = false;
    if (news !== at) look();
  }, pause * (1 + Math.random()));
}

function keep(written, address) {
  shown = written;
  shown.at = address;
  shown.body.querySelectorAll(own).forEach((node) => node.remove());
}

// take brings the page to one that another script has loaded.
export function take(written) {
  keep(written, location.href);
  tag = "";
  put();
}

// changing reports whether a stream of the page's own brings it up to date.
const changing = () => document.querySelector("main [data-stream]") !== null;

// put brings the page to what was written last.
function put(everything) {
  if (shown?.at !== location.href) return;
  const main = document.getElementById("main");
  const pairs = [[document.querySelector("nav.nav"), shown.querySelector("nav")]];
  behind = changing();
  if (page.still === undefined && !behind) { // a quote does not change
    document.title = shown.title;
    pairs.push([main, shown.querySelector("main")]);
  }
  waits = bring(pairs, enhance, everything === true);
  const words = waits.fresh ? [`${waits.fresh} new`, "show"] : waits.gone ? [`${waits.gone} gone`, "hide"] : [""];
  say(...words, () => put(true));
}

// doubt greys what may no longer be true, and says since when.
function doubt(why) {
  stale ||= why ?? "Not updated since " + new Date(heard).toTimeString().slice(0, 5);
  document.documentElement.classList.add("stale");
  say(stale, "open again", () => location.reload());
}

function trust() {
  if (!stale) return;
  stale = "";
  document.documentElement.classList.remove("stale");
  say("");
}

// say shows a line at the foot of the window, where it moves nothing.
function say(words, button, press) {
  const make = (name, as) => Object.assign(document.createElement(name), as);
  const line = document.querySelector("p.fresh") ??
    document.body.appendChild(make("p", { className: "fresh", role: "status" }));
  if (line.dataset.says === words) return;
  line.dataset.says = words;
  line.replaceChildren(words && words + ": ");
  if (!words) return;
  line.append(make("button", { className: "button tight", textContent: button }));
  line.lastChild.addEventListener("click", () => {
    document.getElementById("main").focus({ preventScroll: true });
    press();
  });
}
