export function startCopying() {
  if (!navigator.clipboard) return;
  for (const shown of document.querySelectorAll(".provenance pre, pre.request, code.secret")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(shown.textContent);
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2_000);
    });
    shown.after(" ", button);
  }
}
