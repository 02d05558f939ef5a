import type { Dataset } from "../../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import type { Place } from "../../../contract/columns.ts";
import { labelOf } from "../../../contract/labels.ts";
import { isInPages } from "../../../contract/paging.ts";
import { limitNames } from "../../../contract/row-limit.ts";
import { type Table, tablesOf } from "../../../contract/tables.ts";
import { type Html, type HtmlValue, html } from "../../../pages/html.ts";
import { pageOf, titleOf } from "../../../pages/reference/contents.ts";
import { addressOf, addressWith } from "../../address.ts";
import { groundOf } from "../../map/country-map.ts";
import { layerOf, layerView } from "../../map/layers.ts";
import { mapMarkup } from "../../map/map-figure.ts";
import type { Block, PageContext } from "../../page-context.ts";
import type { ReadResponse, Responded } from "../../read-response.ts";
import { type Availability, availabilityOf } from "../../view/availability.ts";
import { blockOf, provenanceOf } from "../../view/block.ts";
import { dataTable, isKnown, sortIn } from "../../view/data-table.ts";
import { numberText } from "../../view/figures.ts";
import { cursorParameter, isAtLimit, isOnlyPage, nextCursorIn, pagesMarkup, totalIn } from "../../view/paging.ts";
import { defaultsMarkup, requestForm } from "../../view/request-form.ts";
import { type Tab, tabs } from "../../view/tabs.ts";
import { countryLack } from "./country-lack.ts";
import { countsBlock } from "./counts.ts";
import {
  centerNote,
  downloadsMarkup,
  filesText,
  heldNote,
  invalidMarkup,
  type Lack,
  lackIn,
  noFilesText,
  noRecord,
  warningNote,
} from "./response.ts";
import { parametersIn, readRows, requestOf } from "./row-request.ts";

interface RowsParts {
  readonly dataset: Dataset;
  readonly operations: readonly Operation[];
  readonly operation: Operation;
  readonly page: PageContext;
  /** Whether CountRows accepts the operation: it reads stored data and has no ID in its path. */
  readonly isCountable: boolean;
}

/** Maximum number of rows on a page. The linked files contain all rows. */
const maxRows = 200;

interface ShownRows {
  readonly blocks: readonly Block[];
  /** Blocks with the rows on a map, and with their counts. */
  readonly pictures: readonly Block[];
  /** Why rows are missing although matching rows may exist. */
  readonly lacking?: Availability | undefined;
}

export async function rowsBlocks(parts: RowsParts): Promise<ShownRows> {
  const { operation, page } = parts;
  const { requested, response } = await readRows(operation, page);
  const request = requestOf(operation, requested);
  const placesOf = (table: Table) => (response.kind === "answered" ? table.rowsIn(response.body, request) : []);
  const read = tablesOf(operation).map((table) => ({ table, places: placesOf(table) }));
  const isUnknown = read.some(({ table, places }) => isWithoutKey(table, places));
  const tables = isUnknown ? read.map((each) => ({ ...each, places: [] })) : read;
  const named = tables.find(({ table }) => table.name === page.query.get("rows"));
  const found = named ?? tables.find(({ places }) => places.length > 0) ?? tables[0];
  if (!found) return { blocks: [], pictures: [] };
  const { table, places } = found;
  const isLacking = response.kind === "answered" && places.length === 0;
  const lack = isLacking ? (lackIn(response) ?? (isUnknown ? noRecord(response, requested) : undefined)) : undefined;
  const absent = isLacking && !lack ? await countryLack(response, requested, [parts.dataset.name, page]) : undefined;
  const shownLack = lack ?? absent;
  const blocks = [
    blockOf(page, {
      id: "rows",
      title: "Rows",
      about: html`From <a href="${pageOf(operation)}">${titleOf(operation)}</a>.`,
      content: contentOf(parts, { tables, found, response, requested, lack: shownLack }),
      provenance: {
        ...provenanceOf(response),
        ...(shownLack && { availability: shownLack.availability }),
        tables: [table.name],
      },
    }),
  ];
  if (response.kind === "refused") return { blocks, pictures: [], lacking: availabilityOf(response) };
  const downloads = blockOf(page, {
    id: "downloads",
    title: "Downloads",
    about: lack ? noFilesText : filesText(response, table, places.length, page),
    content: downloadsMarkup(response, table, page, lack !== undefined),
    provenance: undefined,
  });
  const pictures = [
    await mapOf(parts, found, response),
    parts.isCountable && (places.length > 0 || page.query.has("by"))
      ? await countsBlock({ page, response, table, series: parts.dataset.series })
      : undefined,
  ];
  return {
    blocks: [...blocks, downloads],
    pictures: pictures.filter((each) => each !== undefined),
    lacking: lack?.availability,
  };
}

/** Returns whether the only row has no key. The service then has no record of the requested thing. */
function isWithoutKey({ name, key, columns }: Table, places: readonly Place[]): boolean {
  const [place, ...others] = name === "response" ? places : [];
  const keys = columns.filter((column) => key.includes(column.name));
  return (
    place !== undefined && others.length === 0 && keys.length > 0 && !keys.some(({ read }) => isKnown(read(place)))
  );
}

async function mapOf(
  { operation, page }: RowsParts,
  { table, places }: FilledTable,
  response: ReadResponse,
): Promise<Block | undefined> {
  if (!table.latitude || places.length === 0) return undefined;
  const query = parametersIn(operation, page.query);
  query.set("op", operation.name);
  const view = layerView(layerOf(operation, [table]), response, addressOf(page.path, query));
  if (view.points.length === 0) return undefined;
  const ground = groundOf(table.columns, places, view.points);
  const map = { ground, label: `Map of ${view.layer.title.toLowerCase()}`, layers: [view] };
  return blockOf(page, {
    id: "map",
    title: "Map",
    content: await mapMarkup(map, page),
    provenance: { ...provenanceOf(response), tables: [table.name] },
  });
}

interface FilledTable {
  readonly table: Table;
  readonly places: readonly Place[];
}

interface Found {
  readonly tables: readonly FilledTable[];
  readonly found: FilledTable;
  readonly response: ReadResponse;
  readonly requested: URLSearchParams;
  readonly lack: Lack | undefined;
}

function contentOf(
  { operations, operation, page, dataset }: RowsParts,
  { tables, found, response, requested, lack }: Found,
): Html | undefined {
  const { table, places } = found;
  const { path, query, isEmbed } = page;
  const isSorted = sortIn(query, table.columns) !== undefined;
  const hidden = {
    ...(operations.length > 1 && { op: operation.name }),
    ...(tables.length > 1 && { rows: table.name }),
    ...(isSorted && { order: query.get("order") ?? "" }),
  };
  const form =
    !isEmbed &&
    requestForm({
      response,
      action: path,
      values: requested,
      hidden,
      historyFrom: dataset.historyFrom === undefined ? undefined : Number(dataset.historyFrom),
    });
  const reads = operations.map((each): Tab => [titleOf(each), `${path}?op=${each.name}`, each === operation]);
  const lists = tables.map((each): Tab => {
    const address = addressWith(page, { rows: each.table.name, order: undefined });
    return [tabText(each, tables, response), address, each === found];
  });
  const head = html`${reads.length > 1 && tabs("Reads", reads)}
${lists.length > 1 && tabs("Tables", lists)}
${form}`;
  if (response.kind === "refused")
    return response.status === 400 ? html`${head}${invalidMarkup(response, dataset, page)}` : undefined;
  const beyond = beyondText(response, table, places.length, page);
  return html`${head}${defaultsMarkup(operation, requested)}${warningNote(response)}${centerNote(response)}${heldNote(response, dataset.series)}${
    places.length === 0
      ? noRows(operation, page, lack)
      : html`${isSorted && sortNote(operation, page)}${dataTable({ table, places, caption: `${titleOf(operation)}: ${labelOf(table.name)}`, page, limit: maxRows, ...(beyond !== undefined && { beyond }) })}`
  }${nextPage(response, page)}`;
}

function noRows(operation: Operation, page: PageContext, lack: Lack | undefined): Html {
  const isFiltered = parametersIn(operation, page.query).size > 0;
  const found = html`<p><strong>No rows.</strong> ${isFiltered ? "Nothing matches these filters." : "There are none here."} This does not prove that there was nothing.</p>`;
  return html`<div class="nothing">${lack?.markup ?? found}</div>`;
}

/** Returns the text of a tab: the last part of the table's name, or an earlier one if ambiguous, and the row count. */
function tabText(
  { table: { name }, places }: FilledTable,
  tables: readonly FilledTable[],
  response: ReadResponse,
): string {
  const last = name.split(".").at(-1);
  const isOnly = tables.filter(({ table }) => table.name.split(".").at(-1) === last).length === 1;
  const label = labelOf(isOnly ? name : name.split(".").slice(0, -1).join("."));
  return response.kind === "answered" && isOnlyPage(response) ? `${label} (${numberText(places.length)})` : label;
}

function sortNote({ method }: Operation, page: PageContext): Html {
  const isOrdered = !page.isEmbed && method.input.fields.some(({ name }) => name === "sort");
  return html`<p class="small soft">Sorted on this page only: files and the curl line keep the order of the API${isOrdered && ", which the Sort filter sets"}. <a href="${addressWith(page, { order: undefined })}">Remove this sort</a></p>`;
}

/** Describes how to get the other rows of an incomplete list; undefined if the list is complete. */
function beyondText(response: Responded, table: Table, rows: number, page: PageContext): HtmlValue {
  const { operation, target } = response;
  if (!isOnlyPage(response)) {
    if (!isInPages(operation, table.name)) return undefined;
    const total = table === tablesOf(operation)[0] ? totalIn(response) : undefined;
    return total === undefined ? "There are more on other pages." : `All pages together have ${numberText(total)}.`;
  }
  if (!isAtLimit(operation, target, rows)) return undefined;
  // If the URL limits the number of rows, a higher limit may return more.
  const name = [...limitNames].find((each) => Number(page.query.get(each) ?? Number.NaN) <= rows);
  return name === undefined
    ? "This is the maximum per request. Use filters to find more rows."
    : html`This is the requested number of rows, and there may be more. <a href="${addressWith(page, { [name]: undefined })}">Show the maximum per request</a>`;
}

function nextPage(response: Responded, page: PageContext): Html | undefined {
  const parameter = cursorParameter(response.operation);
  return parameter === undefined ? undefined : pagesMarkup(page, nextCursorIn(response), "rows", parameter);
}
