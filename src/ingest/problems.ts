import { dayMs, hourMs } from "../reference/duration.ts";
import type { DatasetStatus, SourceStatus } from "./dataset-status.ts";

/** Trouble that needs the operator. */
export interface Problem {
  /** Identifies the problem while it lasts, such as `source conflict-events/acled`. */
  readonly key: string;
  readonly text: string;
  /** Time for which it must last before it is reported. */
  readonly delayMs?: number;
}

/** Returns datasets that are too old to be served, and sources that fail or changed their format in the last day. */
export function ingestProblems(statuses: readonly DatasetStatus[], now: Date): Problem[] {
  return statuses.flatMap(({ name, state, reason, sources }) => [
    ...(state === "expired"
      ? [{ key: `dataset ${name}`, text: `The dataset ${name} is too old to be served. ${reason ?? ""}`.trim() }]
      : []),
    ...sources.flatMap((source) => sourceProblems(name, source, now)),
  ]);
}

function sourceProblems(dataset: string, source: SourceStatus, now: Date): Problem[] {
  const { name, state, error, words, lastGoodAt, drift = [] } = source;
  const isFailing = state === "failed" || state === "refused";
  const since = lastGoodAt === undefined ? "was never read" : `was last read at ${lastGoodAt}`;
  const recent = drift.filter(({ at }) => now.getTime() - Date.parse(at) < dayMs);
  return [
    ...(isFailing
      ? [
          {
            key: `source ${dataset}/${name}`,
            text: `${name} of ${dataset} fails and ${since}: ${words ?? error}`,
            // A failing source is reported only after this time. Shorter failures often end without the operator.
            delayMs: hourMs,
          },
        ]
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
