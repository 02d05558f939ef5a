/** Creates a tooltip of a figure. Its role lets screen readers announce it. */
export function tipOf(figure) {
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("role", "status");
  document.body.append(tip);
  const hide = () => {
    tip.hidden = true;
  };
  figure.addEventListener("pointerleave", hide);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  return {
    hide,
    show(text, x, y) {
      if (tip.textContent !== text) tip.textContent = text;
      tip.hidden = false;
      const { width, height } = tip.getBoundingClientRect();
      const left = Math.min(x + 14, document.documentElement.clientWidth - width - 8);
      const top = y - height - 12 < 0 ? y + 18 : y - height - 12;
      tip.style.left = `${Math.max(4, left) + scrollX}px`;
      tip.style.top = `${top + scrollY}px`;
    },
  };
}
