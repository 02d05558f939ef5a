/** A button that copies the request beside which it stands. */
export function startCopying() {
  if (!navigator.clipboard) return;
  for (const pre of document.querySelectorAll(".provenance pre, pre.request")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pre.textContent);
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2_000);
    });
    pre.after(button);
  }
}
