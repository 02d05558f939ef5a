import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { UpstreamError } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import type { Upstream, UpstreamRequest } from "../upstream.ts";
import { fillPlaceholders } from "./placeholders.ts";

/** What a folder of sample answers says about itself. */
export const indexSchema = z.strictObject({
  note: z.string(),
  /** Good rows in the answers; the sample's own floor is made from it. */
  rows: z.int().nonnegative(),
  /** File with what some of the answers were on earlier days, for data that needs a history. */
  series: z.string().optional(),
  /** When it was recorded, ISO 8601; of answers that a source really gave. */
  recordedAt: z.iso.datetime().optional(),
  answers: z.array(
    z.strictObject({
      url: z.string().optional(),
      /** Regular expression over the whole URL, instead of `url`. */
      match: z.string().optional(),
      query: z.record(z.string(), z.string()).optional(),
      file: z.string(),
      /** The HTTP status that it was refused with; of a recording. */
      status: z.int().optional(),
    }),
  ),
});

export type SampleIndex = z.infer<typeof indexSchema>;

/** What files of answers held so many days before today; a file that is not named is as it is today. */
const seriesSchema = z.array(
  z.strictObject({ daysBefore: z.int().positive(), files: z.record(z.string(), z.string()) }),
);

const root = new URL("../../../sample/", import.meta.url);
/** Plays the hand-made answers of one source, in its true wire format, with dates for their placeholders; or those of some days before. */
export function sampleUpstream(source: string, clock: () => Date, daysBefore = 0): Upstream {
  const index = sampleIndex(source);
  const text = async (request: UpstreamRequest) => {
    const answer = index?.answers.find((candidate) => fits(candidate, request));
    if (index === undefined || answer === undefined)
      throw new UpstreamError(`The sample of ${source} has no answer for ${request.url}`, { status: 404 });
    const { file } = answer;
    const body = earlierBody(source, file, daysBefore) ?? (await readFile(new URL(`${source}/${file}`, root), "utf8"));
    return fillPlaceholders(body, clock(), `${source}/${file}`);
  };
  return {
    origin: "sample",
    get now() {
      return new Date(clock().getTime() - daysBefore * dayMs);
    },
    text,
    json: async (request) => JSON.parse(await text(request)),
    variable: (name, fallback) => fallback ?? sampleValue(name),
    pause: async () => undefined,
  };
}

/** What stands for the value of a variable, such as a key, in the requests that samples answer. */
export function sampleValue(variable: string): string {
  return `sample-${variable.toLowerCase()}`;
}

/** The index of a source's samples; undefined when it has none. */
export function sampleIndex(source: string): SampleIndex | undefined {
  const file = new URL(`${source}/sample.json`, root);
  return existsSync(file) ? indexSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}

/** The days before today on which a source's sample holds other answers, oldest first. */
export function sampleDays(source: string): readonly number[] {
  return sampleSeries(source).map(({ daysBefore }) => daysBefore);
}

type Series = z.infer<typeof seriesSchema>;

/** Read once: a history is looked up for each of its days. */
const readSeries = new Map<string, Series>();

function sampleSeries(source: string): Series {
  const known = readSeries.get(source);
  if (known) return known;
  const file = sampleIndex(source)?.series;
  if (file === undefined) return [];
  const series = seriesSchema.parse(JSON.parse(readFileSync(new URL(`${source}/${file}`, root), "utf8")));
  series.sort((a, b) => b.daysBefore - a.daysBefore);
  readSeries.set(source, series);
  return series;
}

/** What a file held then: as of the newest day of the series that is not later. */
function earlierBody(source: string, file: string, daysBefore: number): string | undefined {
  if (daysBefore === 0) return undefined;
  return sampleSeries(source).findLast((step) => step.daysBefore >= daysBefore && step.files[file] !== undefined)
    ?.files[file];
}

function asText(value: unknown): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : String(value);
}

/** Whether an entry of an index answers a request. */
export function fits(answer: SampleIndex["answers"][number], request: UpstreamRequest): boolean {
  const { searchParams } = new URL(request.url);
  const value = (name: string) => searchParams.get(name) ?? request.form?.[name] ?? asText(request.body?.[name]);
  const place =
    answer.match === undefined
      ? answer.url !== undefined && request.url.startsWith(answer.url)
      : new RegExp(answer.match).test(request.url);
  return place && Object.entries(answer.query ?? {}).every(([name, expected]) => value(name) === expected);
}
