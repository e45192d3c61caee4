// A field with data-suggest="/suggest/travellers?surname=" asks that address for
// suggestions while somebody types, and offers those that come back. A suggestion is
//
//   <li role="option" id="…" data-fill='{"traveller":"id:7","from":"MNL"}'>…</li>
//
// and picking it writes data-fill into the fields of those names in the same
// form, or its data-value into the field itself, or goes to data-go. One with aria-disabled cannot be picked,
// and says why there is nothing else. data-with="from" sends what the field of that name says, too.
// <li data-later="live"> says that there will be more at the same address with that
// parameter: they join the list below the others, of which each stays in its place.
//
// The option with data-best is marked at once, and Enter picks it; without one nothing is marked until an arrow key
// or Enter asks for it. Enter waits for suggestions that are on their way. Tab leaves what was typed as it is. In a
// field with data-free, Enter sends what was typed unless an arrow key has marked an option.

const wait = 90; // ms after the last key: less than a second letter takes, more than a repeated one

const pause = 250; // ms that somebody has to pause before others are asked who take longer to answer

const none = '<li class="none" role="option" aria-disabled="true">No suggestions just now. Typing by hand works.</li>';

const syllables = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

export function combobox(root) {
  for (const input of root.querySelectorAll("input[data-suggest]")) enhance(input);
}

function enhance(input) {
  const box = input.closest(".combo");
  if (!box || box.dataset.ready) return;
  box.dataset.ready = "yes";

  const list = document.createElement("ul");
  list.className = "options";
  list.role = "listbox";
  list.id = input.id + "-options";
  list.hidden = true;
  list.setAttribute("aria-label", "Suggestions");
  const said = document.createElement("div");
  said.className = "unseen";
  said.role = "status";
  box.append(list, said);

  input.role = "combobox";
  input.autocomplete = "off";
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");

  let timer = 0;
  let joined = 0; // options that came later
  let entering = ""; // what Enter, which is still down, has done: it must not send the form as well
  let coming = false; // suggestions are on their way
  let owed = false; // Enter was pressed meanwhile
  let asking = null;

  const options = () => [...list.querySelectorAll('[role="option"]:not([aria-disabled])')];
  const chosen = () => list.querySelector('[aria-selected="true"]');

  function open(yes) {
    list.hidden = !yes;
    input.setAttribute("aria-expanded", String(yes));
    if (!yes) {
      coming = owed = false;
      // An answer that is still on its way must not open it again.
      clearTimeout(timer);
      asking?.abort();
      list.querySelector("[data-later]")?.remove();
      input.removeAttribute("aria-activedescendant");
      chosen()?.removeAttribute("aria-selected");
    }
  }

  function select(option) {
    chosen()?.removeAttribute("aria-selected");
    if (!option) return input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option.id);
  }

  // named is the first field of a name in the same row as the input, or else in the form.
  const named = (name) => input.closest("[data-leg]")?.querySelector(`[name="${name}"]`) ??
    input.form?.querySelector(`[name="${name}"]`);

  function pick(option) {
    if (option?.dataset.go) return location.assign(option.dataset.go);
    if (!option) return open(false);
    if (option.dataset.value) {
      input.value = option.dataset.value;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
    for (const [name, value] of Object.entries(JSON.parse(option.dataset.fill ?? "{}"))) {
      const field = named(name);
      if (!field) continue;
      field.value = value;
      if (field !== input) field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    open(false);
    input.dispatchEvent(new CustomEvent("picked", { bubbles: true, detail: option.dataset }));
  }

  // done says that the next field may have the focus.
  const done = () => input.dispatchEvent(new CustomEvent("done", { bubbles: true }));

  async function ask() {
    asking?.abort();
    const typed = input.value.trim();
    // One letter is enough where a letter is a syllable, or a whole surname: 王, 김.
    const least = syllables.test(typed) ? 1 : Number(input.dataset.least ?? 2);
    if (typed.length < least) return open(false);
    asking = new AbortController();
    const mine = asking;
    const beside = input.dataset.with;
    const url = input.dataset.suggest + encodeURIComponent(typed) +
      (beside ? `&${beside}=${encodeURIComponent(named(beside)?.value ?? "")}` : "");
    try {
      const answer = await fetch(url, { signal: mine.signal });
      // The reader was signed out meanwhile. Leaving the page would lose what is typed in it.
      if (answer.redirected) {
        throw new Error("You are signed out. Sign in again in another tab, then continue here: what you typed stays.");
      }
      if (!answer.ok) throw new Error(answer.statusText);
      const html = await answer.text();
      if (mine !== asking) return;
      list.innerHTML = html;
    } catch (error) {
      if (error.name === "AbortError") return;
      list.innerHTML = none;
      if (error.message.includes("signed out")) list.firstChild.textContent = error.message;
    }
    say();
    coming = false;
    open(document.activeElement === input && list.children.length > 0);
    if (list.hidden) return;
    select(list.querySelector("[data-best]"));
    if (owed) enter();
    const more = list.querySelector("[data-later]");
    if (more) timer = setTimeout(() => join(more, url, mine), pause);
  }

  // enter picks the marked option, or marks the first of several, so that nothing is picked unseen.
  function enter() {
    const late = owed && !entering; // the key is up again
    const all = options();
    const option = chosen() ?? (all.length === 1 ? all[0] : null);
    owed = false;
    if (!all.length) return;
    if (option) pick(option);
    else select(all[0]);
    entering = option ? "picked" : "marked";
    if (!late) return;
    entering = "";
    if (option) done();
  }

  function say() {
    const n = options().length;
    said.textContent = n === 0 ? list.textContent : n === 1 ? "1 suggestion" : `${n} suggestions`;
  }

  // join adds the options that take longer. Those that are in the list already keep
  // their place, with what is known of them now.
  async function join(place, url, mine) {
    const fresh = document.createElement("template");
    try {
      const answer = await fetch(`${url}&${place.dataset.later}=yes`, { signal: mine.signal });
      if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
      fresh.innerHTML = await answer.text();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!options().length) fresh.innerHTML = none;
    }
    if (mine !== asking || !place.isConnected) return;
    place.remove();
    // Several fit now: none of them is the one that is meant.
    if (chosen()?.dataset.best !== undefined && !fresh.content.querySelector("[data-best]")) select(null);
    const known = new Map(options().map((option) => [option.dataset.key, option]));
    for (const option of [...fresh.content.children]) {
      const old = known.get(option.dataset.key);
      if (old && option.dataset.key) {
        Object.assign(old.dataset, option.dataset);
        old.replaceChildren(...option.childNodes);
      } else {
        option.id &&= `${list.id}-joined-${joined++}`;
        list.append(option);
      }
    }
    say();
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, wait);
    coming = true;
    owed = false;
    input.dispatchEvent(new CustomEvent("typed", { bubbles: true }));
  });

  input.addEventListener("keydown", (event) => {
    const all = options();
    const at = all.indexOf(chosen());
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) {
        if (all.length) open(true);
        else return ask();
      }
      if (event.key === "ArrowDown") select(all[(at + 1) % all.length]);
      else select(all.at(at < 0 ? -1 : at - 1));
    } else if (event.key === "Enter" && (coming || (!list.hidden && all.length))) {
      if (at < 0 && input.dataset.free !== undefined) return;
      event.preventDefault();
      if (!coming) return enter();
      owed = true;
      entering = "waiting";
    } else if (event.key === "Tab" && !list.hidden && all.length === 1 && all[0].dataset.value) {
      pick(all[0]); // a date that can mean only one day is shown as it was understood
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      event.stopPropagation();
      open(false);
    }
  });

  input.addEventListener("keypress", (event) => {
    if (entering) event.preventDefault();
  });

  input.addEventListener("keyup", (event) => {
    if (!entering || event.key !== "Enter") return;
    const picked = entering === "picked";
    entering = "";
    if (picked) done();
  });

  input.addEventListener("blur", () => {
    entering = "";
    open(false);
  });

  // pointerdown comes before blur; click would come too late.
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    const option = event.target.closest('[role="option"]:not([aria-disabled])');
    if (!option) return;
    pick(option);
    done();
  });
}
