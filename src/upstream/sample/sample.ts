import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { UpstreamError } from "../../errors.ts";
import { months } from "../../reference/months.ts";
import type { Upstream, UpstreamRequest } from "../upstream.ts";
import { shiftClocks } from "./sample-clocks.ts";
import { shiftInstants, shiftPeriods, shiftYears } from "./sample-periods.ts";
import { shiftProse } from "./sample-prose.ts";

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/** Figures of a month or quarter are out so many days after its end: one that has just ended is not known yet. */
const publishedAfter = { months: 10, quarters: 30 } as const;

/** How the dates of an answer move, from the day it was written for to now. */
const shifts = {
  none: (text) => text,
  /** By whole weeks. */
  days: (text, from, now) => shiftDays(text, weeksBetween(from, now)),
  clocks: shiftClocks,
  /** As `clocks`, by whole weeks: markets stay closed at weekends. */
  clockWeeks: (text, from, now) =>
    shiftClocks(text, from, new Date(Date.parse(from) + weeksBetween(from, now) * dayMs)),
  months: (text, from, now) => shiftPeriods(text, "months", from, published("months", now)),
  quarters: (text, from, now) => shiftPeriods(text, "quarters", from, published("quarters", now)),
  years: shiftYears,
  /** By the exact time. */
  instants: shiftInstants,
} satisfies Record<string, (text: string, from: string, now: Date) => string>;

const shiftSchema = z.enum(Object.keys(shifts) as (keyof typeof shifts)[]);

/** What a folder of sample answers says about itself. */
const indexSchema = z.strictObject({
  note: z.string(),
  /** The day the answers were written for; it becomes today. */
  referenceDay: z.iso.date(),
  shift: shiftSchema,
  /** Good rows in the answers; the sample's own floor is made from it. */
  rows: z.int().positive(),
  /** File with what some of the answers were on earlier days, for data that needs a history. */
  series: z.string().optional(),
  answers: z.array(
    z.strictObject({
      url: z.string().optional(),
      /** Regular expression over the whole URL, instead of `url`. */
      match: z.string().optional(),
      query: z.record(z.string(), z.string()).optional(),
      file: z.string(),
      /** Where it moves otherwise than the others. */
      shift: shiftSchema.optional(),
    }),
  ),
});

export type SampleIndex = z.infer<typeof indexSchema>;

/** What files of answers held so many days before today; a file that is not named is as it is today. */
const seriesSchema = z.array(
  z.strictObject({ daysBefore: z.int().positive(), files: z.record(z.string(), z.string()) }),
);

const root = new URL("../../../sample/", import.meta.url);
/** Plays the hand-made answers of one source, in its true wire format, with their days moved to now; or those of some days before. */
export function sampleUpstream(source: string, clock: () => Date, daysBefore = 0): Upstream {
  const index = sampleIndex(source);
  const text = async (request: UpstreamRequest) => {
    const answer = index?.answers.find((candidate) => fits(candidate, request));
    if (index === undefined || answer === undefined)
      throw new UpstreamError(`The sample of ${source} has no answer for ${request.url}`, { status: 404 });
    const { file, shift = index.shift } = answer;
    const body = earlierBody(source, file, daysBefore) ?? (await readFile(new URL(`${source}/${file}`, root), "utf8"));
    return shifts[shift](body, index.referenceDay, clock());
  };
  return {
    origin: "sample",
    get now() {
      return new Date(clock().getTime() - daysBefore * dayMs);
    },
    text,
    json: async (request) => JSON.parse(await text(request)),
    variable: (name, fallback) => fallback ?? `sample-${name.toLowerCase()}`,
    pause: async () => undefined,
  };
}

/** The moment of which the newest figures that are out now tell. */
function published(by: keyof typeof publishedAfter, now: Date): Date {
  return new Date(now.getTime() - publishedAfter[by] * dayMs);
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

/**
 * Moves every ISO day or instant in a text, every day like `05-Jul-2026`, `Sun, 05 Jul 2026` or `Sunday, 5 July 2026`, days
 * in American prose, those of a calendar file (`VALUE=DATE:20261105`) and date-time groups (`081653Z NOV 2026`) by whole days;
 * what is no day of the calendar stays, and so do ids with one inside.
 */
export function shiftDays(text: string, days: number): string {
  if (days === 0) return text;
  return shiftProse(text, days)
    .replace(/(?<=;VALUE=DATE:)(\d{4})(\d{2})(\d{2})(?!\d)/g, (compact, year, month, day) => {
      return movedDay(`${year}-${month}-${day}`, days)?.replaceAll("-", "") ?? compact;
    })
    .replace(/(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])/g, (day) => movedDay(day, days) ?? day)
    .replace(/(?<![\w-])(\d{2})-([A-Z][a-z]{2})-(\d{4})(?![\w-])/g, (named, day, month, year) => {
      const number = String(months.indexOf(month) + 1).padStart(2, "0");
      const [toYear, toMonth, toDay] = movedDay(`${year}-${number}-${day}`, days)?.split("-") ?? [];
      return toYear === undefined ? named : `${toDay}-${months[Number(toMonth) - 1]}-${toYear}`;
    })
    .replace(
      /(?<!\w)[A-Z][a-z]{2,8}, \d{1,2} [A-Z][a-z]{2,8} \d{4}(?![\w-])/g,
      (spoken) => movedSpoken(spoken, days) ?? spoken,
    )
    .replace(/(?<!\w)(\d{2})(\d{4}Z) ([A-Z]{3}) (\d{4})(?!\d)/g, (group, day, time, month, year) => {
      const number = String(capitalMonths.indexOf(month) + 1).padStart(2, "0");
      const [toYear, toMonth, toDay] = movedDay(`${year}-${number}-${day}`, days)?.split("-") ?? [];
      return toYear === undefined ? group : `${toDay}${time} ${capitalMonths[Number(toMonth) - 1]} ${toYear}`;
    });
}

const capitalMonths = months.map((month) => month.toUpperCase());

/** How a day is written with the name of its weekday. */
const spokenForms = [
  (day: Date) => day.toUTCString().slice(0, 16),
  (day: Date) => {
    const written = (parts: Intl.DateTimeFormatOptions) =>
      day.toLocaleDateString("en-GB", { ...parts, timeZone: "UTC" });
    return `${written({ weekday: "long" })}, ${written({ day: "numeric", month: "long", year: "numeric" })}`;
  },
];

function movedSpoken(text: string, days: number): string | undefined {
  const day = new Date(`${text} UTC`);
  const form = spokenForms.find((form) => form(day) === text);
  const moved = form && movedDay(day.toISOString().slice(0, 10), days);
  return moved === undefined ? undefined : form?.(new Date(moved));
}

/** Undefined for what is no day, or would be none with a year of four digits. */
function movedDay(day: string, days: number): string | undefined {
  // Date.parse takes 30 February for 2 March.
  if (isoDay(Date.parse(day)) !== day) return undefined;
  const moved = isoDay(Date.parse(day) + days * dayMs);
  // Beyond year 9999, the usual "for ever", a day has no such form.
  return moved?.length === day.length ? moved : undefined;
}

function isoDay(milliseconds: number): string | undefined {
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString().split("T")[0];
}

/** Whole weeks from the reference day up to now, in days: weekdays stay what they were. */
function weeksBetween(referenceDay: string, now: Date): number {
  return Math.floor((now.getTime() - Date.parse(referenceDay)) / weekMs) * 7;
}

function asText(value: unknown): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : String(value);
}

function fits(answer: SampleIndex["answers"][number], request: UpstreamRequest): boolean {
  const { searchParams } = new URL(request.url);
  const value = (name: string) => searchParams.get(name) ?? request.form?.[name] ?? asText(request.body?.[name]);
  const place =
    answer.match === undefined
      ? answer.url !== undefined && request.url.startsWith(answer.url)
      : new RegExp(answer.match).test(request.url);
  return place && Object.entries(answer.query ?? {}).every(([name, expected]) => value(name) === expected);
}
