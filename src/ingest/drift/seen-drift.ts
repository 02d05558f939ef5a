import { z } from "zod";
import { dayMs } from "../../reference/duration.ts";
import { type Drift, driftSchema } from "./drift.ts";

const seenSchema = z.array(driftSchema.extend({ at: z.string() }));

/** A difference with the time when it was first seen, ISO 8601. */
export type SeenDrift = z.output<typeof seenSchema>[number];

/** Operators can look up a difference for this time. */
const reportedForMs = 30 * dayMs;
const maxReported = 50;

export function readDrift(stored: unknown): readonly SeenDrift[] {
  return stored === null || stored === undefined ? [] : seenSchema.parse(stored);
}

export function unreported(found: readonly Drift[], seen: readonly SeenDrift[]): readonly Drift[] {
  return found.filter(
    ({ kind, field, detail }) =>
      !seen.some((known) => known.kind === kind && known.field === field && known.detail === detail),
  );
}

export function withDrift(seen: readonly SeenDrift[], found: readonly Drift[], at: Date): readonly SeenDrift[] {
  const recent = seen.filter((known) => at.getTime() - Date.parse(known.at) < reportedForMs);
  return [...found.map((drift) => ({ ...drift, at: at.toISOString() })), ...recent].slice(0, maxReported);
}

export function driftInWords(found: readonly Drift[]): string {
  return found.map(({ kind, field, detail }) => `${kind} ${field} (${detail})`).join("; ");
}
