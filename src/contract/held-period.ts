import type { HandlerContext } from "@connectrpc/connect";
import { noteMissing } from "./request-context.ts";

/** A period in Unix epoch milliseconds. Both ends are included. An absent end is open. */
type Period = Partial<Readonly<Record<"from" | "to", bigint | undefined>>>;

/**
 * Returns what a response says about the part of a period before the earliest row that is held. It also notes this part
 * as missing, so that headers and files say so.
 */
export function heldPeriod(
  { from, to }: Period,
  { heldFrom, rows }: { readonly heldFrom: bigint | undefined; readonly rows: string },
  context: Pick<HandlerContext, "values">,
) {
  if (heldFrom === undefined) return {};
  const isBefore = to !== undefined && to < heldFrom;
  const isPartial = isBefore || (from !== undefined && from < heldFrom);
  if (isPartial) noteMissing(context, `${rows} before ${new Date(Number(heldFrom)).toISOString()}`);
  return { heldFrom, isPartial, unavailableReason: isBefore ? "before_held_period" : "" };
}
