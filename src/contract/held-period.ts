import type { HandlerContext } from "@connectrpc/connect";
import { noteMissing } from "./request-context.ts";

/** A period in Unix epoch milliseconds. Both ends are included. An absent end is open. */
type Period = Partial<Readonly<Record<"from" | "to", bigint | undefined>>>;

/** Earliest and latest time for which the service has rows. Without a latest time, the source reports up to now. */
export interface Held {
  readonly heldFrom: bigint | undefined;
  readonly heldTo?: bigint | undefined;
}

/**
 * Returns the response's fields about parts of the requested period for which the service has no rows. Also records
 * these parts as missing, so that headers and files name them. `isPartial` is not set if the period only ends too late,
 * because sources report their newest days late.
 */
export function heldPeriod(
  { from, to }: Period,
  { heldFrom, heldTo, rows }: Held & { readonly rows: string },
  context: Pick<HandlerContext, "values">,
) {
  if (heldFrom === undefined) return {};
  const isBefore = to !== undefined && to < heldFrom;
  const isAfter = !isBefore && heldTo !== undefined && from !== undefined && from > heldTo;
  const isPartial = isBefore || isAfter || (from !== undefined && from < heldFrom);
  const endsLater = heldTo !== undefined && to !== undefined && to > heldTo;
  const textOf = (at: bigint) => new Date(Number(at)).toISOString();
  if (isPartial && !isAfter) noteMissing(context, `${rows} before ${textOf(heldFrom)}`);
  if (isAfter || endsLater) noteMissing(context, `${rows} after ${textOf(heldTo)}`);
  const unavailableReason = isBefore ? "before_held_period" : isAfter ? "after_held_period" : "";
  return { heldFrom, ...(heldTo !== undefined && { heldTo }), isPartial, unavailableReason };
}

/** Returns whether the reason in a response says that the service has no rows for any part of the requested period. */
export function isUnheldReason(reason: unknown): boolean {
  return reason === "before_held_period" || reason === "after_held_period";
}
