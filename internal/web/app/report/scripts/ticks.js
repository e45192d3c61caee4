// <fieldset data-ticks="Choose at least one."> has boxes, and buttons with data-tick="all" and data-tick="none",
// which are hidden unless there is a script. While nothing is ticked, its form is not sent and says that.
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
}
