// The keyboard, for the whole page, only while no field has the focus: arrow keys enter the list and move between
// rows (elements with data-row); "x" ticks the row's box; a letter presses the link of the row, or of the page, that
// has it as its data-key; "/" and Ctrl K go to the search field; Escape closes what is open, or leaves a field, or goes
// back; "?" shows all of this. No letter sends a form, so none spends money. Whoever talks to the browser, or hits keys
// by accident, switches the letters off in the menu (WCAG 2.1.4): then <html> has data-keys="off".

export function keys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === "k" && !event.shiftKey) find(event);
      return;
    }
    if (event.key === "Escape") return escape(event);
    if (event.key === "Enter" && event.target.matches(deliberately)) return deliberate(event);
    if (writing(event.target)) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") return move(event, event.key === "ArrowDown" ? 1 : -1);
    if (document.documentElement.dataset.keys === "off" || event.repeat) return;
    if (event.key === "/") find(event);
    else if (event.key === "?") help();
    else if (event.key === "x") rowOf(event.target)?.querySelector(box)?.click();
    else if (/^[a-z]$/.test(event.key)) press(event);
  });

  document.addEventListener("keypress", (event) => {
    if (event.key === "Enter" && event.target.matches(deliberately)) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys-help]")) help();
    // A menu closes on a click elsewhere, and so does the drawer of filters.
    const drawer = openDrawer();
    if (drawer && !event.target.closest(".filters, .show-filters, .show-filters-label")) drawer.checked = false;
    for (const menu of document.querySelectorAll("details.me[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("toggle", ({ target }) => {
    if (target.matches("details.pop[open]")) target.querySelector(".input")?.focus();
  }, true);
  for (const button of document.querySelectorAll("[data-keys-help]")) button.hidden = false;
  document.querySelector('form[data-hold] .button[value="let-go"]')?.focus();
}

// A button that will spend money later. Enter, which people press again and again, does not press it.
const deliberately = 'button[name="unissued"][value="issue"]';

const box = 'input[type="checkbox"]:not([required], :disabled)';

const rowOf = (element) => element.closest("tr:has([data-row]), li:has([data-row])");

function find(event) {
  const field = document.getElementById("find");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}

// press follows the link for a letter: of the row that has the focus, or else of the page.
function press(event) {
  const of = `[data-key="${event.key}"]`;
  const link = rowOf(event.target)?.querySelector(of) ??
    [...document.querySelectorAll(of)].find((link) => !rowOf(link));
  if (!link) return;
  event.preventDefault();
  link.click();
}

function deliberate(event) {
  event.preventDefault();
  const button = event.target;
  if (button.nextElementSibling?.matches(".deliberate")) return;
  button.insertAdjacentHTML("afterend", '<p class="hint deliberate" role="status">Press Space for this button</p>');
}

const table = [
  ["/ or Ctrl K", "Find anything"], ["↓ ↑", "Enter the list, move"], ["Enter", "Open"], ["x", "Tick the row"],
  ["h", "Hold the open flight"], ["f", "Filters"],
  ["i", "Issue quote of the row"], ["b", "Book a flight"], ["Esc", "Close or go back"], ["?", "Show keys"],
];

function help() {
  const dialog = document.createElement("dialog");
  dialog.className = "keys-help";
  dialog.setAttribute("aria-labelledby", "keys-title");
  const rows = table.map(([key, does]) => `<dt><kbd>${key}</kbd></dt><dd>${does}</dd>`).join("");
  dialog.innerHTML = `<h2 id="keys-title">Keys</h2><dl>${rows}</dl>
    <form method="dialog"><button class="button">Close</button></form>`;
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function writing(element) {
  if (element.matches("textarea, select, [contenteditable]")) return true;
  return element.matches("input") && !element.matches('[type="checkbox"], [type="button"]');
}

const openDrawer = () => document.querySelector(".show-filters:checked:has(~ .one)");

function escape(event) {
  const open = event.target.closest("details[open]") ?? document.querySelector("details.me[open]");
  const drawer = openDrawer();
  if (open) {
    open.open = false;
    open.querySelector("summary").focus();
  } else if (drawer) {
    drawer.checked = false;
    drawer.focus();
  } else if (writing(event.target)) {
    event.target.blur();
  } else if (!event.repeat && !unsent()) {
    const shown = [...document.querySelectorAll('main a[data-row][aria-expanded="true"]')].at(-1);
    shown ? shown.click() : back();
  }
}

// back goes to the previous page, as the browser does, or to the section of this
// page where the previous one is not ours.
function back() {
  const from = document.referrer && new URL(document.referrer);
  const ours = from?.origin === location.origin && !from.pathname.endsWith("/sign-in");
  if (history.state?.swapped || (history.length > 1 && ours)) {
    history.back();
    return;
  }
  const section = document.querySelector(".nav a[aria-current]");
  if (section && section.pathname !== location.pathname) section.click();
}

// unsent reports whether the page has something that was typed and not sent, or was
// refused. No single key may take that away.
function unsent() {
  if (document.querySelector("main :is([aria-invalid=true], .wrong)")) return true;
  const fields = document.querySelectorAll("main form[method=post] :is(input:not([type=hidden]), textarea, select)");
  return [...fields].some((field) => {
    if (field.matches("select")) {
      return [...field.options].some((o) => o.selected !== o.defaultSelected) && field.selectedIndex > 0;
    }
    if ("checkbox radio".includes(field.type)) return field.checked !== field.defaultChecked;
    return field.value !== field.defaultValue;
  });
}

function move(event, step) {
  const rows = [...document.querySelectorAll("[data-row]")].filter((row) => row.checkVisibility());
  const at = rows.indexOf(rowOf(event.target)?.querySelector("[data-row]"));
  if (!rows.length || (at < 0 && step < 0)) return; // the page scrolls
  event.preventDefault();
  rows[Math.min(rows.length - 1, Math.max(0, at + step))].focus();
}
