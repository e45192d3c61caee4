// Boxes that are ticked together.
//
// <fieldset data-ticks="Choose at least one."> has boxes, and buttons with data-tick="all" and data-tick="none",
// which are hidden unless there is a script. While nothing is ticked, its form is not sent and says that.
//
// <form class="bulk"> acts on the ticked rows of a table. Its boxes are in the rows and belong to it by their form
// attribute. A box with data-tick-all ticks those of its group of rows, or in the table's head all of them. The form
// says how many are ticked and what their rows' data-amount adds up to; it is shown while something is ticked. A form
// with data-adds around a table says the same in its buttons.
export function ticks(root) {
  for (const set of root.querySelectorAll("[data-ticks]")) {
    const boxes = [...set.querySelectorAll("input[type=checkbox]")];
    const check = () => boxes[0].setCustomValidity(boxes.some((box) => box.checked) ? "" : set.dataset.ticks);
    for (const button of set.querySelectorAll("[data-tick]")) {
      button.parentElement.hidden = false;
      button.addEventListener("click", () => {
        for (const box of boxes) box.checked = button.dataset.tick === "all";
        check();
      });
    }
    set.addEventListener("change", check);
    check();
  }
  countAll();
}

const adds = "form.bulk, form[data-adds]";

function countAll() {
  for (const form of document.querySelectorAll(adds)) count(form);
}

document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-tick-all]")) {
    for (const box of rowsOf(target)) box.checked = target.checked;
    countAll();
  } else if (target.form?.matches(adds)) {
    count(target.form);
  }
});

// rowsOf returns the boxes that a box ticks. A row that can no longer be acted on is none of them.
function rowsOf(all) {
  const group = all.closest("thead") ? all.closest("table") : all.closest("tbody");
  return [...group.querySelectorAll("tr:not(.gone) .tick input[form]")];
}

function count(form) {
  const ticked = [...form.elements].filter((e) => e.type === "checkbox" && e.checked && !e.closest(".gone"));
  const sums = new Map();
  for (const box of ticked) {
    const [currency, amount] = box.closest("[data-amount]")?.dataset.amount.split(" ") ?? [];
    if (amount) sums.set(currency, [...(sums.get(currency) ?? []), amount]);
  }
  const amounts = [...sums].map(([currency, list]) => {
    const digits = list[0].split(".")[1]?.length ?? 0;
    const sum = list.reduce((all, amount) => all + Number(amount), 0);
    return `${currency} ${sum.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
  });
  form.classList.toggle("some", ticked.length > 0);
  const output = form.querySelector("output");
  const words = form.matches(".bulk") ? [`${ticked.length} ticked`, ...amounts].join(" · ") : "";
  if (output) output.textContent = ticked.length ? words : "Nothing ticked";
  for (const place of form.querySelectorAll("[data-count]")) place.textContent = ticked.length || "ticked";
  for (const place of form.querySelectorAll("[data-sum]")) place.textContent = ["", ...amounts].join(" · ");
  for (const all of document.querySelectorAll("[data-tick-all]")) {
    const boxes = rowsOf(all);
    all.hidden = boxes.length === 0;
    const on = boxes.filter((box) => box.checked).length;
    all.checked = on > 0 && on === boxes.length;
    all.indeterminate = on > 0 && on < boxes.length;
  }
}
