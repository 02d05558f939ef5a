import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ExcludedKeySchema,
  HistoryService,
  type ListMoversRequest,
  type ListMoversResponseSchema,
  type MoverComponentSchema,
  type MoverSchema,
} from "../../../gen/es/ids/history/v1/history_pb.ts";
import type { Series, Step } from "../../ingest/series/dataset-series.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { named } from "../../reference/named.ts";
import { roundedAway } from "../../reference/rounding.ts";
import { readBases, type StoredPoint } from "../../store/history/stored-points.ts";
import { endOf } from "./intervals.ts";
import { countedDays, decimals, latestOf, requireKnown } from "./points.ts";
import { type Call, missingOf, openSeries, type Parts, type SeriesRequest } from "./series-access.ts";

const [defaultDays, defaultLimit] = [30, 10];
/** The maximum age of a point in days, which bridges days on which a source publishes nothing. */
export const maxAges: Readonly<Record<Step, number>> = {
  refresh: 2,
  day: 14,
  week: 21,
  month: 62,
  quarter: 184,
  year: 731,
};

interface Span {
  readonly from: number;
  readonly to: number;
}

type End = Pick<StoredPoint, "at" | "value">;

/** The values of a key at the start and at the end of a span; of a count, the sums of as many days up to both. */
interface Ends {
  readonly key: string;
  readonly before: End;
  readonly after: End;
  readonly change: number;
}

export async function listMovers(
  request: ListMoversRequest,
  call: Call,
): Promise<MessageInitShape<typeof ListMoversResponseSchema>> {
  const { days = defaultDays, limit = defaultLimit, direction } = request;
  const opened = await openSeries(request, HistoryService.method.listMovers, call);
  const { id, unit, scale, components } = opened.series;
  const to = endOf(request, opened.now);
  const span = { from: to - days * dayMs, to };
  opened.requireDepth(request.to === "" ? "days" : "to", span.from);
  const isCount = opened.series.isCount === true;
  const { compared, excludedKeys } = isCount
    ? await compareSums(opened, span, call)
    : await compare(opened, span, call);
  const moved = compared
    .filter(({ change }) => (direction === "up" ? change > 0 : direction === "down" ? change < 0 : change !== 0))
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.key < b.key ? -1 : 1))
    .slice(0, limit);
  const explained = components && (await componentsOf(components, opened, { moved, span }, call));
  const measured = new Set(moved.map(({ key }) => key.toUpperCase()));
  const noPoints = () => `No comparable value of ${id} changed from ${isoDay(span.from)} to ${isoDay(span.to)}.`;
  const { note, ...missing } = await missingOf(opened, { measured, noPoints, isWhole: false }, call);
  const movers = moved.map((ends) => mover(ends, explained?.get(ends.key) ?? []));
  const isIncomplete =
    components && movers.some(({ components: own }) => !own.some(({ change }) => change !== undefined));
  return {
    ...{ series: id, unit, scale, from: BigInt(span.from), to: BigInt(span.to), movers, excludedKeys, ...missing },
    note: isIncomplete ? `${note} ${components.id} has no values for some of the times.`.trim() : note,
  };
}

type Excluded = MessageInitShape<typeof ExcludedKeySchema> & { readonly key: string };

interface Comparison {
  readonly compared: readonly Ends[];
  readonly excludedKeys: Excluded[];
}

async function compare(opened: SeriesRequest, span: Span, { parts }: Call): Promise<Comparison> {
  const { series, keys, now } = opened;
  const times = { from: new Date(span.from), to: new Date(span.to), knownAt: new Date(now) };
  const wanted = { series: series.id, origin: parts.data, keys };
  const bases = await readBases(parts.database, { ...wanted, ...times });
  if (bases.size === 0 && now < parts.clock().getTime()) await requireKnown(parts.database, wanted, now);
  const [before, after] = await endsOf(opened, { keys, span }, { parts });
  const compared: Ends[] = [];
  const excludedKeys: Excluded[] = [];
  for (const [key, own] of bases) {
    const [then, last] = [before.get(key), after.get(key)];
    if (!then) excludedKeys.push({ key, reason: "no_value_then" });
    else if (!last) excludedKeys.push({ key, reason: "no_value_now" });
    else if (own.some((basis) => basis !== then.basis)) excludedKeys.push({ key, reason: "break" });
    else compared.push({ key, before: then, after: last, change: difference(last.value, then.value) });
  }
  return { compared, excludedKeys };
}

/** Compares the sums of counts, because single days say little about a month. */
async function compareSums(
  { series, dataset, keys, now }: SeriesRequest,
  { from, to }: Span,
  { parts }: Call,
): Promise<Comparison> {
  const days = (to - from) / dayMs;
  const counted = await countedDays({ series, dataset }, { days, to, now, keys }, parts);
  const wanted = { series: series.id, origin: parts.data, keys };
  if (counted.size === 0 && now < parts.clock().getTime()) await requireKnown(parts.database, wanted, now);
  const compared: Ends[] = [];
  const excludedKeys: Excluded[] = [];
  for (const [key, { last, before, after, isBroken }] of counted) {
    if (last === undefined) excludedKeys.push({ key, reason: "no_value_then" });
    else if (last <= to - maxAges[series.step] * dayMs) excludedKeys.push({ key, reason: "no_value_now" });
    else if (before === undefined) excludedKeys.push({ key, reason: "no_value_then" });
    else if (isBroken) excludedKeys.push({ key, reason: "break" });
    else {
      const ends = { before: { at: last - days * dayMs, value: before }, after: { at: last, value: after } };
      compared.push({ key, ...ends, change: difference(after, before) });
    }
  }
  return { compared, excludedKeys };
}

/** Returns the last points at the start of the span, and those at its end that are newer. */
export async function endsOf(
  opened: Pick<SeriesRequest, "series" | "dataset" | "now">,
  { keys, span }: { readonly keys: readonly string[]; readonly span: Span },
  { parts }: { readonly parts: Pick<Parts, "database" | "data"> },
) {
  const age = maxAges[opened.series.step] * dayMs;
  const ends = [
    { from: span.from - age, to: span.from },
    { from: Math.max(span.from + 1, span.to - age), to: span.to },
  ] as const;
  const { now } = opened;
  return [
    await latestOf(opened, { keys, now, span: ends[0] }, parts),
    await latestOf(opened, { keys, now, span: ends[1] }, parts),
  ] as const;
}

type Component = MessageInitShape<typeof MoverComponentSchema> & { readonly name: string; readonly change?: number };

/** Returns the contributions by key to the values at both ends. A contribution of another day is omitted. */
async function componentsOf(
  series: Series,
  { dataset, now }: SeriesRequest,
  { moved, span }: { readonly moved: readonly Ends[]; readonly span: Span },
  call: Call,
): Promise<ReadonlyMap<string, Component[]>> {
  if (moved.length === 0) return new Map();
  const keys = moved.map(({ key }) => key.toUpperCase());
  const [before, after] = await endsOf({ series, dataset, now }, { keys, span }, call);
  const all = [...new Set([...before.keys(), ...after.keys()])];
  return new Map(
    moved.map((ends) => {
      const start = `${ends.key}/`;
      const own = all.filter((key) => key.startsWith(start));
      const parts = own.map((key): Component => {
        const then = valueOn(ends.before.at, before.get(key));
        const last = valueOn(ends.after.at, after.get(key));
        const change = then === undefined || last === undefined ? undefined : difference(last, then);
        const values = { ...named("valueThen", then), ...named("valueNow", last), ...named("change", change) };
        return { name: key.slice(start.length), ...values };
      });
      const size = ({ change = 0 }: Component) => Math.abs(change);
      const used = parts.filter(({ valueThen, valueNow }) => valueThen !== 0 || valueNow !== 0);
      return [ends.key, used.sort((a, b) => size(b) - size(a) || (a.name < b.name ? -1 : 1))];
    }),
  );
}

/** A value and its contributions have points of the same days, so a contribution of another day is not part of it. */
function valueOn(at: number, point: StoredPoint | undefined): number | undefined {
  return point && isoDay(point.at) === isoDay(at) ? point.value : undefined;
}

function mover({ key, before, after, change }: Ends, components: Component[]) {
  const explained = components.reduce((sum, { change: own = 0 }) => sum + own, 0);
  return {
    ...{ key, change, components, remainder: difference(change, explained) },
    ...{ valueThen: before.value, atThen: BigInt(before.at), valueNow: after.value, atNow: BigInt(after.at) },
    ...(before.value !== 0 && { relativeChange: roundedAway(change / Math.abs(before.value), decimals) }),
  } satisfies MessageInitShape<typeof MoverSchema>;
}

export function difference(a: number, b: number): number {
  return roundedAway(a - b, decimals);
}
