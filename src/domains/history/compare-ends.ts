import { dayMs } from "../../reference/duration.ts";
import type { StoredPoint } from "../../store/history/stored-points.ts";
import { difference, endsOf } from "./movers.ts";
import { pointsOf } from "./points.ts";
import type { KnownSeries, Parts } from "./series-access.ts";

interface Compared {
  readonly before?: number;
  readonly after?: number;
  /** Absent if a value is unknown, or if the method or the sources changed in between. */
  readonly change?: number;
}

function byUpperKey(points: ReadonlyMap<string, StoredPoint>): ReadonlyMap<string, StoredPoint> {
  return new Map([...points].map(([key, point]) => [key.toUpperCase(), point]));
}

/**
 * Returns the values at both ends of a span by key in upper case. Counts are sums of the last counted days, as many as the
 * span has, and of as many days before them: a day that is not counted yet is not 0.
 */
export async function compareEnds(
  { series, dataset }: Pick<KnownSeries, "series" | "dataset">,
  { keys, from, to }: { readonly keys: readonly string[]; readonly from: number; readonly to: number },
  parts: Pick<Parts, "database" | "data" | "clock">,
): Promise<ReadonlyMap<string, Compared>> {
  if (series.isCount !== true) {
    const ends = await endsOf({ series, dataset, now: to }, { keys, span: { from, to } }, { parts });
    const [before = new Map(), after = new Map()] = ends.map(byUpperKey);
    return new Map(
      keys.map((key) => {
        const [first, last] = [before.get(key), after.get(key)];
        const isComparable = first && last && first.basis === last.basis;
        return [
          key,
          {
            ...(first && { before: first.value }),
            ...(last && { after: last.value }),
            ...(isComparable && { change: difference(last.value, first.value) }),
          },
        ] as const;
      }),
    );
  }
  const length = to - from;
  const start = from - 2 * length - dayMs;
  const span = { requested: start, from: start, to, interval: "raw", aggregation: "last" } as const;
  const wanted = { series: series.id, origin: parts.data, keys, span, now: to };
  const points = Map.groupBy(await pointsOf({ series, dataset }, wanted, parts), ({ key }) => key.toUpperCase());
  return new Map(
    keys.map((key) => {
      const own = points.get(key) ?? [];
      const last = Math.max(...own.map(({ at }) => Number(at)));
      // The last counted day was over before the span began.
      if (last + dayMs <= from) return [key, {}] as const;
      const sum = (isIn: (at: number) => boolean) =>
        own.reduce((total, { at, value = 0 }) => total + (isIn(Number(at)) ? value : 0), 0);
      const [then, now] = [sum((at) => at <= last - length && at > last - 2 * length), sum((at) => at > last - length)];
      return [key, { before: then, after: now, change: difference(now, then) }] as const;
    }),
  );
}
