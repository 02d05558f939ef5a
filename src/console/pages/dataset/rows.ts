import type { JsonObject } from "@bufbuild/protobuf";
import type { Dataset } from "../../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { hasAllPages } from "../../../contract/file-format.ts";
import { isNeeded } from "../../../contract/rules/field-rules.ts";
import { type Table, tablesOf } from "../../../contract/tables.ts";
import { parametersBeside } from "../../../http/rest/request-decoder.ts";
import { type Html, type HtmlValue, html } from "../../../pages/html.ts";
import { pageOf, titleOf } from "../../../pages/reference/contents.ts";
import { type ExampleValue, exampleRequest } from "../../../pages/reference/example-request.ts";
import { addressOf } from "../../address.ts";
import { exportPath, formatsOf } from "../../facts.ts";
import { wholeWorld } from "../../map/layers.ts";
import type { ReadAnswer } from "../../reads.ts";
import { type Block, type BlockParts, provenanceOf } from "../../view/block.ts";
import { dataTable, sortIn } from "../../view/data-table.ts";
import { boundIn } from "../../view/day-fields.ts";
import { defaultsMarkup } from "../../view/defaults.ts";
import { labelOf } from "../../view/labels.ts";
import { pagesMarkup } from "../../view/pages.ts";
import { requestForm } from "../../view/request-form.ts";
import type { Visit } from "../../visit.ts";
import { sortNote } from "./sort-note.ts";
import { unknownCountryMarkup } from "./unknown-country.ts";

interface RowsParts {
  readonly dataset: Dataset;
  readonly operations: readonly Operation[];
  readonly operation: Operation;
  readonly visit: Visit;
  readonly block: (parts: BlockParts) => Block;
}

/** Rows shown at once; files have them all. */
const maxRows = 200;

/** The table of one read, and its files. The address of the page says which, and with what filters. */
export async function rowsBlocks(parts: RowsParts): Promise<Block[]> {
  const { operation, visit, block } = parts;
  const { asked, answer } = await readRows(operation, visit);
  const tables = tablesOf(operation);
  const table = tables.find(({ name }) => name === visit.query.get("rows")) ?? tables[0];
  if (!table) return [];
  const { target } = answer;
  return [
    block({
      id: "rows",
      title: "Rows",
      about: html`From <a href="${pageOf(operation)}">${titleOf(operation)}</a>.`,
      content: contentOf(parts, tables, table, answer, asked),
      provenance: provenanceOf(answer),
    }),
    ...(answer.kind === "answered"
      ? [
          block({
            id: "downloads",
            title: "Downloads",
            about: html`${filesText(operation, visit, cursorIn(answer.body))} CSV opens in Excel and other spreadsheets.`,
            content: downloadsMarkup(operation, target, table, visit),
            provenance: undefined,
          }),
        ]
      : []),
  ];
}

/** What the page's address asks for, else what shows the most; an example where a read wants to be asked for something. */
async function readRows(operation: Operation, { query, read }: Visit) {
  const given = parametersIn(operation, query);
  const asked = given.size > 0 ? given : widest(operation);
  const answer = await read(operation, asked);
  const isUnasked = given.size === 0 && answer.kind === "refused" && answer.status === 400;
  if (!isUnasked) return { asked, answer };
  const example = exampleParameters(operation, () => true);
  return { asked: example, answer: await read(operation, example) };
}

function parametersIn(operation: Operation, query: URLSearchParams): URLSearchParams {
  const fields = new Map(operation.method.input.fields.map((field) => [field.name, field]));
  const names = new Set([...fields.keys(), ...parametersBeside(operation)]);
  const own = ["format", "all", "raw", "rows", "jmespath"];
  const given = [...query].filter(([name, value]) => names.has(name) && value !== "" && !own.includes(name));
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, boundIn(fields.get(name), value)]));
}

function widest(operation: Operation): URLSearchParams {
  const world = Object.entries(wholeWorld(operation)).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams([...world, ...exampleParameters(operation, ({ field }) => isNeeded(field))]);
}

function exampleParameters(operation: Operation, suits: (value: ExampleValue) => boolean): URLSearchParams {
  const values = exampleRequest(operation).inQuery.filter(suits);
  return new URLSearchParams(
    values.flatMap(({ field, value }) => [value].flat().map((each): [string, string] => [field.name, String(each)])),
  );
}

function contentOf(
  { operations, operation, visit }: RowsParts,
  tables: readonly Table[],
  table: Table,
  answer: ReadAnswer,
  asked: URLSearchParams,
): Html | undefined {
  const { path, query, isEmbed } = visit;
  const isSorted = sortIn(query, table.columns) !== undefined;
  const hidden = {
    ...(operations.length > 1 && { op: operation.name }),
    ...(tables.length > 1 && { rows: table.name }),
    ...(isSorted && { order: query.get("order") ?? "" }),
  };
  const form =
    !isEmbed &&
    requestForm({
      operation,
      action: path,
      values: asked,
      hidden,
      ...(answer.kind === "refused" && { problems: answer.problems }),
    });
  const head = html`${
    operations.length > 1 &&
    tabs(
      "Reads",
      operations.map((each) => [titleOf(each), `${path}?op=${each.name}`, each === operation] as const),
    )
  }
${
  tables.length > 1 &&
  tabs(
    "Tables",
    tables.map((each) => [tableLabel(each, tables), withTable(visit, each.name), each === table] as const),
  )
}
${form}`;
  if (answer.kind === "refused")
    return answer.status === 400
      ? html`${head}<div class="nothing" role="alert"><p><strong>This request is not understood.</strong> ${answer.message}</p></div>`
      : undefined;
  const request: JsonObject = Object.fromEntries(
    operation.method.input.fields.flatMap(({ name, jsonName }) => {
      const value = asked.get(name);
      return value === null ? [] : [[jsonName, value]];
    }),
  );
  const places = table.rowsIn(answer.body, request);
  const next = nextPage(operation, answer.body, visit);
  return html`${head}${defaultsMarkup(operation, asked)}${
    places.length === 0
      ? noRows(operation, asked, visit)
      : html`${isSorted && sortNote(operation, visit)}${dataTable({ table, places, caption: `${titleOf(operation)}: ${labelOf(table.name)}`, visit, limit: maxRows })}`
  }${next}`;
}

function noRows(operation: Operation, asked: URLSearchParams, visit: Visit): Html {
  const unknown = unknownCountryMarkup(operation, asked, visit);
  return html`<div class="nothing">${
    unknown.length > 0
      ? unknown
      : html`<p><strong>No rows.</strong> Nothing matches these filters. This is an answer of the data, not a failure.</p>`
  }</div>`;
}

function tabs(label: string, entries: readonly (readonly [text: string, path: string, isHere: boolean])[]): Html {
  return html`<nav aria-label="${label}"><ul class="tabs">${entries.map(
    ([text, path, isHere]) => html`<li><a href="${path}"${isHere && html` aria-current="true"`}>${text}</a></li>`,
  )}</ul></nav>`;
}

/** The last part of its name, or what is above it where others end alike. */
function tableLabel({ name }: Table, tables: readonly Table[]): string {
  const last = name.split(".").at(-1);
  const isAlone = tables.filter((each) => each.name.split(".").at(-1) === last).length === 1;
  return labelOf(isAlone ? name : name.split(".").slice(0, -1).join("."));
}

function withTable({ path, query }: Visit, name: string): string {
  const own = new URLSearchParams(query);
  own.set("rows", name);
  own.delete("order");
  return `${path}?${own}`;
}

/** A link to the rows that follow, where the read has pages. */
function nextPage({ method }: Operation, body: JsonObject, { path, query }: Visit): Html | undefined {
  const takesCursor = method.input.fields.some(({ name }) => name === "cursor");
  return takesCursor ? pagesMarkup(path, query, cursorIn(body), "rows") : undefined;
}

/** Empty on the last page. */
function cursorIn({ nextCursor, pagination }: JsonObject): string {
  const ofPages = typeof pagination === "object" && pagination !== null && "nextCursor" in pagination;
  const cursor = nextCursor ?? (ofPages ? pagination.nextCursor : undefined);
  return typeof cursor === "string" ? cursor : "";
}

const formatNames: Readonly<Record<string, string>> = {
  csv: "CSV",
  ndjson: "NDJSON",
  geojson: "GeoJSON",
  parquet: "Parquet",
  json: "JSON",
};

function filesText(operation: Operation, { viewer, path, query }: Visit, nextCursor: string): HtmlValue {
  const isAllOfThem = nextCursor === "" && (query.get("cursor") ?? "") === "";
  if (!hasAllPages(operation) || isAllOfThem) return "What was found with these filters, all of it, as a file.";
  if (viewer.isSignedIn)
    return "What was found with these filters, of all pages, as a file; JSON is the page that is shown.";
  return html`The rows of this page as a file. <a href="/account?${new URLSearchParams({ to: addressOf(path, query) })}">Signed in</a>, a file has those of all pages.`;
}

function downloadsMarkup(operation: Operation, target: string, table: Table, { viewer }: Visit): Html {
  const formats = formatsOf(operation).filter((format) => format !== "geojson" || table.latitude);
  return html`<ul class="downloads">${[...formats, "json"].map(
    (format) =>
      html`<li><a href="${exportPath({ operation, target, viewer, format, rows: format === "json" ? undefined : table.name })}">${formatNames[format] ?? format}</a></li>`,
  )}</ul>
<p class="small soft">In a program, send the request with a key and <code>format=csv</code>; spreadsheets that refresh themselves take a feed URL. <a href="/docs/create-feed-url">Feed URLs</a></p>`;
}
