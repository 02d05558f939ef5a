// Adds optional functions to a page of the reference: a filter of operations, copying, and trying. All requests go to this host only.
const search = document.querySelector(".side #docs-search");

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const section of document.querySelectorAll(".side section")) {
    const subject = section.querySelector("h2").textContent;
    let shown = 0;
    for (const link of section.querySelectorAll("a")) {
      const text = `${subject} ${link.textContent} ${link.dataset.words}`.toLowerCase();
      const isFound = words.every((word) => text.includes(word));
      link.parentElement.hidden = !isFound;
      if (isFound) shown += 1;
    }
    section.hidden = shown === 0;
    count += shown;
  }
  document.getElementById("found").textContent = words.length === 0 ? "" : `${count} found`;
}

search?.addEventListener("input", filter);
search?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  search.value = "";
  filter();
});

// Scrolls the sidebar to the current operation, without moving the page.
const current = document.querySelector(".side section [aria-current]");
const side = document.querySelector(".side");
if (current && side.scrollHeight > side.clientHeight)
  side.scrollTop = current.getBoundingClientRect().top - side.getBoundingClientRect().top - side.clientHeight / 3;

/** The chosen language also applies to the next page. */
const choices = [...document.querySelectorAll("input[name=language]")];
const remembered = localStorage.getItem("language");
for (const choice of choices) {
  if (choice.value === remembered) choice.checked = true;
  choice.addEventListener("change", () => localStorage.setItem("language", choice.value));
}

function addCopyButton(figure) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  const label = figure.querySelector("figcaption").textContent;
  button.setAttribute("aria-label", `Copy ${label}`);
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(figure.querySelector("pre").textContent);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  figure.append(button);
}

// Only a page from https or from this machine may write to the clipboard.
if (navigator.clipboard) for (const figure of document.querySelectorAll("figure.code")) addCopyButton(figure);

const shownHeaders = [
  "X-Data-Origin",
  "X-Data-Stale",
  "X-Data-Age",
  "X-RateLimit-Remaining",
  "Retry-After",
  "Location",
];
const longest = 100_000;

function valuesOf(input) {
  const value = input.value.trim();
  if (value === "") return [];
  return input.dataset.type === "list" ? value.split(/\s*,\s*/) : [value];
}

function requestOf(form) {
  const query = new URLSearchParams();
  // A field may have the name of a form property. Attributes are not affected.
  let path = form.getAttribute("data-path");
  const headers = {};
  for (const input of form.querySelectorAll("[data-in]"))
    for (const value of valuesOf(input))
      if (input.dataset.in === "key") headers["X-Service-Key"] = value;
      else if (input.dataset.in === "path") path = path.replace(`{${input.name}}`, encodeURIComponent(value));
      else query.append(input.name, value);
  const body = form.querySelector("#try-body")?.value;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const address = query.size > 0 ? `${path}?${query}` : path;
  return { address, options: { method: form.getAttribute("data-verb"), headers, body, credentials: "omit" } };
}

/** Shows the values of the form in the samples. The page has the samples for the query of its own URL. */
async function showSamples(form) {
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll("[data-in=path], [data-in=query]"))
    for (const value of valuesOf(input)) query.append(input.name, value);
  const address = `${location.pathname}?${query.size > 0 ? query : "try"}`;
  const response = await fetch(address, { credentials: "omit" });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  history.replaceState(history.state, "", address);
  const shown = document.querySelectorAll(".samples .choices code");
  for (const [index, code] of page.querySelectorAll(".samples .choices code").entries())
    shown[index].textContent = code.textContent;
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Returns the first list of objects in a JSON text as a table; undefined if there is none. */
function tableOf(text) {
  let members;
  try {
    members = Object.entries(JSON.parse(text));
  } catch {
    return undefined;
  }
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const [name, rows] = members.find(([, value]) => Array.isArray(value) && value.some(isObject)) ?? [];
  if (name === undefined) return undefined;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (tag, cells) => {
    const row = document.createElement("tr");
    row.append(...cells.map((cell) => element(tag, "", cell)));
    return row;
  };
  const shown = (value) => (value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : value);
  const table = document.createElement("table");
  table.append(
    line("th", columns),
    ...rows.map((row) =>
      line(
        "td",
        columns.map((column) => shown(row[column])),
      ),
    ),
  );
  const scrolled = element("div", "wide", "");
  scrolled.tabIndex = 0;
  scrolled.append(table);
  const fold = document.createElement("details");
  fold.append(element("summary", "", `${name} as a table, ${rows.length} rows`), scrolled);
  return fold;
}

/** Returns a link to a response that cannot be shown, such as a workbook. */
function downloadOf(file, disposition) {
  const link = element("a", "", `Save the file (${file.size.toLocaleString("en")} bytes)`);
  link.href = URL.createObjectURL(file);
  link.download = /filename="([^"]+)"/.exec(disposition ?? "")?.[1] ?? "response";
  return link;
}

async function send(form) {
  const result = form.querySelector(".result");
  const { address, options } = requestOf(form);
  result.replaceChildren(element("p", "asked", `${options.method} ${address}`));
  const began = performance.now();
  try {
    const response = await fetch(address, options);
    const isText = /^text\/|json|[+/]xml/.test(response.headers.get("Content-Type") ?? "text/plain");
    const file = isText ? undefined : await response.blob();
    const text = isText ? await response.text() : "";
    const took = Math.round(performance.now() - began);
    const reported = shownHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [`${name}: ${value}`];
    });
    const status = element("p", response.ok ? "good" : "bad", `${response.status} ${response.statusText}`);
    status.append(element("span", "took", ` in ${took} ms`));
    result.append(status);
    if (reported.length > 0) result.append(element("p", "facts", reported.join(" · ")));
    if (file) result.append(downloadOf(file, response.headers.get("Content-Disposition")));
    const shown = pretty(text);
    const body = element("pre", "", shown.length > longest ? `${shown.slice(0, longest)}\n… (cut)` : shown);
    body.tabIndex = 0;
    const table = tableOf(text);
    if (table) result.append(table);
    if (text !== "") result.append(body);
  } catch (error) {
    result.append(element("p", "bad", `No response: ${error.message}`));
  }
}

for (const form of document.querySelectorAll("form.trial")) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
  form.addEventListener("change", ({ target }) => {
    if (target.dataset.in === "path" || target.dataset.in === "query") void showSamples(form);
  });
}
