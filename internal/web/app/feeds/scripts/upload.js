// <form data-upload data-most="…"> sends its file in the background and shows how much of it
// has been sent. Without it the form is sent as any other.

export function upload(root) {
  for (const form of root.querySelectorAll("form[data-upload]")) {
    form.addEventListener("submit", (event) => send(event, form));
    form.addEventListener("dragover", (event) => event.preventDefault());
    form.addEventListener("drop", (event) => {
      const files = event.dataTransfer?.files;
      if (!files?.length) return;
      event.preventDefault();
      form.querySelector("input[type=file]").files = files;
    });
  }
}

function send(event, form) {
  const file = form.querySelector("input[type=file]").files[0];
  if (!file) return;
  event.preventDefault();
  if (file.size > Number(form.dataset.most)) {
    return say(form, `The file has ${size(file.size)}, and at most ${form.dataset.mostWords} are taken.`);
  }
  say(form, "");
  const sending = form.querySelector(".sending");
  const [bar, words, stop] = ["progress", "span", "button"].map((name) => sending.querySelector(name));
  const request = new XMLHttpRequest();
  const stay = (leaving) => leaving.preventDefault();
  const over = () => {
    removeEventListener("beforeunload", stay);
    sending.hidden = true;
    for (const e of form.querySelectorAll("input[type=file], .primary")) e.disabled = false;
  };
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.max = total;
    bar.value = loaded;
    words.textContent = loaded < total
      ? `${size(loaded)} of ${size(total)} sent. Stay on this page until all of it is.`
      : "All of it is sent; Gangway is taking it in.";
  });
  request.addEventListener("load", () => {
    over();
    // Another page than the form's: what becomes of the file.
    if (request.status < 400 && new URL(request.responseURL).pathname !== new URL(form.action).pathname) {
      return location.assign(request.responseURL);
    }
    const page = new DOMParser().parseFromString(request.responseText, "text/html");
    say(form, page.querySelector("main .wrong")?.textContent ?? page.querySelector("main")?.innerText.trim() ??
      "The file could not be taken.");
  });
  request.addEventListener("error", () => {
    over();
    say(form, "The connection broke before all of the file was sent. Nothing was stored: upload it again.");
  });
  request.addEventListener("abort", () => {
    over();
    say(form, "Stopped. What had not arrived as a whole is not stored: upload it again when you like.");
  });
  stop.onclick = () => request.abort();
  addEventListener("beforeunload", stay);
  const data = new FormData(form);
  for (const e of form.querySelectorAll("input[type=file], .primary")) e.disabled = true;
  bar.value = 0;
  words.textContent = `0 of ${size(file.size)} sent.`;
  sending.hidden = false;
  stop.focus();
  request.open("POST", form.action);
  request.send(data);
}

// say shows what is wrong beside the field.
function say(form, text) {
  const field = form.querySelector("input[type=file]");
  let place = form.querySelector(".wrong");
  if (!text) {
    field.removeAttribute("aria-invalid");
    return place?.remove();
  }
  if (!place) {
    place = Object.assign(document.createElement("p"), { className: "wrong", role: "alert", tabIndex: -1 });
    field.after(place);
  }
  place.textContent = text;
  field.setAttribute("aria-invalid", "true");
  field.focus();
}

function size(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}
