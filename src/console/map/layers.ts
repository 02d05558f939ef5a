import type { DescMethod } from "@bufbuild/protobuf";
import { Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { kebab, type Operation } from "../../contract/catalog.ts";
import type { Place } from "../../contract/columns.ts";
import { lowerFirst } from "../../contract/labels.ts";
import { widestRows } from "../../contract/row-limit.ts";
import { isNeeded } from "../../contract/rules/field-rules.ts";
import { type Table, tablesOf } from "../../contract/tables.ts";
import { isZoomed, nearZoom, wholeWorld } from "../../contract/widest-request.ts";
import { type Html, html } from "../../pages/html.ts";
import { pageOf as referenceOf, thingsOf } from "../../pages/reference/contents.ts";
import type { OperationSources } from "../../pages/reference/operation-sources.ts";
import { dayMs } from "../../reference/duration.ts";
import { addressOf, queryOf } from "../address.ts";
import { exportPath, formatsOf } from "../metadata.ts";
import type { Layer, PageContext } from "../page-context.ts";
import type { ReadResponse, Responded } from "../read-response.ts";
import { availabilityOf, stateMarkup } from "../view/availability.ts";
import { timeOf } from "../view/data-table.ts";
import { numberText } from "../view/figures.ts";
import { isAtLimit, isOnlyPage } from "../view/paging.ts";
import { instant } from "../view/times.ts";
import { commonLabels, type GeoPoint, type Mark, type PlacedPoint } from "./marks.ts";

export function layersFrom(operations: readonly Operation[], inputs: readonly OperationSources[]): readonly Layer[] {
  const fromDatasets = new Set<DescMethod>(
    inputs.filter(({ datasets, lookups }) => datasets.length > 0 && lookups.length === 0).map(({ method }) => method),
  );
  return operations.flatMap((operation): Layer[] => {
    const { method, inPath } = operation;
    if (!fromDatasets.has(method) || inPath.length > 0 || method.input.fields.some(isNeeded)) return [];
    // Tables of rows within rows, such as the reports of an event, are omitted. They would count the same place twice.
    const tables = tablesOf(operation).filter(
      ({ latitude, longitude, name }) => latitude && longitude && !name.includes("."),
    );
    if (tables.length === 0) return [];
    const ongoing = ongoingOf(operation);
    const layer = layerOf(operation, tables);
    const { title } = layer;
    return [
      {
        ...layer,
        title: ongoing ? `Ongoing ${lowerFirst(title)}` : title,
        // The getter delays loading of the contract's limits until the first view.
        get parameters() {
          return { ...wholeWorld(operation, farZoom), ...widestRows(operation), ...ongoing };
        },
      },
    ];
  });
}

export function layerOf(operation: Operation, tables: readonly Table[]): Omit<Layer, "parameters"> {
  return { id: kebab(operation.name).replace(/^(list|get)-/, ""), title: thingsOf(operation), operation, tables };
}

/** The zoom level of web maps that shows the whole world. */
const farZoom = 2;

/** Returns the parameter that selects events without an end, if the operation has one. */
function ongoingOf({ method }: Operation): Readonly<Record<string, string>> | undefined {
  return method.input.fields.some(({ name }) => name === "ongoing") ? { ongoing: "true" } : undefined;
}

export interface LayerView {
  readonly layer: Omit<Layer, "parameters">;
  /** Page with the rows of the layer. */
  readonly page: string;
  readonly response: ReadResponse;
  readonly points: readonly GeoPoint[];
  readonly unplaced: number;
}

export interface DrawnLayer extends LayerView {
  /** All points on the map. If they are too many for a page, some are merged. */
  readonly placed: readonly PlacedPoint[];
  /** Marks of the chosen days. */
  readonly marks: readonly Mark[];
}

export function countText({ layer, response, points }: LayerView): string {
  if (response.kind === "refused") return availabilityOf(response).word.toLowerCase();
  const count = numberText(points.reduce((sum, { weight }) => sum + weight, 0));
  const { operation, target, body } = response;
  const zoom = queryOf(target).get("zoom") ?? nearZoom;
  const isPartial = isZoomed(operation) && Number(zoom) < nearZoom;
  const isCutShort = ({ rowsIn }: Table) => isAtLimit(operation, target, rowsIn(body, {}).length);
  const isCut = !isOnlyPage(response) || layer.tables.some(isCutShort);
  return `${count}${isCut ? " or more" : ""}${isPartial ? " at this zoom" : ""}${response.isFlagged ? ", incomplete" : ""}`;
}

/** Reads a layer of the world, or of one country. */
export async function readLayer(layer: Layer, page: PageContext, country?: string): Promise<LayerView> {
  const { operation, parameters } = layer;
  const own: Readonly<Record<string, string>> = country === undefined ? {} : { country };
  const world = country === undefined ? {} : wholeWorld(operation);
  const response = await page.read(operation, { ...parameters, ...world, ...own });
  const rows = new URLSearchParams({ ...own, ...ongoingOf(operation) });
  return layerView(layer, response, addressOf(page.metadata.pageOf(operation) ?? "/data", rows));
}

export function layerView(layer: LayerView["layer"], response: ReadResponse, page: string): LayerView {
  const places = response.kind === "answered" ? placesOf(layer, response) : [];
  const points = places.filter((point) => point !== undefined);
  return { layer, page, response, points, unplaced: places.length - points.length };
}

/** Returns the coordinates of each row; undefined for a row without any. */
function placesOf({ tables }: LayerView["layer"], { body }: Responded): (GeoPoint | undefined)[] {
  return tables.flatMap((table) => {
    const label = table.columns.find(({ role }) => role === Role.LABEL);
    // A row can stand for several events. Its column `count` then contains their number.
    const count = table.columns.find(({ name, type }) => name === "count" && type !== "text");
    const time = table.columns.find(({ role }) => role === Role.TIME);
    return table.rowsIn(body, {}).map((place) => {
      const [latitude, longitude] = [numberIn(table.latitude, place), numberIn(table.longitude, place)];
      if (latitude === undefined || longitude === undefined) return undefined;
      const text = label?.read(place);
      const weight = numberIn(count, place) ?? 1;
      const day = time && Math.floor(timeOf(time, time.read(place)) / dayMs);
      return {
        ...{ latitude, longitude, weight, label: typeof text === "string" ? text : "" },
        day: Number.isFinite(day) ? day : undefined,
      };
    });
  });
}

function numberIn(column: Table["latitude"], place: Place): number | undefined {
  const value = column?.read(place);
  return typeof value === "number" ? value : undefined;
}

export function layerTables(layers: readonly DrawnLayer[], page: PageContext): Html {
  const marks = layers.flatMap(({ layer: { title }, marks: own }) => own.map((mark) => markRow(title, mark)));
  return html`<div class="wide" role="region" aria-label="Table: Layers of the map" tabindex="0"><table class="cards"><thead><tr><th scope="col">Layer</th><th scope="col" class="number">Things</th><th scope="col">State</th><th scope="col">As of</th><th scope="col">Sources</th><th scope="col">File</th></tr></thead><tbody>${layers.map((view) => rowMarkup(view, page))}</tbody></table></div>
${
  marks.length > 0 &&
  html`<div class="wide scrolls short" role="region" aria-label="Table: Marks of the map" tabindex="0"><table class="cards"><thead><tr><th scope="col">Layer</th><th scope="col">Around</th><th scope="col" class="number">Things</th><th scope="col">Most common</th></tr></thead><tbody>${marks}</tbody></table></div>`
}`;
}

function markRow(title: string, mark: Mark): Html {
  const { latitude, longitude, weight } = mark;
  return html`<tr><td>${title}</td><td>${degrees(latitude, "N", "S")} ${degrees(longitude, "E", "W")}</td><td class="number" data-label="Things">${numberText(weight)}</td><td class="text">${commonLabels(mark).join(", ")}</td></tr>\n`;
}

function degrees(value: number, above: string, below: string): string {
  const tenths = Math.round(value * 10);
  return `${(Math.abs(tenths) / 10).toFixed(1)}°${tenths < 0 ? below : above}`;
}

function rowMarkup(view: LayerView, { now, viewer, metadata }: PageContext): Html {
  const { layer, response, page, unplaced } = view;
  const { operation, target } = response;
  const isResponded = response.kind === "answered";
  const sources = metadata.sourcesOf(operation, isResponded ? response.sources : undefined);
  // A CSV file contains only one table, so a layer with several is linked as JSON.
  const format = layer.tables.length === 1 && formatsOf(operation).includes("csv") ? "csv" : "json";
  return html`<tr><th scope="row"><a href="${page}">${layer.title}</a></th><td class="number" data-label="Things">${countText(view)}</td><td data-label="State">${stateMarkup(availabilityOf(response))}</td><td class="time" data-label="As of">${isResponded && response.readAt !== undefined ? instant(response.readAt, now) : "–"}</td><td data-label="Sources"><a href="${referenceOf(operation)}#sources-and-licenses">${sources.map(({ publisher, kind }) => `${publisher} (${kind})`).join(", ")}</a></td><td data-label="File">${isResponded ? html`<a href="${exportPath({ operation, target, viewer, format })}">${format.toUpperCase()}<span class="unseen"> of ${layer.title}</span></a>${unplaced > 0 && html` <small class="soft">with ${numberText(unplaced)} more that have no place</small>`}` : "–"}</td></tr>\n`;
}
