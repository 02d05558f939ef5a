import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import type { DigestItemSchema, WatchlistTrigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { labelOf } from "../../../contract/labels.ts";
import { countries } from "../../../reference/countries/countries.ts";
import { dayMs } from "../../../reference/duration.ts";
import { named } from "../../../reference/named.ts";
import { chokepointById } from "../../../reference/trade/chokepoints.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { countTenders } from "../../economic/published.ts";
import { compareEnds, keyOf } from "../../history/published.ts";
import { chokepointSeries, type Watched } from "../rules/rule-trigger.ts";

export interface DigestParts {
  readonly database: Kysely<StoreTables>;
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

/** Days of a digest. */
export function daysOf({ digest }: Pick<WatchlistTrigger, "digest">): 1 | 7 {
  return digest === "weekly" ? 7 : 1;
}

export function periodTo(to: number, trigger: Pick<WatchlistTrigger, "digest">): Period {
  return { from: to - daysOf(trigger) * dayMs, to };
}

/** Returns the items of a watchlist with their changes. Leaves out series that the plan does not include. */
export async function readDigest(
  trigger: WatchlistTrigger,
  { period, tier }: { readonly period: Period; readonly tier: number },
  parts: DigestParts,
): Promise<DigestItem[]> {
  const { known, items } = seriesItems(trigger, parts.watched, tier);
  const values = new Map<string, Awaited<ReturnType<typeof compareEnds>>>();
  for (const [id, own] of Map.groupBy(items, ({ series }) => series)) {
    const series = known.get(id);
    if (series) values.set(id, await compareEnds(series, { ...period, keys: own.map(({ key }) => key) }, parts));
  }
  const ofSeries = items.flatMap(({ kind, item, series, key, name }): DigestItem[] => {
    const { before, after, change } = values.get(series)?.get(key) ?? {};
    // Few series cover every country, so those without a value are left out.
    if (kind === "country" && before === undefined && after === undefined) return [];
    const title = `${name}: ${labelOf(series.replaceAll(".", "_")).toLowerCase()}`;
    const figures = { ...named("valueThen", before), ...named("valueNow", after), ...named("change", change) };
    return [{ kind, item, series, title, ...figures }];
  });
  const span = { from: new Date(period.from), to: new Date(period.to) };
  const searches: DigestItem[] = [];
  for (const query of trigger.searches) {
    const count = await countTenders(parts.database, query, span);
    searches.push({ kind: "search", item: query, title: `Notices: ${query}`, valueNow: count });
  }
  return [...ofSeries, ...searches];
}

function seriesItems(
  { countries: codes, series, chokepoints }: WatchlistTrigger,
  { series: all }: Watched,
  tier: number,
) {
  const known = new Map([...all].filter(([, each]) => each.restricted.length === 0 && each.tier <= tier));
  // A yearly value hardly ever changes within a week.
  const ofCountries = [...known.values()].filter(
    ({ series: { keyParts, step } }) => keyParts.join() === "country" && step !== "year" && step !== "quarter",
  );
  const items: SeriesItem[] = [
    ...codes.flatMap((code) =>
      ofCountries.map(({ series: { id } }) => {
        const name = countries.get(code)?.name ?? code;
        return { kind: "country", item: code, series: id, key: code, name } as const;
      }),
    ),
    ...series.flatMap((item) => {
      const [id = "", ...rest] = item.split("/");
      const own = known.get(id);
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
  return { known, items };
}
