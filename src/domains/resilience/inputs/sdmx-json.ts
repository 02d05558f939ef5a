import { z } from "zod";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { rejection } from "../../../ingest/source.ts";

/** A value of a series, with the codes of the series by dimension: `{ FREQ: "Q", L_CP_COUNTRY: "NO" }`. */
export interface Observation {
  readonly of: Readonly<Record<string, string>>;
  readonly period: string;
  readonly value: number;
}

const dimensionSchema = z.object({ id: z.string(), values: z.array(z.object({ id: z.string() })) });
const structureSchema = z.object({
  dimensions: z.object({ series: z.array(dimensionSchema), observation: z.array(dimensionSchema).length(1) }),
});
const places = z.string().regex(/^\d+(:\d+)*$/);
/** The value is the first member of its list, as a number or text. A confidential or missing value is null or `NaN`. */
const valuesSchema = z.record(z.string().regex(/^\d+$/), z.array(z.unknown()).min(1));
const dataSchema = z.object({
  structure: structureSchema,
  dataSets: z.array(z.object({ series: z.record(places, z.object({ observations: valuesSchema })) })).length(1),
});
/** Some servers omit the outermost member. */
const responseSchema = z.union([z.object({ data: dataSchema }).transform(({ data }) => data), dataSchema]);

/** Returns the observations of an SDMX-JSON 1.0 message that have a value. */
export function observationsOf(source: string, response: unknown): readonly Observation[] {
  const read = responseSchema.safeParse(response);
  if (!read.success) throw new UpstreamError(`${source}: ${rejection("", read.error).reason}`);
  const { structure, dataSets } = read.data;
  const { series: dimensions, observation } = structure.dimensions;
  const codeAt = (dimension: z.output<typeof dimensionSchema> | undefined, place: string | undefined) => {
    const code = dimension?.values[Number(place)]?.id;
    if (code === undefined) throw new UpstreamError(`${source}: ${dimension?.id} has no value #${place}`);
    return code;
  };
  return dataSets.flatMap(({ series }) =>
    Object.entries(series).flatMap(([key, { observations }]) => {
      const at = key.split(":");
      const of = Object.fromEntries(dimensions.map((dimension, place) => [dimension.id, codeAt(dimension, at[place])]));
      return Object.entries(observations).flatMap(([place, [reported]]) => {
        const value = numberOf(reported);
        return value === undefined ? [] : [{ of, period: codeAt(observation[0], place), value }];
      });
    }),
  );
}

function numberOf(reported: unknown): number | undefined {
  const value = typeof reported === "string" && reported.trim() !== "" ? Number(reported) : reported;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
