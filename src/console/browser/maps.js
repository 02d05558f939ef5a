import { tipOf } from "./tip.js";

/** Shows the item at the pointer. Keeps the layers in the URL, so that a view can be shared. */
export function startMaps() {
  for (const map of document.querySelectorAll("figure.map")) startMap(map);
}

function startMap(map) {
  const tip = tipOf(map);
  // Browsers would show a title in addition to the tooltip.
  for (const title of map.querySelectorAll("svg title")) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  const show = (target, x, y) => {
    const named = target.closest("[data-tip]");
    if (named) tip.show(named.dataset.tip, x, y);
    else tip.hide();
  };
  map.addEventListener("pointermove", (event) => show(event.target, event.clientX, event.clientY));
  const countries = [...map.querySelectorAll("a")];
  // The map is one stop for the Tab key. The arrow keys continue from there.
  countries[0]?.setAttribute("tabindex", "0");
  // The ring is above the neighbors and marks, which would otherwise cover the outline of the country.
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "path");
  ring.setAttribute("class", "ring");
  for (const link of countries) {
    link.addEventListener("focus", () => {
      ring.setAttribute("d", link.querySelector("path").getAttribute("d"));
      if (link.matches(":focus-visible")) link.ownerSVGElement.append(ring);
      for (const other of countries) other.setAttribute("tabindex", other === link ? "0" : "-1");
      const box = link.getBoundingClientRect();
      show(link, box.left + box.width / 2, box.top + box.height / 2);
    });
    link.addEventListener("blur", () => {
      tip.hide();
      ring.remove();
    });
  }
  map.addEventListener("keydown", (event) => {
    const direction = directions[event.key];
    const from = event.target.closest("a");
    if (!direction || !from) return;
    event.preventDefault();
    nextOf(countries, from, direction)?.focus();
  });
  const form = map.closest(".map-block")?.querySelector("form.layer-form");
  form?.addEventListener("change", (event) => {
    if (event.target.matches("input[type=checkbox]")) rememberLayers(form);
    else form.requestSubmit();
  });
  form?.addEventListener("formdata", ({ formData }) => {
    formData.delete("layer");
    for (const layer of chosenLayers(form)) formData.append("layer", layer);
  });
  // If the user goes back, the page has the choice of its own URL again.
  addEventListener("pageshow", () => {
    for (const option of form?.querySelectorAll("option") ?? []) option.selected = option.defaultSelected;
  });
  const button = form?.querySelector("button");
  if (button) button.hidden = true;
}

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Returns the nearest country in a direction. A country to the side counts as farther. */
function nextOf(countries, from, [dx, dy]) {
  const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(from);
  let best;
  let least = Number.POSITIVE_INFINITY;
  for (const each of countries) {
    const [ownX, ownY] = middle(each);
    const ahead = (ownX - x) * dx + (ownY - y) * dy;
    const aside = Math.abs((ownX - x) * dy) + Math.abs((ownY - y) * dx);
    if (each === from || ahead <= 1 || ahead + 2 * aside >= least) continue;
    least = ahead + 2 * aside;
    best = each;
  }
  return best;
}

function chosenLayers(form) {
  const layers = [...form.querySelectorAll("input[name=layer]")];
  const chosen = layers.filter(({ checked }) => checked);
  return (chosen.length > 0 ? chosen : layers.slice(0, 1)).map(({ value }) => value);
}

function rememberLayers(form) {
  const withLayers = (address) => {
    const own = new URL(address);
    own.searchParams.delete("layer");
    for (const layer of chosenLayers(form)) own.searchParams.append("layer", layer);
    return own.href;
  };
  history.replaceState(history.state, "", withLayers(location.href));
  for (const link of document.querySelectorAll('.provenance a[href*="embed=1"], .credit a'))
    link.href = withLayers(link.href);
}
