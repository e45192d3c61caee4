// The keyboard, for the whole page: "/" goes to the search field; arrow keys move
// between rows (links with data-row), and into them from the element around them
// (data-rows); Escape closes what is open, or leaves a field, or goes back.

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

  // A menu closes on a click elsewhere.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.me[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
}

function writing(element) {
  if (element.matches("textarea, select, [contenteditable]")) return true;
  return element.matches("input") && !element.matches('[type="checkbox"], [type="button"]');
}

function escape(event) {
  const open = event.target.closest("details[open]") ?? document.querySelector("details.me[open]");
  if (open) {
    open.open = false;
    open.querySelector("summary").focus();
  } else if (writing(event.target)) {
    event.target.blur();
  } else if (!event.repeat && !unsent()) {
    back();
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
  const rows = [...document.querySelectorAll("[data-row]")].filter((row) => row.offsetParent);
  const at = rows.indexOf(document.activeElement);
  if (at < 0 && !document.activeElement.matches("[data-rows]")) return; // the page scrolls
  event.preventDefault();
  rows[Math.min(rows.length - 1, Math.max(0, at + step))].focus();
}
