import { z } from "zod";
import { day } from "../../ingest/time-fields.ts";

/** Text without blanks around it; absent and null are empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? "");

/** A number, or text that is one. */
export const number = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);

/** A count of people; what is no number counts as none reported. */
export const count = number.catch(0).transform((value) => Math.min(Math.max(Math.trunc(value), 0), 2 ** 31 - 1));

/** Members of a row that hold its place. */
export const coordinates = {
  latitude: number.pipe(z.number().min(-90).max(90)),
  longitude: number.pipe(z.number().min(-180).max(180)),
};

/** A day as the epoch milliseconds of its midnight in UTC. */
export const startOfDay = day.transform((isoDay) => Date.parse(isoDay));
