import { z } from "zod";
import { day, number } from "../../ingest/row-fields.ts";

/** A number of people, such as deaths. Undefined if the source does not state it. */
export const count = number
  .pipe(z.number().min(0))
  .transform((value) => Math.min(Math.trunc(value), 2 ** 31 - 1))
  .optional()
  .catch(undefined);

/** How precise a time or place is: 1 is exact. */
export const grade = number.pipe(z.int().min(1).max(7)).optional().catch(undefined);

export const coordinates = {
  latitude: number.pipe(z.number().min(-90).max(90)),
  longitude: number.pipe(z.number().min(-180).max(180)),
};

/** Converts a day to the epoch milliseconds of its midnight in UTC. */
export const startOfDay = day.transform((isoDay) => Date.parse(isoDay));
