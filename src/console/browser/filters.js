import { plainName } from "../../reference/countries/country-names.ts";

/** The text is kept in the URL, in the links of the table, and in forms. Without the script, the form filters. */
export function startFilters() {
  for (const input of document.querySelectorAll("input[data-filters]")) {
    const { filters: id } = input.dataset;
    const rows = [...document.querySelectorAll(`#${id} tbody tr`)];
    const count = document.getElementById(`${id}-count`);
    const none = document.getElementById(`${id}-none`);
    const keep = (address) => {
      const own = new URL(address);
      if (input.value.trim() === "") own.searchParams.delete(input.name);
      else own.searchParams.set(input.name, input.value.trim());
      return own.href;
    };
    const filter = () => {
      const wanted = plainName(input.value);
      const isNone = wanted === "" && input.value.trim() !== "";
      let shown = 0;
      for (const row of rows) {
        row.hidden = isNone || !(row.dataset.words ?? plainName(row.textContent)).includes(wanted);
        if (!row.hidden) shown += 1;
      }
      if (count) count.textContent = `${shown} found`;
      if (none) none.hidden = shown > 0;
      // If the form leads to another page, this page has no filtered view.
      if (new URL(input.form.action).pathname !== location.pathname) return;
      history.replaceState(history.state, "", keep(location.href));
      for (const link of document.querySelectorAll(`#${id} thead a`)) link.href = keep(link.href);
    };
    input.addEventListener("input", filter);
  }
  // Empty fields are left out of a view's URL.
  document.addEventListener("formdata", (event) => {
    if (event.target.method !== "get") return;
    for (const name of new Set(event.formData.keys()))
      if (event.formData.getAll(name).every((value) => value === "")) event.formData.delete(name);
  });
}
