import { z } from "zod";
import { day, number } from "../../ingest/row-fields.ts";

/** A number of people. Values that are not a number count as 0. */
export const count = number.catch(0).transform((value) => Math.min(Math.max(Math.trunc(value), 0), 2 ** 31 - 1));

export const coordinates = {
  latitude: number.pipe(z.number().min(-90).max(90)),
  longitude: number.pipe(z.number().min(-180).max(180)),
};

/** Converts a day to the epoch milliseconds of its midnight in UTC. */
export const startOfDay = day.transform((isoDay) => Date.parse(isoDay));
