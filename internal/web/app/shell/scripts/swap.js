// Parts of a page that change in place. A form or link with
// data-swap="results rows" is followed in the background; the elements with
// those ids are taken from the page that comes back, and the address changes
// with it. A form with data-swap and data-auto is sent whenever a field
// changes. A form that is posted leads to another page, whose parts are taken; it
// must be safe to send twice. Whatever goes wrong falls back to loading the page
// plainly.

import { take } from "./live.js";
import { adopt } from "./morph.js";

let asking = null;

export function swap(enhance) {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.dataset.swap || event.submitter?.formMethod === "post") return;
    event.preventDefault();
    const query = new URLSearchParams(new FormData(form, event.submitter));
    if (form.method === "post") return go(form.action, form.dataset.swap, enhance, query, () => form.submit());
    for (const [name, value] of [...query]) if (value === "") query.delete(name, value);
    go(new URL("?" + query, form.action), form.dataset.swap, enhance);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-swap]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(new URL(link.href), link.dataset.swap, enhance);
  });
  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (form?.dataset.auto !== undefined && event.target.name) form.requestSubmit();
  });
  addEventListener("popstate", () => {
    if (history.state?.swapped) location.reload();
  });
}

async function go(url, ids, enhance, body, plainly = () => location.assign(url)) {
  asking?.abort();
  asking = new AbortController();
  try {
    // Customers' systems are asked once the page has changed: later.js.
    const headers = { "Gangway-Part": "yes" };
    const answer = await fetch(url, { method: body ? "POST" : "GET", body, headers, signal: asking.signal });
    if (!answer.ok || answer.redirected !== Boolean(body)) return plainly();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const parts = ids.split(" ").map((id) => page.getElementById(id));
    if (parts.includes(null)) return plainly();
    history.replaceState({ swapped: true }, "");
    history.pushState({ swapped: true }, "", body ? answer.url : url);
    document.title = page.title;
    for (const part of parts) replace(part.cloneNode(true), enhance);
    follow(page);
    take(page);
  } catch (error) {
    if (error.name !== "AbortError") plainly();
  }
}

// follow sets the filters as the page that came back has them, except the field with
// the focus: what is being typed must stay.
function follow(page) {
  for (const fresh of page.querySelectorAll("[data-auto] :is(input, select)[id]")) {
    const field = document.getElementById(fresh.id);
    if (!field?.name || field === document.activeElement) continue;
    field.value = fresh.value;
    if ("checked" in fresh) field.checked = fresh.checked;
  }
}

// put places the elements of html on the page by their ids.
export function put(html, enhance) {
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const part of [...template.content.children]) {
    const into = part.dataset.into && document.getElementById(part.dataset.into);
    if (into) {
      adopt(part);
      into.append(part);
      enhance(part);
    } else {
      replace(part, enhance);
    }
  }
}

// replace puts an element in the place of the one with its id.
export function replace(part, enhance) {
  const old = document.getElementById(part.id);
  if (!old) return;
  // The reader keeps their place: focus, open details and ticks stay.
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  for (const open of old.querySelectorAll("details[open][id]")) {
    const same = part.querySelector("#" + CSS.escape(open.id));
    if (same) same.open = true;
  }
  adopt(part);
  for (const box of old.querySelectorAll(".tick input[name]:checked")) {
    const same = part.querySelector(`.tick input[name="${box.name}"][value="${CSS.escape(box.value)}"]`);
    if (same) same.checked = true;
  }
  old.replaceWith(part);
  enhance(part); // which shows what may get the focus
  if (focused) counterpart(part, focused)?.focus({ preventScroll: true });
}

// counterpart is the element of a new part that does what one of the old part
// did: without it, whoever uses the keyboard starts again at the top of the page.
function counterpart(part, old) {
  if (old.id) return document.getElementById(old.id);
  const all = [...part.querySelectorAll("a[href], button:not([disabled]), input:not([type=hidden]), select, summary")];
  return all.find((e) => old.href && e.href === old.href) ??
    all.find((e) => e.textContent && e.textContent === old.textContent) ??
    all[0] ?? Object.assign(part, { tabIndex: -1 });
}
