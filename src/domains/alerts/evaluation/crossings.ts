import type { SeriesTrigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import type { Level, Threshold } from "./series-level.ts";

/** The contract lets no other direction pass, nor a rule without a threshold; earlier ones without any were of 0. */
export function thresholdOf({ threshold = 0, direction, hysteresis }: SeriesTrigger): Threshold {
  return { threshold, direction: direction === "below" ? "below" : "above", hysteresis };
}

/** A crossing as it is reported. */
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

/** Whether a rule watches a key: one of its own is the key, or its first parts. */
export function watchesKey({ keys }: SeriesTrigger, key: string): boolean {
  const upper = key.toUpperCase();
  return (
    keys.length === 0 || keys.some((own) => upper === own.toUpperCase() || upper.startsWith(`${own.toUpperCase()}/`))
  );
}
