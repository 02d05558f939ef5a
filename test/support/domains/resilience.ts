import { type InputReading, type Inputs, worldOf } from "../../../src/domains/resilience/country-data.ts";
import { type InputName, inputSources, inputs, type SourceName } from "../../../src/domains/resilience/inputs.ts";

export const now = new Date("2026-11-18T12:00:00Z");
export const everySource = Object.keys(inputSources) as SourceName[];

/** Values of a country, each of last year unless a period is given. */
export type Reported = Partial<Record<InputName, number | readonly (readonly [period: string, value: number])[]>>;

function readingsOf(country: string, reported: Reported): InputReading[] {
  return (Object.keys(reported) as InputName[]).flatMap((input) => {
    const values = reported[input] ?? [];
    const [[source, series] = ["unhcr", "x"] as const] = inputs[input].reportedBy;
    return (typeof values === "number" ? ([["2025", values]] as const) : values).map(([period, value]) => ({
      ...{ country, input, period, value, source, series },
    }));
  });
}

/** A world with these values of some countries. Its sources were read just now, except the unread ones. */
export function worldReporting(
  reported: Readonly<Record<string, Reported>>,
  unread: readonly SourceName[] = [],
  sources: readonly SourceName[] = everySource,
): Inputs {
  const readAt = new Map(sources.map((source) => [source, unread.includes(source) ? undefined : now]));
  const readings = Object.entries(reported).flatMap(([country, values]) => readingsOf(country, values));
  return worldOf(readings, readAt, now);
}
