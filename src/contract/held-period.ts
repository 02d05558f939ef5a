import type { HandlerContext } from "@connectrpc/connect";
import { noteMissing } from "./request-context.ts";

/** A period in Unix epoch milliseconds. Both ends are included. An absent end is open. */
type Period = Partial<Readonly<Record<"from" | "to", bigint | undefined>>>;

/** Earliest and latest moment for which rows are held. The source reports nothing later yet; absent if it does. */
export interface Held {
  readonly heldFrom: bigint | undefined;
  readonly heldTo?: bigint | undefined;
}

/**
 * Returns what a response says about the parts of a period for which no rows are held. It also notes them as missing, so
 * that headers and files say so. The flag of the body is not set for a period that only ends later, because sources
 * report their newest days late.
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

/** Returns whether a reason of a response says that its whole period is not held. */
export function isUnheldReason(reason: unknown): boolean {
  return reason === "before_held_period" || reason === "after_held_period";
}
