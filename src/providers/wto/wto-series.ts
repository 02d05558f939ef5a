import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { type MissingPart, type Rejection, rejection } from "../../ingest/source.ts";
import { type Batch, economyCode, type Indicator, lowerKeys, maxRows, yearsRequestedFor } from "./wto.ts";

export interface IndicatorResponse {
  /** The values by year of each reporter that was read. A reporter without data has an empty map. */
  readonly series: ReadonlyMap<string, ReadonlyMap<number, string>>;
  readonly rejected: readonly Rejection[];
  readonly missing: readonly MissingPart[];
}

/** Returns the values of one indicator. Throws if the requests for most reporters failed. */
export function readIndicator(batches: readonly Batch[], indicator: Indicator, now: Date): IndicatorResponse {
  const series = new Map<string, Map<number, string>>();
  const rejected: Rejection[] = [];
  const unanswered: {
    readonly reporters: readonly string[];
    readonly reason: string;
    readonly status?: number | undefined;
  }[] = [];
  const requested = batches.filter((batch) => batch.indicator === indicator.code);
  for (const batch of requested) {
    const rows = rowsOf(batch);
    if (typeof rows === "string") unanswered.push({ ...batch, reason: rows });
    else {
      const read = readRows(rows, batch.reporters, indicator, now);
      rejected.push(...read.rejected);
      for (const [reporter, values] of read.series) series.set(reporter, values);
    }
  }
  const [first] = unanswered;
  if (first && unanswered.length * 2 > requested.length)
    throw new UpstreamError(`WTO: ${unanswered.length} of ${requested.length} batches failed: ${first.reason}`);
  const missing = unanswered.flatMap(({ reporters, reason, status }) =>
    reporters.map((part) => ({ part, reason, status })),
  );
  return { series, rejected, missing };
}

/** Returns the start of the newest year of a series in Unix epoch milliseconds, or NaN if it has no years. */
export function newestYear(points: readonly { readonly year?: number }[] = []): number {
  const year = points.at(-1)?.year;
  return year === undefined ? Number.NaN : Date.UTC(year, 0, 1);
}

const bodySchema = z.object({ dataset: z.array(z.unknown()) });

function rowsOf({ body, failure }: Batch): readonly unknown[] | string {
  if (failure !== undefined || body === undefined) return failure ?? "no response";
  if (body === "") return [];
  const read = bodySchema.safeParse(lowerKeys(parsed(body)));
  if (!read.success) return rejection("", read.error).reason;
  const { dataset } = read.data;
  return dataset.length < maxRows ? dataset : `${dataset.length} rows: the response was truncated`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Reads the rows of a batch. A reporter whose rows are all malformed counts as missing. */
function readRows(rows: readonly unknown[], requested: readonly string[], indicator: Indicator, now: Date) {
  const schema = rowSchema(requested, indicator, now);
  const series = new Map(requested.map((reporter) => [reporter, new Map<number, string>()]));
  const malformed = new Set<string>();
  const rejected: Rejection[] = [];
  for (const [place, value] of rows.entries()) {
    const row = lowerKeys(value);
    const read = schema.safeParse(row);
    if (read.success) series.get(read.data.reportingeconomycode)?.set(read.data.year, read.data.value);
    else {
      const named = placeSchema.safeParse(row).data;
      if (named && !noValue.safeParse(row).success) malformed.add(named.reportingeconomycode);
      rejected.push(rejection(named ? `${named.reportingeconomycode} ${named.year}` : `#${place}`, read.error));
    }
  }
  for (const reporter of malformed) if (series.get(reporter)?.size === 0) series.delete(reporter);
  return { series, rejected };
}

const placeSchema = z.object({ reportingeconomycode: economyCode, year: z.unknown() });
const noValue = z.object({ value: z.null() });

const year = z.union([
  z.int(),
  z
    .string()
    .trim()
    .regex(/^\d{4}$/)
    .transform(Number),
]);

function rowSchema(requested: readonly string[], indicator: Indicator, now: Date) {
  const { code, unit, partner, product } = indicator;
  const { from, to } = yearsRequestedFor(indicator, now);
  return z.object({
    indicatorcode: z.literal(code),
    reportingeconomycode: economyCode.refine((reporter) => requested.includes(reporter), "was not requested"),
    unitcode: z.literal(unit),
    ...(partner === undefined ? {} : { partnereconomycode: z.literal(partner) }),
    ...(product === undefined ? {} : { productorsectorcode: z.literal(product) }),
    year: year.pipe(z.number().min(from).max(to)),
    value: decimal,
  });
}

const maxDigits = 1e13;

/** Accepts a number of 0 or more, or numeric text, and returns it as decimal text. */
export const decimal = z
  .union([
    z.number(),
    z
      .string()
      .trim()
      .regex(/^\d+(\.\d+)?$/),
  ])
  .refine((value) => Number(value) >= 0 && Number(value) < maxDigits)
  .transform(decimalText);

function decimalText(value: number | string): string {
  const text = String(value);
  // JavaScript writes a number below 1e-6 with an exponent, which is not decimal text.
  return text.includes("e")
    ? Number(value)
        .toFixed(20)
        .replace(/\.?0+$/, "")
    : text;
}
