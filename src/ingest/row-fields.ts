import { z } from "zod";
import { sourceDay, sourceTime } from "../reference/source-time.ts";

/** Trims text. Absent and null become empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? "");

export const number = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);

export const decimal = z
  .string()
  .trim()
  .max(40)
  .regex(/^-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,2})?$/i, "is not a number");

/** Accepts a day in any format that sources publish, and returns it as YYYY-MM-DD. */
export const day = z.string().transform((text, context) => sourceDay(text) ?? unreadable(text, context));

/** Accepts a time in any format of a source. Returns epoch milliseconds. A time without a zone is in `homeZone`. */
export const time = (homeZone: string) =>
  z.string().transform((text, context) => sourceTime(text, homeZone) ?? unreadable(text, context));

export function unreadable(text: string, context: z.RefinementCtx): never {
  context.addIssue(`cannot read ${JSON.stringify(text.slice(0, 100))} as a date`);
  return z.NEVER;
}
