import { driftInWords } from "../ingest/drift/seen-drift.ts";
import type { UpstreamExchange } from "../ingest/refresh/observed-upstream.ts";
import type { SourceCheck } from "../ingest/refresh/source-check.ts";
import { shrinksTo } from "../ingest/refresh/too-small.ts";
import { paragraphs, table } from "./table.ts";
import type { Terminal } from "./terminal.ts";

export interface Unset {
  readonly source: string;
  readonly missing: readonly string[];
}

/**
 * `changed`: fields that the parser reads are missing or of another type. `shrunk`: far fewer rows than last time.
 * `refused`: a refresh would reject the rows, for example because all of them are invalid.
 */
export type CheckState = "ok" | "partial" | "shrunk" | "refused" | "changed" | "failed";

export function stateOf({ failure, missing, unfound, retyped, rejection, rowsOut, lastRows }: SourceCheck): CheckState {
  if (failure) return "failed";
  if (unfound.length > 0 || retyped.length > 0) return "changed";
  if (rowsOut > 0 && lastRows !== undefined && rowsOut < lastRows * shrinksTo) return "shrunk";
  if (rejection !== undefined) return "refused";
  return missing.length > 0 ? "partial" : "ok";
}

export function reportText(out: Terminal["out"], checks: readonly SourceCheck[], unset: readonly Unset[]): string {
  const headings = ["source", "state", "HTTP", "time", "size", "rows", "rejected", "of last", "license"];
  const lines = checks.map((check) => [
    check.source,
    stateOf(check),
    statuses(check.exchanges),
    `${(sum(check.exchanges, ({ milliseconds }) => milliseconds) / 1000).toFixed(1)} s`,
    size(sum(check.exchanges, bytesOf)),
    check.available === undefined ? String(check.rowsOut) : `${check.rowsOut}/${check.available}`,
    String(check.rowsIn - check.rowsOut),
    check.lastRows ? `${Math.round((100 * check.rowsOut) / check.lastRows)} %` : "",
    check.license.kind,
  ]);
  const details = checks.flatMap((check) => detailsOf(check).map((detail) => `${check.source}: ${detail}`));
  const others = unset.map(({ source, missing }) => `${source}: not checked, set ${missing.join(", ")}`);
  const parts = [table(out, headings, lines), paragraphs(out, details), paragraphs(out, others)];
  return parts.filter((part) => part !== "").join("\n");
}

export function reportJson(checks: readonly SourceCheck[], unset: readonly Unset[]): unknown {
  return {
    checks: checks.map((check) => {
      const { exchanges, failure, ...metadata } = check;
      return {
        state: stateOf(check),
        ...metadata,
        ...(failure && { failure: { kind: failure.kind, status: failure.status, words: failure.words } }),
        requests: exchanges.length,
        statuses: statuses(exchanges),
        milliseconds: Math.round(sum(exchanges, ({ milliseconds }) => milliseconds)),
        bytes: sum(exchanges, bytesOf),
      };
    }),
    unset,
  };
}

function detailsOf(check: SourceCheck): string[] {
  const { failure, rejection, unfound, reasons, missing, drift, heldAgainst } = check;
  return [
    ...(failure ? [failure.words] : []),
    ...(rejection === undefined ? [] : [rejection]),
    ...(unfound.length > 0 ? [`not found: ${unfound.join(", ")}`] : []),
    ...missing.map(({ part, reason }) => `without ${part}: ${reason}`),
    ...reasons.map(({ reason, count, row }) => `${count} rejected: ${reason} (${row})`),
    ...(drift.length > 0 ? [`against the ${heldAgainst}: ${driftInWords(drift)}`] : []),
  ];
}

function statuses(exchanges: readonly UpstreamExchange[]): string {
  const counts = Map.groupBy(exchanges, ({ failure }) => (failure ? (failure.status ?? "none") : 200));
  return [...counts].map(([status, of]) => (of.length === 1 ? `${status}` : `${status}×${of.length}`)).join(" ");
}

function bytesOf({ text = "" }: UpstreamExchange): number {
  return Buffer.byteLength(text);
}

function sum(exchanges: readonly UpstreamExchange[], of: (exchange: UpstreamExchange) => number): number {
  return exchanges.reduce((total, exchange) => total + of(exchange), 0);
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
