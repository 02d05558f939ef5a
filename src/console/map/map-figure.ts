import { setImmediate as nextTurn } from "node:timers/promises";
import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import { getOption } from "../../contract/option.ts";
import { readRequestTime } from "../../contract/request/request-time.ts";
import { isZoomed } from "../../contract/widest-request.ts";
import { invalidField } from "../../errors.ts";
import { mapScript } from "../../pages/frame/site-assets.ts";
import { type Html, html } from "../../pages/html.ts";
import { isoDay } from "../../reference/calendar.ts";
import { countries } from "../../reference/countries/countries.ts";
import { dayMs } from "../../reference/duration.ts";
import type { PageContext } from "../page-context.ts";
import { hiddenInputs } from "../view/form-field.ts";
import { countText, type DrawnLayer, type LayerView, layerTables } from "./layers.ts";
import { circles, columnsOf, compacted, marksOf, type PlacedPoint, placedBy, within } from "./marks.ts";
import type { Ground } from "./outlines.ts";
import type { Shading } from "./world-map.ts";

/** A place that has a page of its own, to which the map links. */
export interface Pin {
  readonly latitude: number;
  readonly longitude: number;
  readonly text: string;
  readonly path: string;
  /** Class that determines the color of the place. */
  readonly step: string | undefined;
  readonly isHere?: boolean;
}

interface MapParts {
  readonly ground: Ground;
  readonly label: string;
  readonly layers?: readonly LayerView[];
  /** Number of layers that are visible if the URL names none. */
  readonly shownLayers?: number;
  readonly pins?: readonly Pin[];
  readonly scale?: Html;
  /** Controls in the form of the map, such as the choice of colors. */
  readonly controls?: Html;
  /** Names of the parameters that the controls send. */
  readonly controlled?: readonly string[];
  /** Tables below the map, in addition to those of its layers. */
  readonly tables?: Html;
}

/** Parameters of every page with a map. */
export const mapParameters = ["layer", "since", "until"];

/** The form always sends this value, so that a choice without layers differs from no choice. */
const noLayer = "none";

/** Draws a map layer by layer, so that other requests can run in between. */
export async function mapMarkup(parts: MapParts, page: PageContext): Promise<Html> {
  const { ground, layers = [], tables } = parts;
  const [since = Number.NaN, until = Number.NaN] = ["since", "until"].map((name) => dayIn(page.query, name));
  if (since > until) throw invalidField("until", "value must not be before since");
  const drawn: DrawnLayer[] = [];
  const groups: Html[] = [];
  for (const [index, view] of layers.entries()) {
    const placed = placedBy(ground.project, view.points);
    const chosen = within(placed, since || Number.NEGATIVE_INFINITY, until || Number.POSITIVE_INFINITY);
    const layer = { ...view, placed: compacted(placed), marks: marksOf(chosen, ground.cell) };
    drawn.push(layer);
    await nextTurn();
    groups.push(layerMarkup(layer, index, ground.cell));
    await nextTurn();
  }
  const figure = figureMarkup(parts, drawn, groups, page);
  await nextTurn();
  return html`<div class="map-block">${figure}
${(drawn.length > 0 || tables) && html`<details class="as-table"><summary>Values and sources as tables</summary>${drawn.length > 0 && layerTables(drawn, page)}${tables}</details>`}</div>`;
}

/** Returns a day of the URL as days since 1970; NaN if there is none. Throws `InvalidRequest` for any other text. */
function dayIn(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? "";
  return text === "" ? Number.NaN : readRequestTime(text, name).start / dayMs;
}

function figureMarkup(
  parts: MapParts,
  layers: readonly DrawnLayer[],
  groups: readonly Html[],
  page: PageContext,
): Html {
  const { ground, label, pins = [], scale } = parts;
  const { width, height, outlines, isRoomy } = ground;
  return html`<figure class="map${isRoomy && " roomy"}">
<div class="stage"><svg class="world" viewBox="0 0 ${width} ${height}" role="group" aria-label="${label}">
<defs><pattern id="no-value" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8"/><path d="M-2 2l4-4M0 8l8-8M6 10l4-4"/></pattern><pattern id="no-value-key" href="#no-value" patternTransform="scale(1)"/></defs>
<g class="view">${outlines}
${groups}
${pins.length > 0 && html`<g class="pins">${pins.flatMap((pin) => pinMarkup(pin, ground))}</g>`}</g>
</svg>
<div class="zoom" role="group" aria-label="Zoom" hidden><button type="button" class="quiet" value="in" aria-label="Zoom in">+</button><button type="button" class="quiet" value="out" aria-label="Zoom out">−</button><button type="button" class="quiet" value="whole" aria-label="Show the whole map"><svg viewBox="0 0 12 12" aria-hidden="true"><path d="M1 4V1h3M8 1h3v3M11 8v3H8M4 11H1V8"/></svg></button></div></div>
<form class="layer-form" action="${page.path}" autocomplete="off">${hiddenMarkup(parts, layers, page)}
<div class="map-key">${scale}${parts.controls}${layers.length > 0 && layersMarkup(parts, layers, page)}<button class="quiet show">Show</button></div>
${timesMarkup(layers.filter(isShown(parts, page.query.getAll("layer"))), page.query)}</form>
</figure>
<script type="module" src="${mapScript.path}"></script>`;
}

function layerMarkup({ layer, placed, marks, page }: DrawnLayer, index: number, cell: number): Html {
  const { operation, title } = layer;
  const labels = [...new Set(placed.map(({ label }) => label))];
  const names = new Set(operation.method.input.fields.map(({ name }) => name));
  const box = isZoomed(operation) ? "zoom" : names.has("ne_lat") ? "box" : "";
  return html`<g class="points l${index + 1}" aria-hidden="true" data-title="${title}" data-page="${page}" data-box="${box}"${hasSpan(operation) && html` data-span`} data-labels="${JSON.stringify(labels)}" data-points="${JSON.stringify(columnsOf(placed, labels))}">${circles(marks, title, cell)}</g>`;
}

/** Returns whether the operation accepts a first and a last day. */
function hasSpan({ method }: Operation): boolean {
  const isBound = (bound: string) =>
    method.input.fields.some((field) => field.name === bound && getOption(field, fieldOption).time !== 0);
  return isBound("start") && isBound("end");
}

function pinMarkup(
  { latitude, longitude, text, path, step, isHere }: Pin,
  { project, cell, width, height }: Ground,
): Html[] {
  const [x = 0, y = 0] = project([longitude, latitude]) ?? [];
  if (x <= 0 || y <= 0 || x >= width || y >= height) return [];
  return [
    html`<a href="${path}" tabindex="-1" aria-label="${text.replace("\n", ", ")}" data-tip="${text}"${isHere && html` aria-current="page"`}><circle ${step === undefined ? html`fill="url(#no-value)"` : html`class="${step}"`} cx="${Math.round(x)}" cy="${Math.round(y)}" r="${cell * (isHere ? 0.8 : 0.6)}"/></a>`,
  ];
}

/** Returns hidden fields for the parameters in the URL that the form of the map does not change. */
function hiddenMarkup({ controlled = [] }: MapParts, layers: readonly DrawnLayer[], { query }: PageContext): Html {
  const own = new Set([...mapParameters, ...controlled]);
  const others = [...query].filter(([name]) => !own.has(name));
  return html`${hiddenInputs(others)}${layers.length > 1 && html`<input type="hidden" name="layer" value="${noLayer}">`}`;
}

/** Returns whether a layer is visible at first. */
function isShown({ shownLayers = Number.POSITIVE_INFINITY }: MapParts, chosen: readonly string[]) {
  return ({ layer: { id } }: DrawnLayer, index: number) =>
    chosen.length > 0 ? chosen.includes(id) : index < shownLayers;
}

function layersMarkup(parts: MapParts, layers: readonly DrawnLayer[], { query }: PageContext): Html {
  const isChecked = isShown(parts, query.getAll("layer"));
  return html`<fieldset class="layers"><legend>Layers</legend>${layers.map((view, index) => {
    const { id, title } = view.layer;
    const text = html`<svg class="points l${index + 1}" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><circle cx="6" cy="6" r="5"/></svg>${title} <span class="soft">${countText(view)}</span>`;
    if (layers.length === 1) return html`<span class="only">${text}</span>`;
    return html`<label><input type="checkbox" id="layer-${index + 1}" name="layer" value="${id}"${isChecked(view, index) && html` checked`}>${text}</label>`;
  })}</fieldset>`;
}

/** Height of the bars above the slider, in pixels. */
const barHeight = 24;

/** Returns two date fields, which the script replaces with a slider, and the number of things by day as bars. */
function timesMarkup(layers: readonly DrawnLayer[], query: URLSearchParams): Html | undefined {
  const counts = new Map<number, number>();
  for (const { day, weight } of layers.flatMap(({ placed }): readonly PlacedPoint[] => placed))
    if (day !== undefined) counts.set(day, (counts.get(day) ?? 0) + weight);
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  if (!(first < last)) return undefined;
  const max = Math.max(...counts.values());
  const bars = [...counts].map(([day, count]) => {
    const high = Math.round((10 * barHeight * count) / max) / 10;
    return `M${day - first} ${barHeight}v-${high}h.8v${high}z`;
  });
  const textOf = (day: number) => isoDay(day * dayMs);
  const field = (name: string, label: string) =>
    html`<label><span>${label}</span><input type="date" name="${name}" min="${textOf(first)}" max="${textOf(last)}" value="${query.get(name) ?? ""}"></label>`;
  return html`<fieldset class="times" data-first="${first}" data-last="${last}"><legend>Time</legend>${field("since", "From")}${field("until", "Until")}<div class="span"><svg viewBox="0 0 ${last - first + 1} ${barHeight}" preserveAspectRatio="none" aria-hidden="true"><path d="${bars.join("")}"/></svg></div></fieldset>`;
}

/** Returns the legend of a color scale from 0 to 100. */
export function scaleMarkup(
  { kind, title, otherwise, values }: Shading,
  coverage = `${values.size} of ${countries.size} countries`,
): Html {
  const letter = kind.charAt(0);
  return html`<div class="scale"><p>${title}</p><p class="steps"><span>0</span><svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="Five steps from 0 to 100">${[
    1, 2, 3, 4, 5,
  ].map(
    (step) => html`<rect class="${letter}${step}" x="${(step - 1) * 20}" width="20" height="6"/>`,
  )}</svg><span>100</span></p>${otherwise !== "" && html`<p><svg viewBox="0 0 16 8" class="swatch" aria-hidden="true"><rect fill="url(#no-value-key)" width="16" height="8"/></svg>${otherwise}</p>`}${values.size > 0 && html`<p>Covers ${coverage}</p>`}</div>`;
}
