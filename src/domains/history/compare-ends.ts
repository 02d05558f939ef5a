import { dayMs } from "../../reference/duration.ts";
import { named } from "../../reference/named.ts";
import { difference, endsOf } from "./movers.ts";
import { countedDays } from "./points.ts";
import type { KnownSeries, Parts } from "./series-access.ts";

interface Compared {
  readonly before?: number;
  readonly after?: number;
  /** The difference of the two values. Absent if one is unknown, or if the method or sources changed between them. */
  readonly change?: number;
}

function byUpperKey<T>(values: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...values].map(([key, value]) => [key.toUpperCase(), value]));
}

/**
 * Returns the values at both ends of a time span, by upper-case key. Counts are sums of the last counted days, as many
 * as the span has, and of as many days before them, because a day that is not counted yet is not 0.
 */
export async function compareEnds(
  { series, dataset }: Pick<KnownSeries, "series" | "dataset">,
  { keys, from, to }: { readonly keys: readonly string[]; readonly from: number; readonly to: number },
  parts: Pick<Parts, "database" | "data">,
): Promise<ReadonlyMap<string, Compared>> {
  if (series.isCount !== true) {
    const ends = await endsOf({ series, dataset, now: to }, { keys, span: { from, to } }, { parts });
    const [before, after] = [byUpperKey(ends[0]), byUpperKey(ends[1])];
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
  const days = Math.max(1, Math.round((to - from) / dayMs));
  const counted = byUpperKey(await countedDays({ series, dataset }, { days, to, now: to, keys }, parts));
  return new Map(
    keys.map((key) => {
      const sums = counted.get(key);
      // The last counted day was over before the span began.
      if (sums?.last === undefined || sums.last + dayMs <= from) return [key, {}] as const;
      const { before, after, isBroken } = sums;
      const change = before === undefined || isBroken ? undefined : difference(after, before);
      return [key, { ...named("before", before), after, ...named("change", change) }] as const;
    }),
  );
}
