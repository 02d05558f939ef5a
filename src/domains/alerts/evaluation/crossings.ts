import type { SeriesTrigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import type { Level, Threshold } from "./series-level.ts";

/** The API rejects other directions and rules without a threshold. Earlier rules without a threshold used 0. */
export function thresholdOf({ threshold = 0, direction, hysteresis }: SeriesTrigger): Threshold {
  return { threshold, direction: direction === "below" ? "below" : "above", hysteresis };
}

export function crossingMessage(
  series: string,
  key: string,
  { level, before }: { readonly level: Level; readonly before: Level | undefined },
) {
  return {
    series,
    key,
    at: BigInt(level.at),
    value: level.value,
    ...(before && { previousValue: before.value }),
    beyond: level.beyond,
  };
}

/** Returns whether a rule watches a key. One of the rule's keys must be equal to the key or to its first parts. */
export function watchesKey({ keys }: SeriesTrigger, key: string): boolean {
  const upper = key.toUpperCase();
  return (
    keys.length === 0 || keys.some((own) => upper === own.toUpperCase() || upper.startsWith(`${own.toUpperCase()}/`))
  );
}
