const minLetters = 2;
/** Time without typing after which suggestions are requested. */
const waitMs = 200;

/** Suggests pages for the text in a field of the search. Without the script, the form searches. */
export function startSuggestions() {
  for (const input of document.querySelectorAll('form[action="/search"] input[name="q"]')) suggestFor(input);
}

function suggestFor(input) {
  const list = document.createElement("ul");
  Object.assign(list, { id: `${input.id}-list`, className: "suggestions", role: "listbox", ariaLabel: "Suggestions" });
  Object.assign(input, { role: "combobox", autocomplete: "off", ariaAutoComplete: "list" });
  input.setAttribute("aria-controls", list.id);
  input.after(list);
  let request = new AbortController();
  let chosen;
  const choose = (option) => {
    chosen?.setAttribute("aria-selected", "false");
    chosen = option;
    chosen?.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", chosen?.id ?? "");
  };
  const show = (found) => {
    list.replaceChildren(...found.map((one, place) => optionOf(one, `${list.id}-${place}`)));
    input.ariaExpanded = String(found.length > 0);
    choose();
  };
  const close = () => {
    request.abort();
    show([]);
  };
  const open = ({ dataset: { path } }) => {
    close();
    location.assign(path);
  };
  show([]);
  input.addEventListener("input", async () => {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const found = await suggestionsFor(input.value.trim(), signal).catch(() => []);
    if (!signal.aborted) show(found);
  });
  input.addEventListener("keydown", (event) => {
    if (!list.firstElementChild || event.isComposing) return;
    if (event.key === "ArrowDown") choose(chosen ? chosen.nextElementSibling : list.firstElementChild);
    else if (event.key === "ArrowUp") choose(chosen ? chosen.previousElementSibling : list.lastElementChild);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && chosen) open(chosen);
    else return;
    event.preventDefault();
  });
  input.addEventListener("blur", close);
  // A press on the list leaves the focus in the field.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", ({ target }) => target !== list && open(target.closest("li")));
}

async function suggestionsFor(q, signal) {
  if (q.length < minLetters) return [];
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const response = await fetch(`/search?${new URLSearchParams({ q, format: "json" })}`, { signal });
  return response.ok ? response.json() : [];
}

function optionOf({ path, name, kind }, id) {
  const option = Object.assign(document.createElement("li"), { id, role: "option", ariaSelected: "false" });
  option.dataset.path = path;
  option.append(name, " ", Object.assign(document.createElement("span"), { className: "soft", textContent: kind }));
  return option;
}
