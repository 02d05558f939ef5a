import { z } from "zod";

/** A decimal number as its source wrote it. */
export const decimal = z
  .string()
  .trim()
  .max(40)
  .regex(/^-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,2})?$/i, "is no number");

/** A calendar day, YYYY-MM-DD. */
export const day = z.iso.date();
