import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { dayMs } from "../../reference/duration.ts";
import type { Upstream, UpstreamRequest } from "../upstream.ts";
import { fillPlaceholders } from "./placeholders.ts";

export const indexSchema = z.strictObject({
  note: z.string(),
  /** Number of valid rows in the responses. A refresh of the sample must contain nearly as many. */
  rows: z.int().nonnegative(),
  /** File with the responses of earlier days, for data whose history is computed. */
  series: z.string().optional(),
  /** Time of the recording, ISO 8601. Absent for the project's own samples. */
  recordedAt: z.iso.datetime().optional(),
  /** File with one set of responses for each day of a week. Data without an invented history changes only by it. */
  editions: z.string().optional(),
  responses: z.array(
    z.strictObject({
      url: z.string().optional(),
      /** Regular expression for the whole URL. It replaces `url`, which is only a prefix. */
      match: z.string().optional(),
      query: z.record(z.string(), z.string()).optional(),
      file: z.string(),
      /** HTTP status of a rejected request, which only recordings contain. */
      status: z.int().optional(),
    }),
  ),
});

export type SampleIndex = z.infer<typeof indexSchema>;

const filesSchema = z.record(z.string(), z.string());
/**
 * The contents of response files on an earlier day: a number of days before today, or the day after a date, which is a
 * placeholder. A file that no entry lists has the same content as today.
 */
const seriesSchema = z.array(
  z.union([
    z.strictObject({ daysBefore: z.int().positive(), files: filesSchema }),
    z.strictObject({ after: z.string(), files: filesSchema }),
  ]),
);

const root = new URL("../../../sample/", import.meta.url);
/** Creates an upstream that plays the sample of a source. `daysBefore` selects the responses of an earlier day. */
export function sampleUpstream(source: string, clock: () => Date, daysBefore = 0): Upstream {
  const index = sampleIndex(source);
  const text = async (request: UpstreamRequest) => {
    const response = index?.responses.find((candidate) => fits(candidate, request));
    if (index === undefined || response === undefined)
      throw new UpstreamError(`The sample of ${source} has no response for ${request.url}`, { status: 404 });
    const body = sampleFile(source, response.file, clock(), daysBefore);
    request.received?.({ status: 200, headers: {}, body: Buffer.from(body) });
    return body;
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

export function sampleValue(variable: string): string {
  return `sample-${variable.toLowerCase()}`;
}

/** Indexes are cached, because loading a history reads the sample of a source about a hundred times. */
const readIndexes = new Map<string, SampleIndex | undefined>();

export function sampleIndex(source: string): SampleIndex | undefined {
  if (!readIndexes.has(source)) {
    const file = new URL(`${source}/sample.json`, root);
    const index = existsSync(file) ? indexSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
    readIndexes.set(source, index);
  }
  return readIndexes.get(source);
}

function sampleFile(source: string, file: string, now: Date, daysBefore: number): string {
  const body = sampleBody(source, file, now, daysBefore) ?? readFileSync(new URL(`${source}/${file}`, root), "utf8");
  return fillPlaceholders(body, now, `${source}/${file}`);
}

/** Returns the earlier days on which a source's sample has other responses, oldest first. */
export function sampleDays(source: string, now: Date): readonly number[] {
  return stepsOf(source, "series", now).flatMap(({ daysBefore }) => (daysBefore > 0 ? daysBefore : []));
}

type Series = z.infer<typeof seriesSchema>;

/** Files are cached, because loading a history reads them once per day of the history. */
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

/** The steps of each source and kind of file. They are computed once a day, because their dates are relative. */
const placedSteps = new Map<string, { readonly today: number; readonly steps: readonly Step[] }>();

/** Returns the days on which files of a sample change, oldest first. A future day has a negative `daysBefore`. */
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

/** Returns the content of a file on a day, with placeholders. Undefined if its usual content applies. */
export function sampleBody(source: string, file: string, now: Date, before = 0): string | undefined {
  return [...stepsOf(source, "series", now), ...stepsOf(source, "editions", now)].findLast(
    ({ daysBefore, files, isDated }) => daysBefore >= before && (before > 0 || isDated) && files[file] !== undefined,
  )?.files[file];
}

function asText(value: unknown): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : String(value);
}

type ResponseEntry = SampleIndex["responses"][number];

function fits(response: ResponseEntry, request: UpstreamRequest): boolean {
  const place =
    response.match === undefined
      ? response.url !== undefined && request.url.startsWith(response.url)
      : new RegExp(response.match).test(request.url);
  return place && holdsQuery(response, request);
}

export function holdsQuery({ query }: ResponseEntry, request: UpstreamRequest): boolean {
  if (query === undefined) return true;
  const { searchParams } = new URL(request.url);
  const value = (name: string) => searchParams.get(name) ?? request.form?.[name] ?? asText(request.body?.[name]);
  return Object.entries(query).every(([name, expected]) => value(name) === expected);
}
