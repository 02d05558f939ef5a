import type { DescField } from "@bufbuild/protobuf";
import type { Dataset } from "../../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { asOfParameter } from "../../../contract/as-of.ts";
import { saysUnavailable } from "../../../contract/availability.ts";
import { hasAllPages } from "../../../contract/file-format.ts";
import { labelOf, lowerFirst } from "../../../contract/labels.ts";
import { isInPages } from "../../../contract/paging.ts";
import { isObject } from "../../../contract/request/body.ts";
import { commentOf } from "../../../contract/schema.ts";
import type { Table } from "../../../contract/tables.ts";
import { type Html, html, joined } from "../../../pages/html.ts";
import { inlineMarkup } from "../../../pages/inline-markup.ts";
import { addressOf, addressWith } from "../../address.ts";
import { exportPath, formatsOf, isOfAllPages } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import type { Rejected, Responded } from "../../read-response.ts";
import { type Availability, notCovered } from "../../view/availability.ts";
import { withSeriesLinks } from "../../view/form-field.ts";
import { isAtLimit, isOnlyPage } from "../../view/paging.ts";
import { dayText, instantText } from "../../view/times.ts";
import { seriesName } from "../series/series-read.ts";

/** Why a response has no rows although matching rows may exist. */
export interface Lack {
  readonly availability: Availability;
  readonly markup: Html;
}

/** Returns why rows are missing; undefined if no rows match. A file is rejected for the same reasons. */
export function lackIn({ operation, body, isFlagged }: Responded): Lack | undefined {
  const reason = String(body.unavailableReason ?? "");
  const reasons = ["", "UNSPECIFIED"].includes(reason) ? [] : [html`<p>Reason: ${labelOf(reason)}.</p>`];
  if (isFlagged) {
    const flags = operation.method.output.fields.flatMap((field) => flagMarkup(field, body[field.jsonName]));
    return {
      availability: { tone: "bad", word: "Unavailable" },
      markup: html`<p><strong>Unavailable.</strong> The source data is missing, incomplete, or out of date, so this list may lack rows.</p>${reasons}${flags}`,
    };
  }
  if (reasons.length === 0) return undefined;
  return {
    availability: { tone: "none", word: "No rows" },
    markup: html`<p><strong>No rows.</strong> The response contains the reason.</p>${reasons}`,
  };
}

/** Says that this service holds no record of the requested thing, and which values find one. */
export function noRecord({ operation }: Responded, requested: URLSearchParams): Lack {
  const given = operation.method.input.fields.filter(({ name }) => (requested.get(name) ?? "") !== "");
  const values = given.map(({ name }) => `${labelOf(name).toLowerCase()} “${requested.get(name)}”`).join(", ");
  return {
    availability: notCovered,
    markup: html`<p><strong>Not covered.</strong> This service holds no record with ${values}.</p>${given.map((field) => html`<p class="small">${labelOf(field.name)}: ${inlineMarkup(commentOf(field))}</p>`)}`,
  };
}

/** Says for which days rows are held: from a first day, and up to a last day or now. */
export function heldText(heldFrom: number | bigint, heldTo: unknown): string {
  const last = typeof heldTo === "number" || typeof heldTo === "bigint" ? ` to ${dayText(Number(heldTo))}` : "";
  return `Rows are held from ${dayText(Number(heldFrom))}${last}.`;
}

/** Says for which days rows are held, and that others are unknown. */
export function heldNote({ body }: Responded, series: readonly string[]): Html | undefined {
  const { heldFrom, heldTo, isPartial } = body;
  if (typeof heldFrom !== "number") return undefined;
  const held = heldText(heldFrom, heldTo);
  const others = heldTo === undefined ? "Earlier ones are unknown" : "Earlier and later ones are unknown";
  if (isPartial !== true) return html`<p class="small soft">${held} ${others}.</p>`;
  return html`<p class="notice">${held} ${others}, and not 0.${seriesNote(series)}</p>`;
}

/** Links to the series of a dataset, which have values from before its rows. */
export function seriesNote(series: readonly string[]): Html {
  const links = series.map((id) => html`<a href="/series/${id}">${lowerFirst(seriesName(id))}</a>`);
  return html`${links.length > 0 && html` For earlier totals by country, see the series: ${joined(links)}.`}`;
}

/** Says from which point distances are measured, because towns in different countries have the same name. */
export function centerNote({ body: { center = null } }: Responded): Html | undefined {
  if (!isObject(center)) return undefined;
  return html`<p class="small soft">Distances are from the point ${String(center.latitude)}, ${String(center.longitude)} (latitude, longitude). If another place was meant, add its country, such as “Tripoli, Lebanon”.</p>`;
}

/** Says which filters were accepted but are probably mistakes or have no effect. */
export function warningNote({ warning }: Responded): Html | undefined {
  if (warning === undefined) return undefined;
  const text = warning.replaceAll(/[a-z]+(?:_[a-z]+)+/g, (name) => `“${labelOf(name)}”`);
  return html`<p class="notice">${text.charAt(0).toUpperCase()}${text.slice(1)}.</p>`;
}

/** Says why a request is invalid. If it is for a time before the first stored version, says when that begins. */
export function invalidMarkup(
  { message, problems }: Rejected,
  { historyFrom, name }: Dataset,
  page: PageContext,
): Html {
  if (historyFrom === undefined || !problems.has(asOfParameter))
    return html`<div class="nothing" role="alert"><p><strong>The request is invalid.</strong> ${withSeriesLinks(message)}</p></div>`;
  const first = new Date(Number(historyFrom)).toISOString();
  return html`<div class="nothing" role="alert"><p><strong>Not held at this time.</strong> Versions of ${labelOf(name).toLowerCase()} are held since ${instantText(Number(historyFrom))} UTC, when the service first loaded them. What they were before is unknown here.</p>
<p><a href="${addressWith(page, { [asOfParameter]: first })}">The first version</a> · <a href="${addressWith(page, { [asOfParameter]: undefined })}">The present version</a></p></div>`;
}

function flagMarkup(field: DescField, value: unknown): Html[] {
  const { parent, localName, jsonName } = field;
  if (!saysUnavailable(parent)({ [localName]: value })) return [];
  const text = inlineMarkup(commentOf(field));
  return [html`<p class="small">The response has <code>${jsonName}: ${String(value)}</code>. ${text}</p>`];
}

const formatNames: Readonly<Record<string, string>> = {
  csv: "CSV",
  xlsx: "XLSX",
  ndjson: "NDJSON",
  geojson: "GeoJSON",
  parquet: "Parquet",
  json: "JSON",
};

/** Says that there is no file, because a file could not say that rows are unknown. */
export const noFilesText = "There are no confirmed rows for a file now. JSON includes the flags of the response.";

export function filesText(response: Responded, table: Table, rows: number, page: PageContext): Html {
  return html`${extentText(response, table, rows, page)} XLSX opens in Excel with types and units, CSV in every spreadsheet.`;
}

function extentText(
  response: Responded,
  { name }: Table,
  rows: number,
  { viewer, path, query }: PageContext,
): string | Html {
  const { operation, target } = response;
  if (isAtLimit(operation, target, rows))
    return "What was found with these filters, up to the number of rows asked for, as a file: there may be more.";
  const isCut = hasAllPages(operation) && isInPages(operation, name) && !isOnlyPage(response);
  if (!isCut) return "What was found with these filters, all of it, as a file.";
  if (isOfAllPages({ operation, target, format: "csv", rows: name, viewer }))
    return "What was found with these filters, of all pages, as a file; JSON is the page that is shown.";
  if (viewer.isSignedIn) return "The rows of this page as a file.";
  return html`The rows of this page as a file. <a href="/account?${new URLSearchParams({ to: addressOf(path, query) })}">Signed in</a>, a file has those of all pages.`;
}

export function downloadsMarkup(
  { operation, target }: Responded,
  table: Table,
  { viewer }: PageContext,
  isLacking: boolean,
): Html {
  const formats = formatsOf(operation).filter((format) => format !== "geojson" || table.latitude);
  return html`<ul class="downloads">${[...(isLacking ? [] : formats), "json"].map(
    (format) =>
      html`<li><a href="${exportPath({ operation, target, viewer, format, rows: format === "json" ? undefined : table.name })}">${formatNames[format] ?? format}</a></li>`,
  )}</ul>
<p class="small soft">In a program, send the request with a key and <code>format=csv</code>; spreadsheets that refresh themselves take a feed URL. <a href="/docs/create-feed-url">Feed URLs</a></p>`;
}
