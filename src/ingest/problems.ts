import type { DatasetStatus, SourceStatus } from "./dataset-status.ts";

/** Trouble that needs the operator. */
export interface Problem {
  /** Identifies the problem while it lasts, such as `source conflict-events/acled`. */
  readonly key: string;
  readonly text: string;
}

/** Shorter failures often end without the operator. */
const failingSeconds = 3_600;
const driftSeconds = 86_400;

/** Returns datasets that are too old to be served, and sources that fail for an hour or changed their format today. */
export function ingestProblems(statuses: readonly DatasetStatus[], now: Date): Problem[] {
  return statuses.flatMap(({ name, state, reason, sources }) => [
    ...(state === "expired"
      ? [{ key: `dataset ${name}`, text: `The dataset ${name} is too old to be served. ${reason ?? ""}`.trim() }]
      : []),
    ...sources.flatMap((source) => sourceProblems(name, source, now)),
  ]);
}

function sourceProblems(dataset: string, source: SourceStatus, now: Date): Problem[] {
  const { name, state, error, words, lastGoodAt, lastGoodAgeSeconds, drift = [] } = source;
  const isFailing =
    (state === "failed" || state === "refused") && (lastGoodAgeSeconds ?? Number.POSITIVE_INFINITY) > failingSeconds;
  const since = lastGoodAt === undefined ? "was never read" : `was last read at ${lastGoodAt}`;
  const recent = drift.filter(({ at }) => now.getTime() - Date.parse(at) < driftSeconds * 1_000);
  return [
    ...(isFailing
      ? [{ key: `source ${dataset}/${name}`, text: `${name} of ${dataset} fails and ${since}: ${words ?? error}` }]
      : []),
    ...(recent.length > 0
      ? [
          {
            key: `format ${dataset}/${name}`,
            text: `The format of ${name} of ${dataset} has changed: ${recent.map(({ kind, field }) => `${kind} ${field}`).join(", ")}`,
          },
        ]
      : []),
  ];
}
