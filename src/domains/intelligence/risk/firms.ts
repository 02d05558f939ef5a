import { z } from "zod";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { day, number } from "../../../ingest/row-fields.ts";
import { type Parsed, readRow, type Source } from "../../../ingest/source.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { dayMs } from "../../../reference/duration.ts";
import { countryAt } from "../../../reference/places/boundaries.ts";
import { prepareLand } from "../../../reference/places/land.ts";
import { sourceTime } from "../../../reference/source-time.ts";
import { readCsv } from "../../../upstream/csv.ts";
import { counted } from "./risk-signals.ts";
import type { Signal, SignalRow } from "./risk-values.ts";

const address = "https://firms.modaps.eosdis.nasa.gov/api/area/csv";
const instrument = "VIIRS_NOAA20_NRT";
/** The number of days to request. After midnight the current day has no fires yet, so the previous one is needed. */
const days = 2;
const windowMs = dayMs;
/** A fire counts as strong from this brightness in kelvin, or from this radiative power in megawatts. */
const strong = { brightness: 360, power: 50 };

/** NASA's fire data (Fire Information for Resource Management System): the last 24 hours of one satellite. */
export const firms: Source<SignalRow> = {
  name: "firms",
  license: {
    kind: "open",
    publisher: "NASA FIRMS",
    terms: "NASA LANCE/FIRMS, open data policy; acknowledgement requested",
  },
  variables: ["FIRMS_MAP_KEY"],
  access: {
    signUp: "https://firms.modaps.eosdis.nasa.gov/api/map_key/",
    minutes: 3,
    cost: "free",
    quota: "5,000 transactions in ten minutes",
    terms: "https://www.earthdata.nasa.gov/engage/open-data-services-software-policies/data-use-policy",
    rejection: "Its request limit is exceeded. If the key is wrong, the response is a sentence.",
  },
  rows: { atLeast: 10, mayBeEmpty: false },
  fetch: async (upstream) => {
    const key = encodeURIComponent(upstream.variable("FIRMS_MAP_KEY"));
    const text = await upstream.text({ url: `${address}/${key}/${instrument}/world/${days}`, timeoutMs: 120_000 });
    await prepareLand();
    return text;
  },
  parse: parseDetections,
  observedAt: ({ date = "" }) => Date.parse(date),
  minutesApart: 60,
};

const columns = ["latitude", "longitude", "bright_ti4", "frp", "confidence", "acq_date", "acq_time"] as const;

const rowSchema = z
  .object({
    latitude: number.pipe(z.number().min(-90).max(90)),
    longitude: number.pipe(z.number().min(-180).max(180)),
    bright_ti4: number,
    frp: number,
    confidence: z.string(),
    acq_date: day,
    /** The time of day in UTC as hours and minutes, without leading zeros. */
    acq_time: z.string().regex(/^\d{1,4}$/),
  })
  .transform(({ acq_date, acq_time, ...row }) => {
    const time = acq_time.padStart(4, "0");
    return { ...row, at: sourceTime(`${acq_date}T${time}Z`, "UTC") };
  })
  .refine((row): row is typeof row & { at: number } => row.at !== undefined, "acq_time: is not a time");

function parseDetections(response: unknown, now: Date): Parsed<Signal> {
  const text = z.string().parse(response);
  const { head, rows, rejected } = readCsv("FIRMS", text);
  const places = columns.map((column) => head.indexOf(column));
  // A table has a header even without fires, so any other text is an error message, such as `Invalid MAP_KEY.`
  if (text.trim() === "") throw new UpstreamError("FIRMS sent an empty response without a header");
  if (places.includes(-1))
    throw new UpstreamError(`FIRMS rejected the request: ${text.trim().slice(0, 100)}`, { status: 400 });
  const fires: Signal[] = [];
  const known = new Set<string>();
  for (const { line, cells } of rows.slice(1)) {
    const row = Object.fromEntries(columns.map((column, i) => [column, cells[places[i] ?? -1]]));
    const read = readRow(rowSchema, row, `line ${line}`, rejected);
    if (!read) continue;
    const { latitude, longitude, bright_ti4, frp, confidence, at } = read;
    const detection = JSON.stringify(read);
    if (at > now.getTime() + dayMs || known.has(detection)) {
      rejected.push({
        row: `line ${line}`,
        reason: known.has(detection) ? "seen again" : "acq_date: is in the future",
      });
      continue;
    }
    known.add(detection);
    // Detections with low confidence are omitted, because most are reflections of the sun.
    if (at > now.getTime() || at <= now.getTime() - windowMs || /^l/i.test(confidence)) continue;
    const country = countryAt(latitude, longitude)?.alpha2;
    if (country === undefined) continue;
    const isStrong = bright_ti4 >= strong.brightness || frp >= strong.power;
    // All fires of the last 24 hours count for the current day, so that the count does not drop at midnight.
    const date = isoDay(now.getTime());
    fires.push({ country, input: "fires", date, amount: 1 });
    if (isStrong) fires.push({ country, input: "strongFires", date, amount: 1 });
  }
  return { rows: counted(fires), rejected };
}
