import { hourMs } from "../../../reference/duration.ts";
import { type Inputs, sourcesOf } from "../country-data.ts";
import { cadences, inputSources, type SourceName } from "../inputs.ts";
import type { Indicator } from "../method/indicator.ts";
import { rules } from "../method/structure.ts";

export interface Freshness {
  /** The read time of the source that was read least recently. Undefined if no source was ever read. */
  readonly readAt: Date | undefined;
  readonly staleness: Staleness;
}

export type Staleness = "" | "fresh" | "aging" | "stale";

export function freshnessOf(indicators: readonly Indicator[], inputs: Inputs): Freshness {
  const sources = sourcesBehind(indicators, inputs);
  const stamps = sources.flatMap((source) => inputs.readAt.get(source) ?? []);
  const [oldest] = stamps.sort((a, b) => a.getTime() - b.getTime());
  if (!oldest) return { readAt: undefined, staleness: "" };
  const levels = sources.map((source) => stalenessOf(source, inputs));
  const worst = (["stale", "aging"] as const).find((level) => levels.includes(level)) ?? "fresh";
  return { readAt: oldest, staleness: worst };
}

/** Returns the sources of the indicators. If an input has several sources, those that were never read are left out. */
export function sourcesBehind(indicators: readonly Indicator[], countryInputs: Inputs): readonly SourceName[] {
  const reported = indicators.flatMap(({ inputs }) =>
    inputs.flatMap((input) => {
      const sources = sourcesOf(countryInputs, input);
      const read = sources.filter((source) => countryInputs.readAt.get(source));
      return read.length > 0 ? read : sources;
    }),
  );
  return [...new Set(reported)];
}

/** Returns the staleness of a source. A read time in the future counts as stale. */
function stalenessOf(source: SourceName, inputs: Inputs): Staleness {
  const { cadence } = inputSources[source];
  const age = ageHours(source, inputs);
  if (age === undefined || age < 0 || isFailed(source, inputs)) return "stale";
  if (age < rules.ages.fresh * cadences[cadence]) return "fresh";
  return age < rules.ages.aging * cadences[cadence] ? "aging" : "stale";
}

export function isFailed(source: SourceName, inputs: Inputs): boolean {
  const age = ageHours(source, inputs);
  return age === undefined || age > inputSources[source].limitDays * 24;
}

function ageHours(source: SourceName, { now, readAt }: Inputs): number | undefined {
  const at = readAt.get(source);
  return at && (now.getTime() - at.getTime()) / hourMs;
}
