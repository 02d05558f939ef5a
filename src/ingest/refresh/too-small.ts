import type { Rejection, SourceMetadata } from "../source.ts";

/** An answer with less than this share of the last good one's rows is taken for broken. */
export const shrinksTo = 0.5;

/** Rows of which none can be read are not no rows. */
export function noneGood(rows: number, rejected: readonly Rejection[]): string | undefined {
  if (rows > 0 || rejected.length === 0) return undefined;
  return `all of its ${rejected.length} rows were rejected: ${rejected[0]?.reason}`;
}

/** Why so few rows are not believed: fewer than the floor, or far fewer than the last good answer had. */
export function tooFew(
  { rows: { mayBeEmpty } }: Pick<SourceMetadata, "rows">,
  rows: number,
  { floor, previous }: { readonly floor: number; readonly previous: number },
): string | undefined {
  if (mayBeEmpty) return undefined;
  if (rows === 0) return "an empty answer";
  if (rows < floor) return `${rows} rows, and a good answer has at least ${floor}`;
  return rows < previous * shrinksTo ? `${rows} rows, and the last good answer had ${previous}` : undefined;
}
