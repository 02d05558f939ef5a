import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DigestItemSchema, WatchlistTrigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { labelOf } from "../../../contract/labels.ts";
import { RequestAborted } from "../../../errors.ts";
import { countries } from "../../../reference/countries/countries.ts";
import { dayMs } from "../../../reference/duration.ts";
import { named } from "../../../reference/named.ts";
import { chokepointById } from "../../../reference/trade/chokepoints.ts";
import type { Store } from "../../../store/tables.ts";
import { countTenders, globalTenders } from "../../economic/published.ts";
import { compareEnds, keyOf } from "../../history/published.ts";
import { chokepointSeries, type Watched } from "../rules/rule-trigger.ts";

export interface DigestParts {
  readonly database: Store;
  readonly data: "live" | "sample";
  readonly clock: () => Date;
  readonly watched: Watched;
}

export interface Period {
  readonly from: number;
  readonly to: number;
}

export type DigestItem = MessageInitShape<typeof DigestItemSchema> & {
  readonly item: string;
  readonly valueThen?: number;
  readonly change?: number;
};

/** An item of a watchlist with the series and the key of its values. */
interface SeriesItem {
  readonly kind: "country" | "series" | "chokepoint";
  readonly item: string;
  readonly series: string;
  readonly key: string;
  readonly name: string;
}

export interface Digest {
  readonly period: Period;
  readonly items: readonly DigestItem[];
}

interface DigestRead {
  /** The time at which the period of every digest ends. */
  readonly to: number;
  readonly tier: number;
  /** Stops the reads of a client that has disconnected. */
  readonly signal?: AbortSignal;
}

/** The values of a series at both ends of the period, by key. */
type Values = Awaited<ReturnType<typeof compareEnds>>;

const notInPlan = "not_in_plan";

/** Returns the number of days that the digests of a watchlist cover. */
export function daysOf({ digest }: Pick<WatchlistTrigger, "digest">): 1 | 7 {
  return digest === "weekly" ? 7 : 1;
}

function periodTo(to: number, trigger: Pick<WatchlistTrigger, "digest">): Period {
  return { from: to - daysOf(trigger) * dayMs, to };
}

/**
 * Returns the digest of each watchlist. Watchlists share reads: each series is read once per period. A country's series
 * that the plan excludes are omitted. Other excluded items are listed without values.
 */
export async function readDigests(
  watchlists: readonly WatchlistTrigger[],
  read: DigestRead,
  parts: DigestParts,
): Promise<Digest[]> {
  const lists = watchlists.map((list) => ({
    searches: list.searches,
    period: periodTo(read.to, list),
    items: seriesItems(list, parts.watched, read.tier),
  }));
  const values = new Map<number, ReadonlyMap<string, Values>>();
  for (const [from, own] of Map.groupBy(lists, ({ period }) => period.from)) {
    const items = own.flatMap((list) => list.items);
    values.set(from, await valuesOf(items, { from, to: read.to }, read, parts));
  }
  const digests: Digest[] = [];
  for (const { searches, period, items } of lists) {
    const known = values.get(period.from);
    const ofSeries = items.flatMap((item) => seriesLine(item, known?.get(item.series)));
    digests.push({ period, items: [...ofSeries, ...(await searchLines(searches, period, read, parts))] });
  }
  return digests;
}

/** Returns the values of the items, first by series and then by key. Series that the plan excludes are absent. */
async function valuesOf(
  items: readonly SeriesItem[],
  period: Period,
  { tier, signal }: DigestRead,
  parts: DigestParts,
): Promise<ReadonlyMap<string, Values>> {
  const values = new Map<string, Values>();
  for (const [id, own] of Map.groupBy(items, ({ series }) => series)) {
    const series = parts.watched.series.get(id);
    if (!series || series.tier > tier) continue;
    requireClient(signal);
    const keys = [...new Set(own.map(({ key }) => key))];
    values.set(id, await compareEnds(series, { ...period, keys }, parts));
  }
  return values;
}

/** Returns the line of an item in the digest. `values` is undefined if the plan does not include the series. */
function seriesLine({ kind, item, series, key, name }: SeriesItem, values: Values | undefined): DigestItem[] {
  const title = `${name}: ${labelOf(series.replaceAll(".", "_")).toLowerCase()}`;
  if (!values) return [{ kind, item, series, title, emptyReason: notInPlan }];
  const { before, after, change } = values.get(key) ?? {};
  // Few series cover every country, so the series without a value for this country are omitted.
  if (kind === "country" && before === undefined && after === undefined) return [];
  const figures = { ...named("valueThen", before), ...named("valueNow", after), ...named("change", change) };
  return [{ kind, item, series, title, ...figures }];
}

async function searchLines(
  searches: readonly string[],
  { from, to }: Period,
  { tier, signal }: DigestRead,
  { database, watched }: DigestParts,
): Promise<DigestItem[]> {
  const isIncluded = (watched.tiers.get(globalTenders.name) ?? 0) <= tier;
  const lines: DigestItem[] = [];
  for (const query of searches) {
    requireClient(signal);
    const count = isIncluded && (await countTenders(database, query, { from: new Date(from), to: new Date(to) }));
    const value = count === false ? { emptyReason: notInPlan } : { valueNow: count };
    lines.push({ kind: "search", item: query, title: `Notices: ${query}`, ...value });
  }
  return lines;
}

/** Throws `RequestAborted` if the client has disconnected. */
function requireClient(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RequestAborted("The client has disconnected");
}

function seriesItems(
  { countries: codes, series, chokepoints }: WatchlistTrigger,
  { series: all }: Watched,
  tier: number,
): SeriesItem[] {
  const permitted = new Map([...all].filter(([, each]) => each.restricted.length === 0));
  // The digest of a country omits yearly and quarterly series, which hardly ever change within a week.
  const ofCountries = [...permitted.values()].filter(
    ({ tier: required, series: { keyParts, step } }) =>
      required <= tier && keyParts.join() === "country" && step !== "year" && step !== "quarter",
  );
  return [
    ...codes.flatMap((code) =>
      ofCountries.map(({ series: { id } }) => {
        const name = countries.get(code)?.name ?? code;
        return { kind: "country", item: code, series: id, key: code, name } as const;
      }),
    ),
    ...series.flatMap((item) => {
      const [id = "", ...rest] = item.split("/");
      const own = permitted.get(id);
      if (!own) return [];
      const key = keyOf(own.series, rest.join("/"));
      const [first = "", ...more] = rest.join("/").split("/");
      const name = [countries.get(first.toUpperCase())?.name ?? first, ...more].join(", ");
      return [{ kind: "series", item, series: id, key, name } as const];
    }),
    ...chokepoints.map((id) => {
      const name = chokepointById(id)?.name ?? id;
      return { kind: "chokepoint", item: id, series: chokepointSeries, key: id.toUpperCase(), name } as const;
    }),
  ];
}
