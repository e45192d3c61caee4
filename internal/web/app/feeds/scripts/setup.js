// The page on which a feed is set up (form data-setup). A file that is dropped or chosen is tried at once; the table
// follows the mapping while somebody types it. Only the parts that a trial changes are put in: every field keeps what
// is typed, and the focus. One trial is under way at a time; what was typed meanwhile is tried after it.

import { replace } from "../../shell/scripts/swap.js";

const wait = 500; // ms after the last key
const ofTrial = ["trial-top", "received", "unsure", "columns-table", "left-out", "trial"];
const parts = ["carried", "carried-document", "refusal", "mapping-wrong", ...ofTrial];
const ofKind = ["kinds", "settings", "every", "complete"]; // what another kind of transport changes besides

export function setup() {
  const form = document.querySelector("form[data-setup]");
  if (!form) return;
  const editor = form.elements.mapping;
  const typedOf = {}; // what was typed of a kind of transport that is not shown: secrets, too
  let timer = 0;
  let under = false; // a trial is under way
  let after = ""; // what is to be tried after it

  // attempt sends what was typed. Where somebody asked for it, what comes of it gets the focus.
  async function attempt(what, asked = false) {
    clearTimeout(timer);
    if (under) {
      after = after && after !== "try" ? after : what;
      return;
    }
    under = true;
    const trial = document.getElementById("trial");
    trial.setAttribute("aria-busy", "true");
    const typed = editor.value;
    const sent = new FormData(form);
    sent.set("do", what);
    if (/^(try|table)/.test(what) && form.elements.document) sent.delete("sample"); // the form has it already
    try {
      const answer = await fetch(form.action, { method: "POST", body: sent, headers: { "Gangway-Part": "yes" } });
      if (answer.redirected) throw new Error("You are signed out. Sign in again in another tab, then try again.");
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!page.getElementById("setup")) throw new Error(page.querySelector("main")?.innerText ?? answer.statusText);
      show(page, typed);
      const wrong = form.querySelector('[aria-invalid="true"]') ?? document.querySelector("#refusal .notice");
      if (asked) (wrong ?? document.getElementById("outcome"))?.focus();
    } catch (error) {
      say(error.message);
    }
    document.getElementById("trial").setAttribute("aria-busy", "false");
    under = false;
    if (after) {
      const next = after;
      after = "";
      attempt(next);
    }
  }

  function put(page, ids) {
    for (const id of ids) {
      const part = page.getElementById(id);
      if (part && document.getElementById(id)) replace(part, () => {});
    }
  }

  function show(page, typed) {
    // What a mapping that is being typed would bring is not known: the last records stay, and say so.
    const tried = page.getElementById("trial").dataset.tried !== undefined;
    const before = !tried && page.getElementById("outcome") === null;
    // What was chosen in the table meanwhile is sent next.
    const stays = (id) => (before && ofTrial.includes(id)) || (id === "columns-table" && after === "table");
    put(page, parts.filter((id) => !stays(id)));
    for (const id of ["trial", "trial-top"]) document.getElementById(id).toggleAttribute("data-before", before);
    if (tried) document.getElementById("mapping-panel").open = true;
    mark(page);
    const fresh = page.getElementById("mapping").value;
    if (fresh !== typed && editor.value === typed) editor.value = fresh;
    document.getElementById("try").textContent = page.getElementById("try").textContent;
  }

  // turn changes the kind of transport. What was typed of the kind that is left is there again when it comes back.
  async function turn(kind) {
    const sent = new FormData(form);
    sent.delete("sample");
    sent.set("turn", kind);
    const plainly = () => {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "turn", value: kind }));
      form.submit();
    };
    try {
      const answer = await fetch(form.action, { method: "POST", body: sent, headers: { "Gangway-Part": "yes" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok || answer.redirected || !page.getElementById("settings")) return plainly();
      const fields = () => document.querySelectorAll("#settings .input[id]");
      typedOf[form.dataset.kind] = new Map([...fields()].map((e) => [e.id, e.value]));
      put(page, [...ofKind, ...parts.filter((id) => id !== "carried-document")]);
      form.dataset.kind = kind;
      form.toggleAttribute("data-live", page.getElementById("setup").hasAttribute("data-live"));
      form.querySelector(".setup-drop strong").textContent = page.querySelector(".setup-drop strong").textContent;
      for (const e of fields()) if (!e.value) e.value = typedOf[kind]?.get(e.id) ?? "";
      byFlow();
      document.querySelector("#settings .input, #sample").focus();
    } catch {
      plainly();
    }
  }

  // byFlow has the examples fit the flow that is chosen.
  function byFlow() {
    for (const field of form.querySelectorAll("[data-examples]")) {
      const examples = JSON.parse(field.dataset.examples);
      field.placeholder = examples[form.elements.flow.value] ?? examples[""] ?? "";
    }
  }

  // mark says what is wrong at the fields that stay.
  function mark(page) {
    for (const field of form.querySelectorAll(".input[id]")) {
      const same = page.getElementById(field.id);
      if (!same) continue;
      field.removeAttribute("aria-invalid");
      field.removeAttribute("title");
      if (field !== editor) field.closest(".field").querySelector(".wrong")?.remove();
      if (!same.hasAttribute("aria-invalid")) continue;
      field.setAttribute("aria-invalid", "true");
      field.closest("details")?.setAttribute("open", "");
      const wrong = same.closest(".field").querySelector(".wrong");
      if (wrong && field !== editor) field.after(wrong);
    }
  }

  function say(words) {
    const line = document.createElement("p");
    line.className = "notice act";
    line.role = "alert";
    line.textContent = words || "There was no answer; try again.";
    document.getElementById("refusal").replaceChildren(line);
  }

  // Only a document that the form has can be tried without anybody asking for it.
  const follows = () => form.elements.document !== undefined;
  const soon = () => {
    clearTimeout(timer);
    if (follows()) timer = setTimeout(() => attempt("try"), wait);
  };

  editor.addEventListener("input", soon);
  form.addEventListener("change", (event) => {
    const field = event.target;
    if (field.type === "file") return field.files.length && attempt("file", true);
    if (field.name === "flow") byFlow();
    if (field.name === "flow" && follows()) return attempt("flow");
    if (field.closest("#format")) soon();
    if (field.closest(".setup-columns:not([data-by-hand])") && form.elements["as-more"].value === "" ===
      (form.elements["col-more"].value === "")) attempt("table");
  });
  form.addEventListener("submit", (event) => {
    const what = event.submitter?.value ?? "fetch";
    if (what.startsWith("save")) return (form.elements.sample.value = "");
    event.preventDefault();
    if (event.submitter?.name === "turn") return turn(event.submitter.value);
    if (what === "fetch") form.elements.sample.value = ""; // it is what the address has that counts now
    attempt(what, true);
  });

  // An address has a line of its own that grows, in which Enter means what it means in any field.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches(".setup-long, #saving input")) return;
    event.preventDefault();
    if (event.target.closest("#saving")) return form.requestSubmit(document.getElementById("save"));
    form.requestSubmit(document.getElementById("try"));
  });

  const place = form.querySelector("[data-drop]");
  const over = (on) => (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    place.classList.toggle("over", on);
  };
  form.addEventListener("dragover", over(true));
  form.addEventListener("dragleave", over(false));
  form.addEventListener("drop", (event) => {
    over(false)(event);
    if (!event.dataTransfer?.files.length) return;
    form.elements.sample.files = event.dataTransfer.files;
    attempt("file", true);
  });
}
