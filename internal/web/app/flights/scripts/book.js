// The form of the Book page: a picked traveller is shown with their passport,
// and typing another name lets go of them.

export function book(root) {
  const form = root.querySelector?.("form[data-book]");
  if (!form) return;
  const key = form.elements.namedItem("traveller");
  const card = form.querySelector("[data-picked]");
  const warning = form.querySelector("[data-passport]");
  let expires = warning.dataset.passport;

  form.addEventListener("typed", (event) => {
    if (event.target.name !== "name" || !key.value) return;
    key.value = "";
    card.textContent = "";
    expires = "";
    check();
  });
  form.addEventListener("picked", (event) => {
    if (event.target.name === "name") {
      card.textContent = event.detail.about ?? "";
      expires = event.detail.expires ?? "";
      check();
    }
  });
  form.addEventListener("done", (event) => next(event.target)?.focus());
  form.addEventListener("change", check);

  // The next field of the line that still wants something.
  function next(from) {
    const fields = [...form.querySelectorAll(".line input:not([type=hidden]):not([type=radio])")];
    return fields.slice(fields.indexOf(from) + 1).find((field) => !field.value && field.offsetParent);
  }

  // check says that the passport ends within six months of travel, as the
  // server does when the form is sent.
  function check() {
    const date = form.elements.namedItem("date");
    const travel = (date instanceof RadioNodeList ? date[date.length - 1] : date)?.value;
    const day = travel ? new Date(travel) : new Date();
    const limit = new Date(day);
    limit.setMonth(limit.getMonth() + 6);
    const short = expires && new Date(expires) < limit;
    warning.hidden = !short;
    if (short) {
      warning.querySelector("[data-words]").textContent =
        new Date(expires) < day
          ? `The passport ends on ${expires}, before travel.`
          : `The passport ends on ${expires}, within six months of travel. Many countries refuse it.`;
    }
  }
}
