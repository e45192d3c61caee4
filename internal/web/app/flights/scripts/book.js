// The form of the Book page. It shows a picked traveller with their passport; typing
// another name clears the choice.

export function book(root) {
  const form = root.querySelector?.("form[data-book]");
  if (!form) return;
  const key = form.elements.namedItem("traveller");
  const card = form.querySelector("[data-picked]");
  const warning = form.querySelector("[data-passport]");
  let notes = read(warning.dataset.passport);

  form.addEventListener("typed", (event) => {
    if (event.target.name !== "name" || !key.value) return;
    key.value = "";
    card.textContent = "";
    notes = [];
    check();
  });
  form.addEventListener("picked", (event) => {
    if (event.target.name === "name") {
      card.textContent = event.detail.about ?? "";
      notes = read(event.detail.passport);
      check();
    }
  });
  form.addEventListener("done", (event) => next(event.target)?.focus());
  form.addEventListener("change", check);

  // The next empty field of the line.
  function next(from) {
    const fields = [...form.querySelectorAll(".line input:not([type=hidden]):not([type=radio])")];
    return fields.slice(fields.indexOf(from) + 1).find((field) => !field.value && field.offsetParent);
  }

  // check shows the server's sentence about the passport for the day of travel.
  function check() {
    const date = form.elements.namedItem("date");
    const typed = (date instanceof RadioNodeList ? date[date.length - 1] : date)?.value ?? "";
    const at = /\d{4}$/.test(typed) ? new Date(typed + " UTC") : NaN;
    const travel = isNaN(at) ? "" : at.toISOString().slice(0, 10);
    const sentence = notes.findLast((note) => note.from <= travel)?.sentence ?? "";
    warning.hidden = !sentence;
    if (sentence) warning.querySelector("[data-words]").textContent = sentence;
  }
}

// read returns the notes about a passport: sentences, each from a last day of travel on.
function read(notes) {
  return JSON.parse(notes || "null") ?? [];
}
