import { hasPeriods, periodText } from "../view/times.ts";
import { tipOf } from "./tip.js";

/** Formats values. It is created on first use, because that takes long. */
let number;

/** Shows values at the pointer, and for the arrow keys if a chart has the focus. */
export function startCharts() {
  for (const figure of document.querySelectorAll("figure.chart")) startChart(figure);
}

function startChart(figure) {
  const svg = figure.querySelector("svg");
  const { unit: ofAll, scale, step } = figure.dataset;
  const from = Number(figure.dataset.from);
  const span = Number(figure.dataset.to) - from;
  const lines = [...svg.querySelectorAll("g[data-at]")].map((group) => ({
    label: group.dataset.label,
    partial: (group.dataset.partial ?? "").split(" ").map(Number),
    unit: group.dataset.unit ?? ofAll,
    at: group.dataset.at.split(" ").map(Number),
    values: group.dataset.value.split(" ").map(Number),
  }));
  const instants = [...new Set(lines.flatMap(({ at }) => at))].sort((a, b) => a - b);
  if (instants.length === 0) return;
  const tip = tipOf(figure);
  const cursor = document.createElementNS(svg.namespaceURI, "line");
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y2", "100%");
  cursor.setAttribute("visibility", "hidden");
  svg.prepend(cursor);
  let chosen = instants.length - 1;

  const show = (index) => {
    chosen = Math.max(0, Math.min(instants.length - 1, index));
    const at = instants[chosen];
    number ??= new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
    const part = (at - from) / span;
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, `${part * 100}%`);
    cursor.setAttribute("visibility", "visible");
    const reported = lines.flatMap(({ label, partial, unit, at: own, values }) => {
      const place = own.indexOf(at);
      if (place < 0) return [];
      const amount = `${number.format(values[place] * scale).replace("-", "−")}${unit === "" ? "" : ` ${unit}`}`;
      return [`${label}: ${amount}${partial.includes(at) ? " (incomplete)" : ""}`];
    });
    const when = `${periodText(at, step)}${hasPeriods(step) || at % 86_400_000 === 0 ? "" : " UTC"}`;
    const box = svg.getBoundingClientRect();
    tip.show([when, ...reported].join("\n"), box.left + part * box.width, box.top);
  };
  const hide = () => {
    tip.hide();
    cursor.setAttribute("visibility", "hidden");
  };
  figure.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    show(nearest(instants, from + ((event.clientX - box.left) / box.width) * span));
  });
  figure.addEventListener("pointerleave", hide);
  figure.tabIndex = 0;
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", `${svg.getAttribute("aria-label")}. Arrow keys read the values.`);
  figure.addEventListener("blur", hide);
  figure.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -instants.length, End: instants.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(chosen + step);
  });
}

function nearest(instants, at) {
  let best = 0;
  for (let index = 1; index < instants.length; index += 1)
    if (Math.abs(instants[index] - at) < Math.abs(instants[best] - at)) best = index;
  return best;
}
