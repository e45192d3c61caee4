// The keyboard, for the whole page: "/" goes to the search field, arrow keys
// move between rows (links with data-row), Escape closes what is open.

export function keys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return escape(event);
    if (writing(event.target)) return;
    if (event.key === "/") {
      const find = document.getElementById("find");
      if (find) {
        event.preventDefault();
        find.focus();
        find.select();
      }
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      move(event, event.key === "ArrowDown" ? 1 : -1);
    }
  });

  // A menu closes when one goes elsewhere.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.me[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
}

function writing(element) {
  return element.matches("textarea, select, [contenteditable]") || (element.matches("input") && !element.matches('[type="checkbox"], [type="button"]'));
}

function escape(event) {
  const open = event.target.closest("details[open]");
  if (open) {
    open.open = false;
    open.querySelector("summary").focus();
  } else if (writing(event.target)) {
    event.target.blur();
  }
}

function move(event, step) {
  const rows = [...document.querySelectorAll("[data-row]")].filter((row) => row.offsetParent);
  const at = rows.indexOf(document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  rows[Math.min(rows.length - 1, Math.max(0, at + step))].focus();
}
