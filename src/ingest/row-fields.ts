import { z } from "zod";
import { sourceDay, sourceTime } from "../reference/source-time.ts";

/** Trims text. Absent and null become empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? "");

/** A number, also as text. */
export const number = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);

/** A decimal number, which remains text. */
export const decimal = z
  .string()
  .trim()
  .max(40)
  .regex(/^-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,2})?$/i, "is not a number");

/** A day in any format that sources publish, as YYYY-MM-DD. */
export const day = z.string().transform((text, context) => sourceDay(text) ?? unreadable(text, context));

/** A time in any format that sources publish, in epoch milliseconds; without a zone it is in `homeZone`. */
export const time = (homeZone: string) =>
  z.string().transform((text, context) => sourceTime(text, homeZone) ?? unreadable(text, context));

export function unreadable(text: string, context: z.RefinementCtx): never {
  context.addIssue(`cannot read ${JSON.stringify(text.slice(0, 100))} as a date`);
  return z.NEVER;
}
