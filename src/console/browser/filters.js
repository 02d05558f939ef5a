/** A field that narrows the rows of a table as one types. Without the script its form does the same. */
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
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches?.("input, textarea, select");
    if (event.key !== "/" || isTyping || document.querySelector(".side")) return;
    event.preventDefault();
    document.getElementById("find")?.focus();
  });
}
