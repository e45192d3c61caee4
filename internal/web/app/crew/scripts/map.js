// The map of a crew change highlights the ways of the person whose row has the mouse or the focus.

export function map() {
  for (const at of ["pointerover", "focusin"]) {
    document.addEventListener(at, (event) => {
      const row = event.target.closest?.("[data-ways]");
      for (const way of document.querySelectorAll(".way.lit")) way.classList.remove("lit");
      for (const name of row?.dataset.ways.split(" ") ?? []) {
        document.getElementById("way-" + name)?.classList.add("lit");
      }
    });
  }
}
