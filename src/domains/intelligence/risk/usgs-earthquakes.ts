import { z } from "zod";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { text } from "../../../ingest/row-fields.ts";
import { type Parsed, type Rejection, readAs, readRows, type Source } from "../../../ingest/source.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { countryAt } from "../../../reference/places/boundaries.ts";
import { prepareLand } from "../../../reference/places/land.ts";
import { counted } from "./risk-signals.ts";
import type { Signal, SignalRow } from "./risk-values.ts";

const url = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/4.5_week.geojson";

const bands = [
  [7.5, "greatQuakes"],
  [6.5, "majorQuakes"],
  [5.5, "strongQuakes"],
] as const;

/** Earthquakes of the last seven days with a magnitude of 4.5 or more. The feed changes every minute. */
export const usgsEarthquakes: Source<SignalRow> = {
  name: "usgs-earthquakes",
  license: {
    kind: "open",
    publisher: "US Geological Survey",
    terms: "US government, public domain; US Geological Survey",
  },
  // An empty response is valid, because some weeks have no strong earthquake on land.
  rows: { atLeast: 0, mayBeEmpty: true },
  fetch: async (upstream) => {
    const response = await upstream.json({ url });
    await prepareLand();
    return response;
  },
  parse: parseQuakes,
  observedAt: ({ date = "" }) => Date.parse(date),
};

const responseSchema = z.object({
  metadata: z.object({ count: z.int().min(0) }),
  features: z.array(z.unknown()).min(1, "no earthquakes in a week"),
});

const idSchema = z.object({ id: z.string().min(1) });
const featureSchema = z.object({
  properties: z.object({ mag: z.number(), time: z.number(), type: text }),
  geometry: z.object({
    coordinates: z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]).rest(z.unknown()),
  }),
});

function parseQuakes(response: unknown): Parsed<Signal> {
  const { metadata, features } = readAs("USGS", responseSchema, response);
  if (metadata.count !== features.length)
    throw new UpstreamError(`USGS reports ${metadata.count} earthquakes and sent rows of ${features.length}`);
  const quakes: Signal[] = [];
  const rejected: Rejection[] = [];
  const nameOf = (place: number, value: unknown) => idSchema.safeParse(value).data?.id ?? `#${place}`;
  for (const { properties, geometry } of readRows(featureSchema, features, rejected, nameOf)) {
    const [longitude, latitude] = geometry.coordinates;
    const input = bands.find(([from]) => properties.mag >= from)?.[1];
    const country = countryAt(latitude, longitude)?.alpha2;
    // Explosions and rockfalls in the feed do not count. An earthquake in the open sea has no country.
    if (input && country && properties.type === "earthquake")
      quakes.push({ country, input, date: isoDay(properties.time), amount: 1 });
  }
  return { rows: counted(quakes), rejected };
}
