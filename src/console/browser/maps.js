// Adds zoom, details and a slider of days to the maps of a page. All data is in the page.
import { pointer, select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { marksOf, pointsFrom, radiusOf, tipText, within } from "../map/marks.ts";
import { startMapForm } from "./map-form.js";
import { createPopup } from "./map-popup.js";
import { tipOf } from "./tip.js";

const maxZoom = 16;
/** Minimum and maximum size of a square, in pixels of the screen, within which all points become one mark. */
const [minCell, maxCell] = [6, 12];
/** Distance in pixels at which a finger still hits a mark. */
const fingerReach = 12;
const zoomMs = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 250;
const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class DataMap {
  #figure;
  #svg;
  #view;
  #tip;
  #popup;
  #layers;
  #links;
  #zoom;
  #scale = 1;
  #cell = maxCell;
  #drawnScale = 1;
  #days = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  /** Marks with what they show. */
  #marks = new Map();
  /** Radius of each circle in pixels of the screen. */
  #radii = new Map();
  /** Covers neighbors and marks, which would otherwise hide the outline of the country that has the focus. */
  #ring = document.createElementNS("http://www.w3.org/2000/svg", "path");

  constructor(figure) {
    this.#figure = figure;
    this.#svg = figure.querySelector("svg.world");
    this.#view = figure.querySelector(".view");
    this.#tip = tipOf(figure);
    this.#popup = createPopup(figure);
    this.#links = [...this.#view.querySelectorAll("a")];
    this.#ring.setAttribute("class", "ring");
    this.#layers = [...this.#view.querySelectorAll(".points")].map((group) => {
      group.removeAttribute("aria-hidden");
      const { points, labels } = group.dataset;
      return { group, points: pointsFrom(JSON.parse(points), JSON.parse(labels)) };
    });
    this.#startZoom();
    this.#listen();
    startMapForm(figure, (days) => {
      this.#days = days;
      this.#draw();
    });
    new ResizeObserver(() => this.#draw()).observe(this.#svg);
  }

  #startZoom() {
    const { width, height } = this.#svg.viewBox.baseVal;
    this.#zoom = zoom()
      .scaleExtent([1, maxZoom])
      .translateExtent([
        [0, 0],
        [width, height],
      ])
      .duration(zoomMs)
      .filter((event) => this.#isForMap(event))
      .on("start", () => this.#popup.hide())
      .on("zoom", ({ transform }) => this.#show(transform))
      .on("end", () => this.#scale !== this.#drawnScale && this.#draw());
    select(this.#svg).call(this.#zoom);
    const bar = this.#figure.querySelector(".zoom");
    bar.hidden = false;
    bar.addEventListener("click", ({ target }) => this.#zoomBy(target.closest("button")?.value));
    this.#show(zoomIdentity);
  }

  /** Without a modifier, the wheel scrolls the page. So does one finger while the whole map is visible. */
  #isForMap({ type, ctrlKey, metaKey, button, touches }) {
    if (type === "wheel") return ctrlKey || metaKey;
    return touches?.length === 1 ? this.#scale > 1 : !ctrlKey && !button;
  }

  #zoomBy(step) {
    if (!step) return;
    const target = zoomMs === 0 ? select(this.#svg) : select(this.#svg).transition().duration(zoomMs);
    if (step === "whole") this.#zoom.transform(target, zoomIdentity);
    else this.#zoom.scaleBy(target, step === "in" ? 2 : 0.5);
  }

  #show(transform) {
    this.#scale = transform.k;
    this.#view.setAttribute("transform", transform);
    this.#svg.classList.toggle("near", transform.k > 1);
    this.#svg.querySelector("pattern").setAttribute("patternTransform", `scale(${1 / transform.k})`);
    const [zoomIn, zoomOut, whole] = this.#figure.querySelectorAll(".zoom button");
    zoomIn.ariaDisabled = transform.k >= maxZoom;
    for (const button of [zoomOut, whole]) button.ariaDisabled = transform.k <= 1;
    this.#resize();
  }

  /** Returns the length of a pixel of the screen on the map. */
  #pixel() {
    const { width, height } = this.#svg.viewBox.baseVal;
    const box = this.#svg.getBoundingClientRect();
    return Math.max(width / box.width, height / box.height) / this.#scale;
  }

  #resize() {
    const pixel = this.#pixel();
    this.#svg.style.setProperty("--pixel", pixel);
    for (const [circle, radius] of this.#radii) circle.setAttribute("r", radius * pixel);
  }

  #draw() {
    const pixel = this.#pixel();
    if (!Number.isFinite(pixel)) return;
    // A small screen has small marks, which grow while the user zooms in.
    const width = this.#svg.viewBox.baseVal.width / pixel / Math.sqrt(this.#scale);
    this.#cell = Math.max(minCell, Math.min(maxCell, width / 100));
    const focused = this.#marks.get(document.activeElement)?.mark;
    this.#drawnScale = this.#scale;
    this.#marks.clear();
    this.#radii.clear();
    for (const link of this.#links) {
      const circle = link.querySelector("circle");
      if (circle) this.#radii.set(circle, link.hasAttribute("aria-current") ? 9 : 7);
    }
    for (const layer of this.#layers) {
      const marks = marksOf(within(layer.points, ...this.#days), this.#cell * pixel);
      layer.group.replaceChildren(...marks.map((mark) => this.#circleOf(mark, layer)));
    }
    this.#resize();
    if (focused)
      nearest([...this.#marks], ([, { mark }]) => Math.hypot(mark.x - focused.x, mark.y - focused.y))?.[0].focus();
    this.#setStop(this.#links[0] ?? this.#shownMarks()[0]);
  }

  #circleOf(mark, { group }) {
    const circle = document.createElementNS(this.#svg.namespaceURI, "circle");
    const text = tipText(mark, group.dataset.title);
    const attributes = {
      cx: mark.x,
      cy: mark.y,
      role: "button",
      tabindex: -1,
      "aria-label": text.replaceAll("\n", ", "),
    };
    for (const [name, value] of Object.entries(attributes)) circle.setAttribute(name, value);
    circle.dataset.tip = text;
    this.#marks.set(circle, { mark, group });
    this.#radii.set(circle, radiusOf(mark.weight, this.#cell));
    return circle;
  }

  #shownMarks() {
    const hidden = new Set(
      this.#layers.map(({ group }) => group).filter((group) => getComputedStyle(group).display === "none"),
    );
    return [...this.#marks].flatMap(([circle, { group }]) => (hidden.has(group) ? [] : [circle]));
  }

  /** The map is one stop for the Tab key. Other keys continue from there. */
  #setStop(stop) {
    for (const other of this.#svg.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    stop?.setAttribute("tabindex", "0");
  }

  #listen() {
    const svg = this.#svg;
    this.#figure.addEventListener("pointermove", ({ target, clientX, clientY }) =>
      this.#name(target, clientX, clientY),
    );
    svg.addEventListener("click", (event) => this.#choose(event));
    svg.addEventListener("focusin", ({ target }) => {
      this.#setStop(target);
      const outline = target.querySelector("path")?.getAttribute("d");
      this.#ring.setAttribute("d", outline ?? "");
      if (outline && target.matches(":focus-visible")) this.#view.append(this.#ring);
      if (target.matches(":focus-visible")) this.#reveal(target);
      this.#name(target, ...middleOf(target));
    });
    svg.addEventListener("focusout", () => {
      this.#tip.hide();
      this.#ring.remove();
    });
    this.#figure.querySelector(".stage").addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.#press(event)) return;
      event.preventDefault();
    });
  }

  /** Does what the key means. Returns false if it means nothing on a map. */
  #press({ key, target }) {
    const step = { "+": "in", "=": "in", "-": "out", 0: "whole" }[key];
    if (step) this.#zoomBy(step);
    const isMark = this.#marks.has(target);
    if (key === "Enter" && isMark) this.#open(target);
    const first = { PageDown: this.#shownMarks()[0], PageUp: this.#links[0] }[key];
    first?.focus();
    const direction = svgOf(target) === this.#svg && directions[key];
    if (direction) nextOf(isMark ? this.#shownMarks() : this.#links, target, direction)?.focus();
    return Boolean(step || first || direction || (key === "Enter" && isMark));
  }

  #reveal(target) {
    const { left, top, right, bottom } = this.#svg.getBoundingClientRect();
    const [x, y] = middleOf(target);
    if (x > left && x < right && y > top && y < bottom) return;
    const box = target.getBBox();
    this.#zoom.translateTo(select(this.#svg), box.x + box.width / 2, box.y + box.height / 2);
  }

  #name(target, x, y) {
    const named = target.closest?.("[data-tip]");
    if (named && !this.#popup.isOpen()) this.#tip.show(named.dataset.tip, x, y);
    else this.#tip.hide();
  }

  /** Opens what was clicked. The Enter key and clicks with a modifier follow links as usual. */
  #choose(event) {
    if (event.detail === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const chosen = this.#markAt(event) ?? event.target.closest("a");
    if (!chosen) return;
    event.preventDefault();
    this.#open(chosen, [event.clientX, event.clientY]);
  }

  #markAt(event) {
    if (this.#marks.has(event.target)) return event.target;
    if (event.pointerType !== "touch") return undefined;
    const [x, y] = pointer(event, this.#view);
    const reach = fingerReach * this.#pixel();
    const away = (circle) => {
      const { mark } = this.#marks.get(circle);
      return Math.hypot(mark.x - x, mark.y - y) - Number(circle.getAttribute("r"));
    };
    const circle = nearest(this.#shownMarks(), away);
    return circle && away(circle) < reach ? circle : undefined;
  }

  #open(chosen, at = middleOf(chosen)) {
    this.#tip.hide();
    const { mark, group } = this.#marks.get(chosen) ?? {};
    if (mark) this.#popup.showMark(mark, group.dataset, at);
    else this.#popup.showLink(chosen, at);
  }
}

function svgOf(element) {
  return element.ownerSVGElement;
}

function middleOf(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

function nearest(all, distanceOf) {
  let best;
  let least = Number.POSITIVE_INFINITY;
  for (const each of all) {
    const distance = distanceOf(each);
    if (distance >= least) continue;
    [best, least] = [each, distance];
  }
  return best;
}

/** Returns the nearest element in a direction. An element to the side counts as farther. */
function nextOf(elements, from, [dx, dy]) {
  const [x, y] = middleOf(from);
  return nearest(elements, (each) => {
    const [ownX, ownY] = middleOf(each);
    const ahead = (ownX - x) * dx + (ownY - y) * dy;
    const aside = Math.abs((ownX - x) * dy) + Math.abs((ownY - y) * dx);
    return each === from || ahead <= 1 ? Number.POSITIVE_INFINITY : ahead + 2 * aside;
  });
}

for (const figure of document.querySelectorAll("figure.map")) new DataMap(figure);
