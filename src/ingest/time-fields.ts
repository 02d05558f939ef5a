import { z } from "zod";
import { sourceDay, sourceTime } from "../reference/source-time.ts";

/** A day in any format that sources publish, as YYYY-MM-DD. */
export const day = z.string().transform((text, context) => sourceDay(text) ?? unreadable(text, context));

/** A time in any format that sources publish, in epoch milliseconds; without a zone it is in `homeZone`. */
export const time = (homeZone: string) =>
  z.string().transform((text, context) => sourceTime(text, homeZone) ?? unreadable(text, context));

export function unreadable(text: string, context: z.RefinementCtx): never {
  context.addIssue(`cannot read ${JSON.stringify(text.slice(0, 100))} as a date`);
  return z.NEVER;
}
