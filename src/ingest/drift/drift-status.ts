import { printable } from "../../reference/printable.ts";
import { readDrift, type SeenDrift } from "./seen-drift.ts";

export interface DriftStatus {
  readonly at: string;
  readonly kind: SeenDrift["kind"];
  /** Path in the responses, such as `results[].country`. */
  readonly field: string;
  /** Types, codes, or days. */
  readonly words: string;
}

const maxDriftWords = 100;

/** The drift contains only values that are codes, which are short words without digits. */
export function driftStatuses(stored: unknown): DriftStatus[] {
  return readDrift(stored).map(({ at, kind, field, detail }) => ({
    at,
    kind,
    field,
    words: shortened(printable(detail)),
  }));
}

function shortened(text: string): string {
  return text.length <= maxDriftWords ? text : `${text.slice(0, maxDriftWords - 1).toWellFormed()}…`;
}
