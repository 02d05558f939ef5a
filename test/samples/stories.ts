import { readdirSync, readFileSync } from "node:fs";
import { fillPlaceholders } from "../../src/upstream/sample/placeholders.ts";
import { sampleBody } from "../../src/upstream/sample/sample.ts";

const root = new URL("../../sample/", import.meta.url);
const dayMs = 86_400_000;

/** The samples of events, texts, companies and markets. */
export const storySources = [
  ...["acled", "acled-unrest", "canada-buys", "cisa-advisories", "cloudflare-radar", "cma-announcements"],
  ...["contracts-finder", "dev-events", "doj-press", "ec-press", "ecb-exr", "fda-press", "finnhub", "firms"],
  ...["ftc-press", "gdelt-cyber", "gdelt-intelligence", "gdelt-maritime", "gdelt-military", "gdelt-nuclear"],
  ...["gdelt-sanctions", "gets", "hn-algolia", "nga-warnings", "ofac-sdn", "portwatch", "sam", "sec", "sge"],
  ...["state-advisories", "techmeme", "ted", "ucdp", "usgs-earthquakes", "world-bank", "yahoo-carriers"],
  "yahoo-metals",
] as const;

/** A working day, a Sunday and the days after them, the turn of a year, and Easter. */
export const clocks = [
  ...[0, 1, 40, 400].map((days) => new Date(Date.parse("2026-11-22T12:00:00Z") + days * dayMs)),
  new Date("2026-12-28T00:01:00Z"),
  new Date("2027-03-30T09:00:00Z"),
];

/** The files of a source with its answers, as they are written. */
export function writtenFiles(source: string): { file: string; text: string }[] {
  return readdirSync(new URL(`${source}/`, root))
    .filter((file) => file !== "sample.json")
    .map((file) => ({ file, text: readFileSync(new URL(`${source}/${file}`, root), "utf8") }));
}

/** One of them as it is played at a moment. */
export function played(source: string, file: string, now: Date): string {
  const text = sampleBody(source, file, now) ?? readFileSync(new URL(`${source}/${file}`, root), "utf8");
  return fillPlaceholders(text, now, file);
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(day).getUTCDay();
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The rows of a table of these tests, without its head; cells have no commas. */
export function rowsOf(file: string): string[][] {
  const lines = readFileSync(new URL(file, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.slice(1).map((line) => line.split(","));
}
