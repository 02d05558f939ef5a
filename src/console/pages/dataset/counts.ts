import type { JsonValue } from "@bufbuild/protobuf";
import { CatalogService } from "../../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type {
  CountRowsResponse,
  CountRowsResponseSchema,
  RowGroup,
} from "../../../../gen/es/ids/catalog/v1/count_rows_pb.ts";
import { field as fieldOption } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { asOfParameter } from "../../../contract/as-of.ts";
import { type Column, isSummable, type Place } from "../../../contract/columns.ts";
import { type Dimension, dimensionsOf } from "../../../contract/dimensions.ts";
import { enumText, labelOf } from "../../../contract/labels.ts";
import { getOption } from "../../../contract/option.ts";
import { type Table, tablesOf } from "../../../contract/tables.ts";
import { splitTarget } from "../../../http/exchange.ts";
import { type Html, html } from "../../../pages/html.ts";
import { dayMs } from "../../../reference/duration.ts";
import { addressWith } from "../../address.ts";
import { type MessageRead, readMessage } from "../../metadata.ts";
import type { Block, PageContext } from "../../page-context.ts";
import type { Parameters, Responded } from "../../read-response.ts";
import { availabilityOf } from "../../view/availability.ts";
import { blockOf, nothing, provenanceOf } from "../../view/block.ts";
import { rowsMarkup, sortedPlaces } from "../../view/data-table.ts";
import { amountText, bars, numberText } from "../../view/figures.ts";
import { type Choice, hiddenInputs, selectField } from "../../view/form-field.ts";
import { cursorParameter } from "../../view/paging.ts";
import { fieldMarkup } from "../../view/request-form.ts";
import { periodText } from "../../view/times.ts";
import {
  byChange,
  canCompare,
  comparedColumns,
  comparisons,
  comparisonText,
  type Days,
  daysCompared,
  isComparable,
  pathOfDays,
} from "./comparison.ts";
import { type Filters, filtersOf, requestedSpan, withStart } from "./count-filters.ts";
import { type CountedSpan, spanText, stepText } from "./counted-span.ts";
import { heldText, seriesNote } from "./response.ts";

/** Parameters of a dataset page that count its rows. */
export const countParameters = ["by", "sum", "compare"];

type Counted = MessageRead<typeof CountRowsResponseSchema>;

interface CountsParts {
  readonly page: PageContext;
  readonly response: Responded;
  readonly table: Table;
  /** Series of the dataset. */
  readonly series: readonly string[];
  readonly dimensions: readonly Dimension[];
  readonly filters: Filters;
  /** Names of the dimensions by which the viewer counts, and of the metric to add up. */
  readonly by: readonly string[];
  readonly sum: string;
  /** The earlier days with which the viewer compares the counts; undefined without a comparison. */
  readonly before: Days | undefined;
  readonly count: (parameters: Parameters) => Promise<Counted>;
}

/** Returns the counts of the rows: by time, by country and type, and by dimensions of the viewer's choice. */
export async function countsBlock(
  given: Pick<CountsParts, "page" | "response" | "table" | "series">,
): Promise<Block | undefined> {
  const { page, response, table, series } = given;
  const { operation, target } = response;
  const dimensions = dimensionsOf(table);
  if (dimensions.length === 0) return undefined;
  const counted = addressWith(splitTarget(target), { [cursorParameter(operation) ?? ""]: undefined });
  const countOf = (path: string) => (parameters: Parameters) =>
    readMessage(page.read, CatalogService.method.countRows, { path, list: table.name, ...parameters });
  const filters = filtersOf(response.operation, page);
  const by = page.query.getAll("by").filter((name) => name !== "");
  // Without a first day in the URL, the form counts the rows of a year. The other counts then do the same.
  const path = by.length > 0 ? withStart(counted, filters) : counted;
  const count = countOf(path);
  const sum = page.query.get("sum") ?? "";
  // Two periods cannot be compared by day or month, because these do not occur in both.
  const isByTime = by.some((name) => dimensions.some((each) => each.name === name && each.isTime));
  const isOffered = canCompare(operation, filters);
  const isAsked = by.length > 0 && page.query.get("compare") === "before";
  const isCompared = isAsked && isOffered && !isByTime;
  const held = isCompared ? (await count({ by: by.join(","), limit: 1 })).message : undefined;
  const before = isCompared ? daysCompared(filters, page.now, held) : undefined;
  const compared = before ? { compare_with: pathOfDays(path, before, filters) } : {};
  const parts: CountsParts = { ...given, dimensions, filters, by, sum, before, count };
  const facets = dimensions.filter(({ name }) => name === "country" || name === "type");
  const isMixed = dimensions.some(({ name }) => name === "source");
  const [chart, groups, chosen, sources] = await Promise.all([
    readChart(parts),
    Promise.all(facets.map(async (facet) => ({ facet, ...(await count({ by: facet.name, limit: 5 })) }))),
    by.length > 0 ? count({ by: by.join(","), sum, ...compared }) : undefined,
    isMixed ? count({ by: "source", limit: 5 }) : undefined,
  ]);
  const main = chosen ?? chart ?? groups[0];
  const isShown = chart?.response.kind !== "refused" && !groups.some(({ message }) => message === undefined);
  const columns = chart?.message && columnsMarkup(chart.message, chart, series);
  const largest = groups.flatMap(({ facet, message }) => (message && groupsMarkup(parts, facet, message)) ?? []);
  // Some reads have rows without a time, such as explanations, of which nothing can be counted.
  const hasNone = !columns && largest.length === 0 && !sources && !chosen;
  if (isShown && hasNone && filters.start === undefined) return undefined;
  const content = html`${columns}
<div class="groups">${largest}</div>
${!page.isEmbed && formMarkup(parts, columns && chosen && (chart?.days[0] ?? chart?.message?.groups.find(({ first }) => first !== "")?.first))}
${sources?.message && overlapMarkup(sources.message, parts)}
${isAsked && !before && html`<p>Not compared: ${isOffered ? "only whole days are, and only by dimensions other than time" : "only current rows are held"}.</p>`}
${chosen && chosenMarkup(chosen, parts)}`;
  return blockOf(page, {
    id: "counts",
    title: "Counts",
    content: isShown ? content : undefined,
    provenance: main && { ...provenanceOf(main.response), madeBy: operation },
  });
}

/** Maximum number of bars of a chart. */
const maxBars = 100;
/** Units of time by which a chart counts, the finest first. */
const steps = ["day", "month", "year"];

/** Counts the rows by the finest unit of time with few enough bars. Also returns the days, if all are known. */
async function readChart({ dimensions, count }: CountsParts) {
  const known = steps.filter((step) => dimensions.some(({ name }) => name === step));
  let days: readonly string[] = [];
  for (const step of known) {
    const counted = await count({ by: step });
    const { groups = [], totalGroups = 0 } = counted.message ?? {};
    if (step === "day" && totalGroups === groups.length)
      days = groups.flatMap(({ first, firstUnknown }) => (firstUnknown ? [] : [first]));
    if (totalGroups <= maxBars || step === known.at(-1)) return { step, days, ...counted };
  }
  return undefined;
}

/** Returns the place of `2026-03-01`, `2026-03`, or `2026` on the axis of a chart. */
function slotOf(text: string, step: string): number {
  const [year = 0, month = 1] = text.split("-").map(Number);
  if (step === "day") return Date.parse(text) / dayMs;
  return step === "month" ? 12 * year + month : year;
}

function columnsMarkup(
  { groups, heldFrom, heldTo }: CountRowsResponse,
  { step, days }: { readonly step: string; readonly days: readonly string[] },
  series: readonly string[],
) {
  const bars = groups.flatMap(({ first, firstUnknown, rows }) =>
    firstUnknown ? [] : [{ text: first, slot: slotOf(first, step), rows }],
  );
  const [start, end] = [bars[0], bars.at(-1)];
  const max = Math.max(...bars.map(({ rows }) => rows));
  if (!start || !end || start === end || max < 2) return undefined;
  const path = bars.map(({ slot, rows }) => {
    const high = Math.round((1000 * rows) / max) / 10;
    return `M${slot - start.slot} 100v-${high}h.8v${high}z`;
  });
  const [from, until] = [start, end].map(({ text }) => periodText(Date.parse(text), step));
  const most = `busiest ${step}: ${amountText(max, "row")}`;
  const [span, partial] = days.length > 0 ? spanText(days, step) : [`${from} to ${until}`, ""];
  return html`<figure class="count-chart"><figcaption>Rows by ${step}, ${span}, ${most}.${partial}${heldFrom !== undefined && html` ${heldText(heldFrom, heldTo)}${seriesNote(series)}`}</figcaption><svg viewBox="0 0 ${end.slot - start.slot + 0.8} 100" preserveAspectRatio="none" role="img" aria-label="${`Rows by ${step}, ${from} to ${until}, ${most}`}"><path d="${path.join("")}"/></svg><p><span>${from}</span><span>${until}</span></p></figure>`;
}

/** Shows the largest groups. If the read has a parameter for a group, a link filters the rows by it. */
function groupsMarkup(
  { page, response }: CountsParts,
  { name, column }: Dimension,
  { groups, totalGroups }: CountRowsResponse,
): Html | undefined {
  const { fields } = response.operation.method.input;
  const parameter =
    fields.find((field) => field.name === column.field?.name) ??
    fields.find((field) => field.name === name) ??
    fields.find((field) => name === "country" && getOption(field, fieldOption).role === column.role);
  const linkOf = ({ first, firstLabel, firstUnknown }: RowGroup) => {
    const text = firstUnknown ? "unknown" : firstLabel || enumText(column.field, first);
    if (!parameter || firstUnknown) return text;
    const filter = { [parameter.name]: first, [cursorParameter(response.operation) ?? ""]: undefined };
    return html`<a href="${addressWith(page, filter)}">${text}</a>`;
  };
  const max = groups[0]?.rows ?? 0;
  if (totalGroups < 2 || max < 2) return undefined;
  const rows = groups.map((group) => ({ label: linkOf(group), value: group.rows }));
  return html`<div><h3>Rows by ${labelOf(name).toLowerCase()}</h3>${bars(rows, max)}${totalGroups > groups.length && html`<p class="small soft">The largest ${groups.length} of ${numberText(totalGroups)}.</p>`}</div>`;
}

/** Says that the rows are of several sources, which may report the same thing. */
function overlapMarkup(
  { groups, totalGroups }: CountRowsResponse,
  { page: { path, query, metadata }, response }: CountsParts,
): Html | undefined {
  if (totalGroups < 2) return undefined;
  const bySource = new URLSearchParams([...query].filter(([name]) => !countParameters.includes(name)));
  bySource.set("by", "source");
  const publishers = new Map(metadata.sourcesOf(response.operation).map(({ name, publisher }) => [name, publisher]));
  const names = groups.map(({ first, rows }) => `${publishers.get(first) ?? first} ${numberText(rows)}`).join(", ");
  return html`<p class="small soft">Counted are rows of ${totalGroups} sources (${names}), which differ in what they cover and in their classes. <a href="${path}?${bySource}#counts">Count by source</a></p>`;
}

/** Creates the form for counting. If the viewer chose no first day, it shows that of the first bar. */
function formMarkup(
  { page, table, dimensions, response, filters, by, sum }: CountsParts,
  firstBar: string | undefined,
): Html {
  const { fields, start } = filters;
  const values = new URLSearchParams(filters.values);
  if (start !== undefined && firstBar && !page.query.get(start)) values.set(start, `${firstBar}-01-01`.slice(0, 10));
  const inForm = fields.map(({ name }) => name);
  const own = new Set([...countParameters, ...inForm, "order", cursorParameter(response.operation)]);
  const hidden = [...page.query].filter(([name]) => !own.has(name));
  const names = dimensions.map(({ name }) => name);
  const sums = table.columns.filter(isSummable).map(({ name }) => name);
  return html`<form class="filters" action="${page.path}#counts" autocomplete="off">${hiddenInputs(hidden)}
${fields.map((field) => fieldMarkup(field, values, { prefix: "count" }))}
${selectField({ id: "count-by", name: "by", label: "Count by", choices: names.map(choiceOf), chosen: by[0] })}${names.length > 1 && selectField({ id: "count-and", name: "by", label: "and by", choices: ["", ...names].map(choiceOf), chosen: by[1] })}${sums.length > 0 && selectField({ id: "count-sum", name: "sum", label: "Sum of", choices: ["", ...sums].map(choiceOf), chosen: sum })}
${canCompare(response.operation, filters) && selectField({ id: "count-compare", name: "compare", label: "Compare with", choices: comparisons, chosen: page.query.get("compare") ?? "" })}
<button>Count</button></form>`;
}

function choiceOf(value: string): Choice {
  return [value, value === "" ? "Nothing" : labelOf(value.replaceAll(".", "_"))];
}

/** Returns a column with the share that each group has of the total. */
function shareColumn(all: readonly Column[], of: "rows" | "sum", total: number): readonly Column[] {
  const share = { name: "share", type: "number", unit: "%", unitFrom: "", scale: 100 } as const;
  const shareOf = (value: JsonValue) => (typeof value === "number" && total > 0 ? value / total : null);
  return all
    .filter(({ name }) => name === of)
    .map((column) => ({ ...column, ...share, read: (at) => shareOf(column.read(at)) }));
}

/** Maximum number of groups on a page. The linked files contain up to 1,000. */
const maxGroups = 200;

function spanOf(counted: CountRowsResponse, by: readonly Dimension[], parts: CountsParts): CountedSpan {
  const { page, filters } = parts;
  const { groups } = counted;
  const times = by.flatMap((dimension, at) =>
    groups.map((group) => ({ dimension, value: at === 0 ? group.first : group.second })),
  );
  const isToCome = times.some(({ dimension: { stepOf }, value }) => stepOf && value > stepOf(new Date(page.now)));
  // If rows are dated in the future or an earlier version is read, the span does not end now.
  const now = isToCome || page.query.has(asOfParameter) ? Number.POSITIVE_INFINITY : page.now;
  return requestedSpan(filters, now, counted);
}

function chosenMarkup({ response, message }: Counted, parts: CountsParts): Html {
  const { page, series, dimensions, sum } = parts;
  if (response.kind === "refused" || !message) return nothing(availabilityOf(response), page);
  const by = parts.by.flatMap((name) => dimensions.find((each) => each.name === name) ?? []);
  const span = spanOf(message, by, parts);
  const [table] = tablesOf(response.operation);
  const all = table?.columns ?? [];
  const periodOf = (text: string, dimension: Dimension | undefined) =>
    dimension ? stepText(text, dimension, span) : text;
  const isCompared = isComparable(message);
  const isIncomplete = message.groups.some(({ unknownValues }) => unknownValues > 0);
  const columns = all.flatMap((column): Column[] => {
    const { name, read } = column;
    const dimension = by[["first", "second"].indexOf(name)];
    const label = all.find((each) => each.name === `${name}Label`);
    const textOf = (place: Place) =>
      label?.read(place) || periodOf(enumText(dimension?.column.field, String(read(place) ?? "")), dimension);
    if (dimension) return [{ ...column, name: dimension.name, read: textOf }];
    if (name === "sum") return [{ ...column, name: sum }, ...(isCompared ? comparedColumns(all, "sum", sum) : [])];
    if (name === "rows" && isCompared && sum === "") return [column, ...comparedColumns(all, "rows", "rows")];
    return name === "rows" || name === "unit" || (name === "unknownValues" && isIncomplete) ? [column] : [];
  });
  const places = table?.rowsIn(response.body, {}).slice(0, maxGroups) ?? [];
  const extent = places.length < message.totalGroups ? `The first ${places.length} of ` : "";
  const { groups, totalGroups, totalRows, heldFrom, heldTo, isPartial } = message;
  const added = groups.reduce((total, { rows }) => total + rows, 0);
  const units = new Set(groups.map(({ unit }) => unit));
  // A sum over all groups is known only if no row is in several groups, all are here, and their units agree.
  const isWhole = groups.length === totalGroups && added === totalRows && units.size < 2;
  const total = isWhole && sum !== "" ? groups.reduce((all, group) => all + (group.sum ?? 0), 0) : undefined;
  const shares = total === undefined ? shareColumn(all, "rows", totalRows) : shareColumn(all, "sum", total);
  const label = total === undefined ? "rows" : labelOf(sum).toLowerCase();
  const shown = isCompared ? columns : [...columns, ...shares];
  const inOrder = sortedPlaces(isCompared ? byChange(places, shown) : places, page.query, shown);
  const sumText = html`<strong>Total: ${amountText(totalRows, "row")}${total !== undefined && `, ${numberText(total)} ${label}`}.</strong> ${extent}${amountText(totalGroups, "group")}.${!isCompared && ` The share is of all ${label}.`}`;
  const noRows = html`<strong>No row matches,</strong> which does not prove that there was nothing.`;
  return html`${parts.before && comparisonText(message, parts.before)}${rowsMarkup({ columns: shown, places: inOrder, caption: "Counted rows", sorted: { page, anchor: "#counts" } })}<p class="small">${totalRows === 0 && !isCompared ? noRows : sumText}${added > totalRows && ` Rows with several values are in several groups, which add up to ${numberText(added)}.`}${isPartial && heldFrom !== undefined && html` ${heldText(heldFrom, heldTo)} Others are not counted.${seriesNote(series)}`}</p>`;
}
