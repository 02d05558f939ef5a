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
 * Returns the values at both ends of a span by key in upper case. Counts are sums of the span and of the equally long one
 * before it.
 */
export async function compareEnds(
  { series, dataset }: KnownSeries,
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
  const start = from - (to - from);
  const span = { requested: start, from: start, to, interval: "raw", aggregation: "last" } as const;
  const wanted = { series: series.id, origin: parts.data, keys, span, now: to };
  const points = Map.groupBy(await pointsOf({ series, dataset }, wanted, parts), ({ key }) => key.toUpperCase());
  return new Map(
    keys.map((key) => {
      const own = points.get(key);
      if (!own) return [key, {}] as const;
      const sum = (isIn: (at: number) => boolean) =>
        own.reduce((total, { at, value = 0 }) => total + (isIn(Number(at)) ? value : 0), 0);
      const [first, last] = [sum((at) => at <= from), sum((at) => at > from)];
      return [key, { before: first, after: last, change: difference(last, first) }] as const;
    }),
  );
}
