import { z } from "zod";

export const decimal = z
  .string()
  .trim()
  .max(40)
  .regex(/^-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,2})?$/i, "is not a number");

export { day } from "../../ingest/time-fields.ts";
