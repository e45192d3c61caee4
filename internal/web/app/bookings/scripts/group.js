// A box in the head of a group of rows ticks all of them (data-tick-all).

export function group() {
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-tick-all]")) return;
    for (const box of event.target.closest("tbody").querySelectorAll('td.tick input[type="checkbox"]')) {
      if (box.checked === event.target.checked) continue;
      box.checked = event.target.checked;
      box.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
}
