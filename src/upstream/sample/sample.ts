import { existsSync, readFileSync } from "node:fs";
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
  /** File with what some of the answers become in the course of a week, for data that needs no history. */
  editions: z.string().optional(),
  responses: z.array(
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

const filesSchema = z.record(z.string(), z.string());
/**
 * What files of answers held so many days before today; a file that is not named is as it is today. Or what they hold from
 * the day after another, which is a placeholder; before the first such day they are as they are.
 */
const seriesSchema = z.array(
  z.union([
    z.strictObject({ daysBefore: z.int().positive(), files: filesSchema }),
    z.strictObject({ after: z.string(), files: filesSchema }),
  ]),
);

const root = new URL("../../../sample/", import.meta.url);
/** Plays the sample answers of one source, in its true wire format, with dates for their placeholders; or those of some days before. */
export function sampleUpstream(source: string, clock: () => Date, daysBefore = 0): Upstream {
  const index = sampleIndex(source);
  const text = async (request: UpstreamRequest) => {
    const response = index?.responses.find((candidate) => fits(candidate, request));
    if (index === undefined || response === undefined)
      throw new UpstreamError(`The sample of ${source} has no answer for ${request.url}`, { status: 404 });
    return sampleFile(source, response.file, clock(), daysBefore);
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

/** Each is read once: a history plays the samples of a source a hundred times. */
const readIndexes = new Map<string, SampleIndex | undefined>();

/** The index of a source's samples; undefined when it has none. */
export function sampleIndex(source: string): SampleIndex | undefined {
  if (!readIndexes.has(source)) {
    const file = new URL(`${source}/sample.json`, root);
    const index = existsSync(file) ? indexSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
    readIndexes.set(source, index);
  }
  return readIndexes.get(source);
}

/** The text of one of a source's answers, or of that so many days before. */
function sampleFile(source: string, file: string, now: Date, daysBefore: number): string {
  const body = sampleBody(source, file, now, daysBefore) ?? readFileSync(new URL(`${source}/${file}`, root), "utf8");
  return fillPlaceholders(body, now, `${source}/${file}`);
}

/** The days before today on which a source's sample holds other answers, oldest first. */
export function sampleDays(source: string, now: Date): readonly number[] {
  return stepsOf(source, "series", now).flatMap(({ daysBefore }) => (daysBefore > 0 ? daysBefore : []));
}

type Series = z.infer<typeof seriesSchema>;

/** Read once: a history is looked up for each of its days. */
const readSeries = new Map<string, Series>();

function seriesOf(source: string, kind: "series" | "editions"): Series {
  const known = readSeries.get(`${source} ${kind}`);
  if (known) return known;
  const file = sampleIndex(source)?.[kind];
  const series =
    file === undefined ? [] : seriesSchema.parse(JSON.parse(readFileSync(new URL(`${source}/${file}`, root), "utf8")));
  readSeries.set(`${source} ${kind}`, series);
  return series;
}

interface Step {
  readonly daysBefore: number;
  readonly files: Readonly<Record<string, string>>;
  readonly isDated: boolean;
}

/** As of one day. */
const placedSteps = new Map<string, { readonly today: number; readonly steps: readonly Step[] }>();

/** Oldest first; those of days to come are below 0. */
function stepsOf(source: string, kind: "series" | "editions", now: Date): readonly Step[] {
  const today = Math.floor(now.getTime() / dayMs);
  const key = `${source} ${kind}`;
  const known = placedSteps.get(key);
  if (known?.today === today) return known.steps;
  const steps = placed(source, kind, now, today);
  placedSteps.set(key, { today, steps });
  return steps;
}

function placed(source: string, kind: "series" | "editions", now: Date, today: number): Step[] {
  return seriesOf(source, kind)
    .map((step) => {
      if ("daysBefore" in step) return { ...step, isDated: false };
      const day = Date.parse(fillPlaceholders(step.after, now, `${source}/sample.json`)) / dayMs;
      return { daysBefore: today - day - 1, files: step.files, isDated: true };
    })
    .sort((a, b) => b.daysBefore - a.daysBefore);
}

/** What a file holds instead of its own text, with placeholders: as of the newest step that is not later. */
export function sampleBody(source: string, file: string, now: Date, before = 0): string | undefined {
  return [...stepsOf(source, "series", now), ...stepsOf(source, "editions", now)].findLast(
    ({ daysBefore, files, isDated }) => daysBefore >= before && (before > 0 || isDated) && files[file] !== undefined,
  )?.files[file];
}

function asText(value: unknown): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : String(value);
}

type ResponseEntry = SampleIndex["responses"][number];

/** Whether an entry of an index answers a request. */
function fits(response: ResponseEntry, request: UpstreamRequest): boolean {
  const place =
    response.match === undefined
      ? response.url !== undefined && request.url.startsWith(response.url)
      : new RegExp(response.match).test(request.url);
  return place && holdsQuery(response, request);
}

/** Whether a request asks for what an entry of an index says. */
export function holdsQuery({ query }: ResponseEntry, request: UpstreamRequest): boolean {
  if (query === undefined) return true;
  const { searchParams } = new URL(request.url);
  const value = (name: string) => searchParams.get(name) ?? request.form?.[name] ?? asText(request.body?.[name]);
  return Object.entries(query).every(([name, expected]) => value(name) === expected);
}
