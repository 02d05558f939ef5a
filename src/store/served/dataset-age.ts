import { type DataStatus, worseOf } from "../../contract/data-status.ts";
import { minuteMs } from "../../reference/duration.ts";

export interface AgeTerms {
  readonly name: string;
  readonly freshForMinutes: number;
  readonly servableForMinutes?: number;
  readonly sources: readonly { readonly name: string; readonly own?: true }[];
  readonly main?: readonly { readonly name: string }[];
}

export interface Reading {
  readonly readAt: Date;
  /** Main sources without a successful read. If none is defined, all external sources, unless one was read. */
  readonly missing: readonly string[];
}

const minServableMinutes = 24 * 60;

export function servableMinutes({ freshForMinutes, servableForMinutes }: AgeTerms): number {
  return servableForMinutes ?? Math.max(2 * freshForMinutes, minServableMinutes);
}

/**
 * Returns when a dataset's oldest main source was read, or without main sources, its newest external one. Values that
 * are recomputed from old responses are as old as these. `fetchedAt` has the time of each source's last good response.
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

export interface Inputs {
  readonly datasetOf: (name: string) => AgeTerms | undefined;
  readonly readingOf: (terms: AgeTerms) => Reading | undefined;
  readonly now: Date;
}

/** Returns the status of a dataset with its main inputs: the worse of their states counts. Undefined without data. */
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
