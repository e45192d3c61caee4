// The board of a crew change that moved: rows with a box, and a select of what can be done. What the reader ticked or
// selected stays when rows arrive again, and in the address for whoever comes back or quotes again, until another of
// the three ways is asked for. The bar adds up what is ticked. A line says when the plan changes meanwhile, and how
// many ticks of the reader are no longer possible.

const picks = new Map(); // by row: [ticked, the way]
let watch, planned;

export function board(root) {
  planned ??= document.getElementById("progress")?.dataset.planned;
  const rows = root.matches?.("tr[data-person]") ? [root] : root.querySelectorAll("tr[data-person]");
  for (const row of rows) {
    const pick = picks.get(row.id);
    if (pick) take(row, ...pick);
  }
  if (rows.length && !watch) {
    watch = new MutationObserver(changed); // rows change by streams, too, and as the page is brought up to date
    const what = { subtree: true, childList: true, attributeFilter: ["checked", "class", "data-planned"] };
    watch.observe(document.getElementById("main"), what);
  }
}

document.addEventListener("click", ({ target }) => {
  if (target.closest(".aims a")) picks.clear();
});

document.addEventListener("change", ({ target }) => {
  const every = target.matches("[data-tick-all]");
  const rows = every ? document.querySelectorAll("tr[data-person]") : [target.closest("tr[data-person]")];
  if (!rows[0]) return;
  for (const row of rows) {
    const box = row.querySelector("[type=checkbox]");
    const way = picked(row)?.dataset.way;
    if (target.matches("select")) box.checked = way !== "";
    picks.set(row.id, [box.checked, way]);
    show(row);
  }
  remember([...rows]);
  count();
});

const picked = (row) => row.querySelector("select")?.selectedOptions[0] ?? row.querySelector("[data-way]");

// keptRows is the number of the page's own: board_kept.go.
const keptRows = 300;

function remember(rows) {
  const url = new URL(location.href);
  const ids = new Set(rows.map((row) => row.id.slice(2)));
  let kept = ["on", "off"].flatMap((side) => url.searchParams.getAll(side).map((of) => [side, of]));
  kept = kept.filter(([, of]) => !ids.has(of.split(".")[0]));
  for (const row of rows) {
    const [ticked, way = ""] = picks.get(row.id);
    kept.push([ticked ? "on" : "off", `${row.id.slice(2)}.${way}`]);
  }
  url.searchParams.delete("on");
  url.searchParams.delete("off");
  for (const [side, of] of kept.length > keptRows ? [["off", "*"]] : kept) url.searchParams.append(side, of);
  history.replaceState(history.state, "", url);
  document.getElementById("board").action = url;
}

function take(row, ticked, way) {
  const select = row.querySelector("select");
  const option = [...(select?.options ?? [])].find((o) => o.dataset.way === way);
  if (option) option.selected = true;
  const box = row.querySelector("[type=checkbox]");
  box.checked = ticked && !box.disabled;
  show(row);
}

function show(row) {
  const select = row.querySelector("select");
  if (!select) return;
  let now;
  for (const option of select.options) {
    const cells = JSON.parse(option.dataset.cells);
    if (option.selected) now = cells;
    option.textContent = option.selected ? cells.does : `${cells.does} · ${cells.money}`;
  }
  for (const cell of row.querySelectorAll("[data-cell]")) cell.textContent = now[cell.dataset.cell];
  row.querySelector('[data-cell="buffer"]').className = now.class;
}

function changed() {
  let lost = 0;
  for (const [id, [ticked, way]] of picks) {
    const row = document.getElementById(id);
    if (!ticked || !way || row?.dataset.state === "open" || (row && picked(row)?.dataset.way === way)) continue;
    lost++;
    if (row) row.querySelector("[type=checkbox]").checked = false;
  }
  const now = document.getElementById("progress")?.dataset;
  if (now && now.planned !== planned) {
    const kept = picks.size ? ` Your ${lost ? "other " : ""}ticks are kept.` : "";
    const ticks = lost ? ` Ticks no longer possible: ${lost}.` : "";
    say(document.getElementById("moved"), `The plan changed meanwhile: ${now.news || "as it was"}.${ticks}${kept}`);
  }
  count();
}

const figures = (amount, digits) =>
  Math.abs(amount).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

function add(sums, more) {
  for (const [currency, amount] of more.split(",").map((sum) => sum.split(" "))) {
    if (amount) sums.set(currency, [...(sums.get(currency) ?? []), amount]);
  }
}

function total(sums, below) {
  const parts = [...sums].map(([currency, list]) => {
    const sum = list.reduce((all, amount) => all + Number(amount), 0);
    const digits = list[0].split(".")[1]?.length ?? 0;
    return Math.abs(sum) < 0.001 ? "" : `${currency} ${figures(sum, digits)}${sum < 0 ? below : ""}`;
  });
  return parts.filter(Boolean).join(", ");
}

function count() {
  const [sums, now] = [new Map(), new Map()];
  const [whose, until] = [new Set(), []];
  let [n, asked] = [0, 0];
  for (const row of document.querySelectorAll("tr[data-person]:not(.gone):has([type=checkbox]:checked)")) {
    const of = picked(row);
    if (!of?.dataset.way) continue;
    n++;
    if (of.dataset.whose) {
      asked++;
      for (const name of JSON.parse(of.dataset.whose) ?? []) whose.add(name);
      if (of.dataset.until) until.push(of.dataset.until);
    }
    add(sums, of.dataset.sums);
    add(now, of.dataset.now);
  }
  say(document.querySelector("[data-board=n]"), String(n));
  const names = whose.size ? `: ${[...whose].slice(0, 2).join(", ")}` : "";
  const by = until.length ? `, until ${until.sort()[0].replace(/^\S* /, "")} UTC` : "";
  const approval = asked ? ` · approval${names}${by} for ${asked}` : "";
  say(document.querySelector("[data-board=bar]"), n ? `now: ${total(now, " back") || "nothing"}${approval}` : "");
  const button = document.querySelector("[data-board=button]");
  say(button, [`Do ${n}`, total(sums, " less")].filter(Boolean).join(" · "));
  if (button) button.disabled = n === 0;
}

function say(place, words) {
  if (place && place.textContent !== words) place.textContent = words;
}
