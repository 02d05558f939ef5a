import type { SourceStatus } from "../ingest/dataset-status.ts";
import type { LiveSourceStatus } from "../ingest/health.ts";
import type { SourceAccess, SourceTerms } from "../ingest/source.ts";

/** A hint about a source that is not configured or that rejects requests. */
export interface AccessHint extends Partial<SourceAccess> {
  readonly source: string;
  /** Names of variables that are not set. */
  readonly missing?: readonly string[];
  /** HTTP status with which the source rejected the request. */
  readonly status?: number;
}

type Status =
  | Pick<SourceStatus, "name" | "missing" | "status" | "missingParts">
  | Pick<LiveSourceStatus, "name" | "missing">;

/** Returns a hint for each source that lacks a variable or whose last response had the status 403 or 429. */
export function accessHints(statuses: readonly Status[], sources: readonly SourceTerms[]): AccessHint[] {
  const known = new Map(sources.map(({ name, access }) => [name, access]));
  const hints = statuses.flatMap((status): AccessHint[] => {
    const { name: source, missing } = status;
    const access = known.get(source);
    const rejected = rejectionOf(status);
    if (missing.length > 0) return access?.signUp ? [{ source, missing, ...access }] : [];
    return rejected !== undefined && access ? [{ source, status: rejected, ...access }] : [];
  });
  return [...new Map(hints.map((hint) => [hint.source, hint])).values()];
}

function rejectionOf(status: Status): number | undefined {
  if (!("missingParts" in status || "status" in status)) return undefined;
  const { missingParts = [] } = status;
  return [status.status, ...missingParts.map((part) => part.status)].find((code) => code === 403 || code === 429);
}

/** Formats a hint as one line. */
export function hintInWords({ source, missing, status, signUp, cost, quota, terms, rejection }: AccessHint): string {
  const where =
    signUp === undefined ? [] : [`available at ${signUp}`, `cost: ${cost}`, `quota: ${quota}`, `terms: ${terms}`];
  const what = missing ? [] : [`HTTP ${status}${rejection === undefined ? "" : `: ${rejection}`}`];
  return `${source}: ${[...what, ...where].join("; ")}`;
}
