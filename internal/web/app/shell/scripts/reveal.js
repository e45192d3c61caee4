// A button with data-shows="id" fetches what the field with that id hides. Its form
// is sent in the background, and only the field changes. Whatever goes wrong falls
// back to sending the form plainly.
export function reveal() {
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button?.dataset.shows) return;
    event.preventDefault();
    show(event.target, button);
  });
}

async function show(form, button) {
  const id = button.dataset.shows;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, button)) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(id);
    if (!answer.ok || answer.redirected || !fresh) throw new Error("no such field");
    const field = document.getElementById(id);
    field.value = fresh.value;
    button.remove();
    field.focus();
  } catch {
    const hidden = document.createElement("input");
    hidden.type = "hidden";
    hidden.name = button.name;
    hidden.value = button.value;
    form.append(hidden);
    form.submit();
  }
}
