import type { Rejection, SourceMetadata } from "../source.ts";

/** A response with less than this share of the last good one's rows counts as broken. */
export const shrinksTo = 0.5;

export function noneGood(rows: number, rejected: readonly Rejection[]): string | undefined {
  if (rows > 0 || rejected.length === 0) return undefined;
  return `all of its ${rejected.length} rows were rejected: ${rejected[0]?.reason}`;
}

export function tooFew(
  { rows: { mayBeEmpty } }: Pick<SourceMetadata, "rows">,
  rows: number,
  { floor, previous }: { readonly floor: number; readonly previous: number },
): string | undefined {
  if (mayBeEmpty) return undefined;
  if (rows === 0) return "an empty response";
  if (rows < floor) return `${rows} rows, and a good response has at least ${floor}`;
  return rows < previous * shrinksTo ? `${rows} rows, and the last good response had ${previous}` : undefined;
}
