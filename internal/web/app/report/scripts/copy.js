// An element with data-copy="Copy the address" gets a button of that name behind it that copies its text. Browsers
// let pages copy only over https or on the machine itself; elsewhere there is no button.
export function copy(root) {
  if (!navigator.clipboard) return;
  for (const place of root.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button tight copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", place.dataset.copy);
    const said = document.createElement("span");
    said.className = "small muted";
    said.role = "status";
    button.addEventListener("click", async () => {
      said.textContent = "";
      try {
        await navigator.clipboard.writeText(place.textContent);
        said.textContent = " Copied";
      } catch {
        getSelection().selectAllChildren(place);
        said.textContent = " Selected: copy it by Ctrl+C";
      }
    });
    if (place.tagName === "PRE") {
      const line = document.createElement("p");
      line.append(button, said);
      place.after(line);
    } else place.after(button, said);
  }
}
