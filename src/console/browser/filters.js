/** A field that narrows the rows of a table as one types, and forms whose answers have short addresses. Without the script its form does the same. */
export function startFilters() {
  for (const input of document.querySelectorAll("input[data-filters]")) {
    const rows = [...document.querySelectorAll(`#${input.dataset.filters} tbody tr`)];
    const count = document.getElementById(`${input.dataset.filters}-count`);
    const filter = () => {
      const wanted = input.value.trim().toLowerCase();
      let shown = 0;
      for (const row of rows) {
        const text = row.dataset.words ?? row.textContent.toLowerCase();
        row.hidden = wanted !== "" && !text.includes(wanted);
        if (!row.hidden) shown += 1;
      }
      if (count) count.textContent = `${shown} found`;
    };
    input.addEventListener("input", filter);
  }
  // What was not filled in is no part of a view's address.
  document.addEventListener("formdata", (event) => {
    if (event.target.method !== "get") return;
    for (const name of new Set(event.formData.keys()))
      if (event.formData.getAll(name).every((value) => value === "")) event.formData.delete(name);
  });
}
