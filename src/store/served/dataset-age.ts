import { type DataStatus, worseOf } from "../../contract/data-status.ts";
import { minuteMs } from "../../reference/duration.ts";

/** What is known of a dataset before anything of it is stored: when it counts as old, and what it must have. */
export interface AgeTerms {
  readonly name: string;
  readonly freshForMinutes: number;
  readonly servableForMinutes?: number;
  readonly sources: readonly { readonly name: string; readonly own?: true }[];
  readonly main?: readonly { readonly name: string }[];
}

/** How old what is stored of a dataset is by its sources, and what it lacks. */
export interface Reading {
  readonly readAt: Date;
  /** Main sources that were never read; where none is named and no source that is not our own was, all of those. */
  readonly missing: readonly string[];
}

const minServableMinutes = 24 * 60;

export function servableMinutes({ freshForMinutes, servableForMinutes }: AgeTerms): number {
  return servableForMinutes ?? Math.max(2 * freshForMinutes, minServableMinutes);
}

/**
 * As old as the oldest of its main sources, or else as the newest of those that are not our own: what is computed anew from
 * old answers is as old as they are. `fetchedAt` holds the last good answer of each source, of the origin that is served.
 */
export function readingOf(
  { sources, main }: Pick<AgeTerms, "sources" | "main">,
  fetchedAt: ReadonlyMap<string, Date>,
  storedAt: Date,
): Reading {
  const outside = sources.filter(({ own }) => !own);
  const mainSources = sources.filter(({ name }) => main?.some((part) => part.name === name));
  const counted = mainSources.length > 0 ? mainSources : outside.length > 0 ? outside : sources;
  const times = counted.flatMap(({ name }) => fetchedAt.get(name)?.getTime() ?? []);
  const unread = counted.filter(({ name, own }) => !own && !fetchedAt.has(name)).map(({ name }) => name);
  const pick = mainSources.length > 0 ? Math.min : Math.max;
  return {
    readAt: times.length > 0 ? new Date(pick(...times)) : storedAt,
    missing: mainSources.length > 0 || times.length === 0 ? unread : [],
  };
}

/** How a dataset that was read so stands at a moment. */
export function dataStatusAt(terms: AgeTerms, { readAt, missing }: Reading, now: Date): DataStatus {
  const ageMs = Math.max(0, now.getTime() - readAt.getTime());
  const freshForMs = terms.freshForMinutes * minuteMs - ageMs;
  const servableForMs = servableMinutes(terms) * minuteMs - ageMs;
  const rejection = rejectionOf(terms.name, missing, servableForMs < 0 ? readAt : undefined);
  return {
    staleForMs: freshForMs < 0 ? ageMs : 0,
    freshForMs: Math.max(0, freshForMs),
    servableForMs: Math.max(0, servableForMs),
    readAt,
    missing,
    ...(rejection === undefined ? {} : { rejection }),
  };
}

/** The datasets of which a standing is taken, and what of each may be served. */
export interface Inputs {
  readonly datasetOf: (name: string) => AgeTerms | undefined;
  readonly readingOf: (terms: AgeTerms) => Reading | undefined;
  readonly now: Date;
}

/** How a dataset stands with those that it is mainly made from: it is no younger than they are. Undefined where there is nothing. */
export function dataStatusWithInputs(
  terms: AgeTerms,
  inputs: Inputs,
): (DataStatus & Pick<Reading, "readAt">) | undefined {
  const reading = inputs.readingOf(terms);
  if (!reading) return undefined;
  let dataStatus = dataStatusAt(terms, reading, inputs.now);
  for (const { name } of terms.main ?? []) {
    const input = inputs.datasetOf(name);
    if (!input) continue;
    const under = dataStatusWithInputs(input, inputs);
    dataStatus = worseOf(dataStatus, under ?? dataStatusAt(terms, { ...reading, missing: [name] }, inputs.now));
  }
  return { ...dataStatus, readAt: dataStatus.readAt ?? reading.readAt };
}

function rejectionOf(name: string, missing: readonly string[], expired: Date | undefined): string | undefined {
  if (missing.length > 0) return `${name} is not complete: never read was ${missing.join(", ")}`;
  if (expired) return `${name} is too old to be served: it was last read at ${expired.toISOString()}`;
  return undefined;
}
