import type { Licence, Lookup, SourceTerms } from "./source.ts";

/** How a source stands that an operation asks while a caller waits. */
export interface LookupCondition {
  readonly name: string;
  readonly operation: string;
  /** `unconfigured`: a variable is missing, so that it is never asked. */
  readonly state: "ready" | "unconfigured";
  readonly missing: readonly string[];
  readonly licence: Licence;
}

export function lookupConditions(
  lookups: readonly Lookup[],
  missingOf: (source: SourceTerms) => readonly string[],
): LookupCondition[] {
  return lookups.map((lookup) => {
    const { name, licence } = lookup;
    const operation = lookup.serves.map((method) => method.name).join(", ");
    const missing = missingOf(lookup);
    return { name, operation, state: missing.length > 0 ? "unconfigured" : "ready", missing, licence };
  });
}
