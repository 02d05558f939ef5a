import type { DescMethod, MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type {
  CountRowsRequest,
  CountRowsResponseSchema,
  RowGroupSchema,
} from "../../../gen/es/ids/catalog/v1/count_rows_pb.ts";
import { isSummable, type Place } from "../../contract/columns.ts";
import { type Dimension, dimensionsOf } from "../../contract/dimensions.ts";
import { isUnheldReason } from "../../contract/held-period.ts";
import type { JsonObject } from "../../contract/request/body.ts";
import type { Table } from "../../contract/tables.ts";
import { InvalidRequest, invalidField } from "../../errors.ts";
import { countries } from "../../reference/countries/countries.ts";
import { loadRegions } from "../../reference/places/regions.ts";
import { type Group, RowGroups, type Summed } from "./row-groups.ts";

/** The rows to count. They come from another operation, which is called with the key of the caller. */
export interface RowRead {
  readonly table: Table;
  /** The operation that returns the rows; undefined if it returns data of the past. */
  readonly method: DescMethod | undefined;
  /** The time up to which the operation has data, such as now. */
  readonly at: Date;
  /** The first page of rows. */
  readonly response: JsonObject;
  /** The request and the versions of its datasets. Undefined if the rows depend on the caller or the time. */
  readonly version: string | undefined;
  /** Reads all pages of rows. Throws `InvalidRequest` if there are too many rows. */
  readonly pages: () => AsyncIterable<readonly Place[]>;
}

/** Starts to read rows. The first page is read immediately, so that the response has the status of its data. */
export type ReadRows = (request: { path: string; list: string }, context: HandlerContext) => Promise<RowRead>;

interface Counted {
  readonly groups: readonly Group[];
  readonly rows: number;
}

/** Maximum number of groups in the cache, which then uses about 40 MB. */
const maxCachedGroups = 200_000;

/** Returns the time of the earliest row that the datasets of a read hold, in Unix epoch milliseconds. */
export type ReadHeldFrom = (method: DescMethod) => Promise<number | undefined>;

/** Creates the handler of CountRows. It caches the groups for each version of the datasets. */
export function rowCounter(readRows: ReadRows, readHeldFrom: ReadHeldFrom) {
  const cache = new LRUCache<string, Counted>({
    maxSize: maxCachedGroups,
    sizeCalculation: ({ groups }) => groups.length + 1,
  });
  const count = async (
    read: RowRead,
    dimensions: readonly Dimension[],
    { by, sum }: CountRowsRequest,
  ): Promise<Counted> => {
    const { table, version, pages } = read;
    const key = version && JSON.stringify([version, table.name, by, sum]);
    const cached = key ? cache.get(key) : undefined;
    if (cached) return cached;
    const groups = new RowGroups(dimensions, sum === "" ? undefined : summedColumn(sum, table));
    for await (const places of pages()) groups.add(places);
    const counted = { groups: groups.sorted(), rows: groups.rows };
    if (key) cache.set(key, counted);
    return counted;
  };
  return async (
    request: CountRowsRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof CountRowsResponseSchema>> => {
    const { path, by, list, limit, compareWith } = request;
    const read = await readRows({ path, list }, context);
    const { table, method, at, response } = read;
    const known = dimensionsOf(table);
    const dimensions = by.map((name) => dimensionNamed(name, known));
    const other = compareWith === "" ? undefined : await readCompared(request, context, readRows);
    const counted = await count(read, dimensions, request);
    const compared = other && !isUnheld(other) && !isUnheld(read) ? await count(other, dimensions, request) : undefined;
    const groups = compared ? withCompared(counted.groups, compared.groups, request) : counted.groups;
    const labelOf = await labels(by);
    const stored = method && known.some(({ isTime }) => isTime) ? await readHeldFrom(method) : undefined;
    const heldFrom = typeof response.heldFrom === "number" ? response.heldFrom : stored;
    const heldTo = typeof response.heldTo === "number" ? response.heldTo : undefined;
    const until = heldTo === undefined ? at : new Date(Math.min(Number(at), heldTo + 1));
    const partial = dimensions.map((dimension) => [partialStep(dimension, heldFrom), runningStep(dimension, until)]);
    return {
      groups: groups.slice(0, limit).map((group) => ({
        ...groupMessage(group, by, labelOf),
        isPartial: group.values.some((value, place) => isPartialTime(value, partial[place])),
      })),
      totalGroups: groups.length,
      totalRows: counted.rows,
      table: table.name,
      dimensions: known.map(({ name }) => name),
      ...(heldFrom !== undefined && { heldFrom: BigInt(heldFrom) }),
      ...(heldTo !== undefined && { heldTo: BigInt(heldTo) }),
      isPartial: response.isPartial === true,
      unavailableReason: response.isPartial === true ? String(response.unavailableReason ?? "") : "",
      ...(compared && { comparedTotalRows: compared.rows }),
      comparedIsPartial: other?.response.isPartial === true,
    };
  };
}

/** Starts to read the rows to compare with. They must be of the same operation, so that they have equal dimensions. */
async function readCompared(
  { path, list, compareWith }: CountRowsRequest,
  context: HandlerContext,
  readRows: ReadRows,
): Promise<RowRead> {
  const field = "compare_with";
  const [pathOnly] = path.split("?");
  if (compareWith.split("?")[0] !== pathOnly) throw invalidField(field, `value must begin with ${pathOnly}`);
  try {
    return await readRows({ path: compareWith, list }, context);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    throw new InvalidRequest(error.violations.map(({ description }) => ({ field, description })));
  }
}

/** True if the dataset has no row of the requested period, so that the number of rows is unknown. */
function isUnheld({ response }: RowRead): boolean {
  return isUnheldReason(response.unavailableReason);
}

interface ComparedGroup extends Group {
  readonly compared?: Pick<Group, "rows" | "sum">;
}

/** Adds to each group its numbers in the rows to compare with. Groups that only occur there follow, with 0 rows. */
function withCompared(
  groups: readonly Group[],
  others: readonly Group[],
  { sum }: CountRowsRequest,
): readonly ComparedGroup[] {
  const keyOf = ({ values, unit }: Group) => JSON.stringify([...values, unit]);
  const none = { rows: 0, sum: sum === "" ? undefined : 0, unknownValues: 0 };
  const otherByKey = new Map(others.map((group) => [keyOf(group), group]));
  const own = new Set(groups.map(keyOf));
  return [
    ...groups.map((group) => ({ ...group, compared: otherByKey.get(keyOf(group)) ?? none })),
    ...others.filter((group) => !own.has(keyOf(group))).map((group) => ({ ...group, ...none, compared: group })),
  ];
}

/** Returns the step of a time dimension, such as a day, that begins before the first stored row, if any does. */
function partialStep({ stepOf }: Dimension, heldFrom = Number.NaN): string | undefined {
  if (!stepOf || Number.isNaN(heldFrom)) return undefined;
  const step = stepOf(new Date(heldFrom));
  return step === stepOf(new Date(heldFrom - 1)) ? step : undefined;
}

/** Returns the step of time that contains a time. Undefined if each row stands for a whole period. */
function runningStep({ stepOf, isOfPeriods }: Dimension, at: Date): string | undefined {
  return isOfPeriods ? undefined : stepOf?.(at);
}

/** True if a step of time is incomplete: stored rows begin within it, or it has not ended. Steps sort by time. */
function isPartialTime(value: string | undefined, [first, running]: readonly (string | undefined)[] = []): boolean {
  return value !== undefined && (value === first || (running !== undefined && value >= running));
}

function dimensionNamed(name: string, known: readonly Dimension[]): Dimension {
  const dimension = known.find((each) => each.name === name);
  if (dimension) return dimension;
  const offered = known.length > 0 ? `value must be one of ${namesOf(known)}` : "the rows have no dimension";
  throw invalidField("by", `${name} is not a dimension of these rows: ${offered}`);
}

function summedColumn(name: string, { columns }: Table): Summed {
  const sums = columns.filter(isSummable);
  const column = sums.find((each) => each.name === name);
  if (column) return { column, unitColumn: columns.find((each) => each.name === column.unitFrom) };
  const offered =
    sums.length > 0 ? `value must be one of ${namesOf(sums)}` : "the rows have no column whose values add up";
  throw invalidField("sum", `${name} is not a column of these rows whose values add up: ${offered}`);
}

function namesOf(named: readonly { readonly name: string }[]): string {
  return named.map(({ name }) => name).join(", ");
}

type LabelOf = (dimension: string | undefined, value: string | undefined) => string;

async function labels(by: readonly string[]): Promise<LabelOf> {
  const regions = by.includes("admin1") ? await loadRegions() : undefined;
  return (dimension, value = "") => {
    if (dimension === "country") return countries.get(value)?.name ?? "";
    return dimension === "admin1" ? (regions?.nameOf(value) ?? "") : "";
  };
}

function groupMessage(
  { values: [first, second], ...group }: ComparedGroup,
  by: readonly string[],
  labelOf: LabelOf,
): MessageInitShape<typeof RowGroupSchema> {
  return {
    first: first ?? "",
    firstLabel: labelOf(by[0], first),
    firstUnknown: first === undefined,
    second: second ?? "",
    secondLabel: labelOf(by[1], second),
    secondUnknown: by.length > 1 && second === undefined,
    rows: group.rows,
    sum: group.sum,
    unknownValues: group.unknownValues,
    unit: group.unit,
    ...(group.compared && { comparedRows: group.compared.rows, comparedSum: group.compared.sum }),
  };
}
