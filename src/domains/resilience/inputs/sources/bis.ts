import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readAs, rejection, type Source } from "../../../../ingest/source.ts";
import { isoDay } from "../../../../reference/calendar.ts";
import { countries } from "../../../../reference/countries/countries.ts";
import { readCsvTable } from "../../../../upstream/csv.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { seriesOf } from "../../inputs.ts";
import {
  type InputRow,
  joined,
  newestOf,
  observedAt,
  partOf,
  type Reported,
  type SeriesResponse,
  seriesReads,
} from "../series.ts";

/** A value of a series, with the codes of the series by dimension: `{ FREQ: "Q", L_CP_COUNTRY: "NO" }`. */
const dimensionSchema = z.object({ id: z.string(), values: z.array(z.object({ id: z.string() })) });
const structureSchema = z.object({
  dimensions: z.object({ series: z.array(dimensionSchema), observation: z.array(dimensionSchema).length(1) }),
});
const places = z.string().regex(/^\d+(:\d+)*$/);
/** The first item of each list is the value, as a number or text. A confidential or missing value is null or `NaN`. */
const valuesSchema = z.record(z.string().regex(/^\d+$/), z.array(z.unknown()).min(1));
const dataSchema = z.object({
  structure: structureSchema,
  dataSets: z.array(z.object({ series: z.record(places, z.object({ observations: valuesSchema })) })).length(1),
});
/** Some servers omit the outer object with the member `data`. */
const responseSchema = z.union([z.object({ data: dataSchema }).transform(({ data }) => data), dataSchema]);

/** Returns the observations that have a value. The format is SDMX-JSON 1.0. */
function observationsOf(source: string, response: unknown) {
  const { structure, dataSets } = readAs(source, responseSchema, response);
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

const bisLicense = {
  kind: "attribution",
  publisher: "BIS",
  terms: "BIS statistics, terms of bis.org: free with attribution to the Bank for International Settlements",
} as const satisfies Source<unknown>["license"];

const bisAddress = "https://stats.bis.org/api/v1/data";

/** Returns the last day of a quarter, such as `2026-Q1`. Undefined for other text. */
export function lastDayOf(quarter: string): string | undefined {
  const [, year, number] = /^(\d{4})-Q([1-4])$/.exec(quarter) ?? [];
  return year && isoDay(Date.UTC(Number(year), 3 * Number(number), 0));
}

const name = "bis-banking";
const homes = "US GB DE FR IT NL ES BE AT IE LU CH JP CA AU SG".split(" ");
/** If the claims of fewer home countries are available, the whole series counts as missing. */
const minHomes = 12;
const headers = { accept: "application/vnd.sdmx.data+json;version=1.0.0" };
/** The source reports claims in millions of US dollars. */
const dollars = 1e6;

/**
 * BIS consolidated banking statistics: the debt of each country to banks of sixteen home countries, in the newest
 * quarter.
 */
export const bisBanking: Source<InputRow> = {
  name,
  license: bisLicense,
  pace: { spacingMs: 500 },
  // The banks of each of the sixteen home countries have claims on 60 to 190 countries.
  rows: { atLeast: 500, mayBeEmpty: false },
  fetch: fetchAll,
  parse: parseClaims,
  partOf,
  observedAt,
};

const collectedSchema = z.array(
  z.object({
    home: z.string(),
    answer: z.unknown().optional(),
    failure: z.string().optional(),
    status: z.number().optional(),
  }),
);

/** Requests the claims of each home country. Throws only if too many requests fail, because scores do not need all. */
async function fetchAll(upstream: Upstream): Promise<z.input<typeof collectedSchema>> {
  const collected: z.input<typeof collectedSchema> = [];
  const failures: UpstreamError[] = [];
  for (const { series } of seriesOf(name))
    for (const home of homes) {
      // Claims at the end of quarters of the country's own banks (4B). They include all maturities, currencies,
      // sectors, and counterparties.
      const url = `${bisAddress}/${series}/Q.S.${home}.4B.F.C.A.A.TO1.A.?lastNObservations=4`;
      try {
        collected.push({ home, answer: await upstream.json({ url, headers }) });
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        failures.push(error);
        collected.push({ home, failure: error.message, status: error.status });
      }
    }
  const [first] = failures;
  if (first && collected.length - failures.length < minHomes) throw first;
  return collected;
}

function parseClaims(response: unknown, now: Date): Parsed<InputRow> {
  const collected = collectedSchema.parse(response);
  const failed = collected.filter(({ failure }) => failure !== undefined);
  const missing = failed.flatMap(({ home, failure: reason = "", status }) =>
    seriesOf(name).map(({ series }) => ({ part: partName(series, home), reason, status })),
  );
  const claims = collected.flatMap(({ home, answer: one, failure }) =>
    failure === undefined ? [claimsOf(home, one, now)] : [],
  );
  return joined([{ rows: [], rejected: [], missing }, ...claims]);
}

/** Returns the name of the part of the source that has the claims of the banks of one home country. */
function partName(series: string, home: string): string {
  return `${series} ${home}`;
}

/** Returns the newest claims on each country. Groups, such as `5J`, and the home country itself are omitted. */
function claimsOf(home: string, response: unknown, now: Date): Parsed<InputRow> {
  const values: Reported[] = [];
  const rejected: Rejection[] = [];
  for (const { of, period, value } of observationsOf(`BIS ${home}`, response)) {
    const { L_CP_COUNTRY: country = "", L_REP_CTY: reporter } = of;
    const day = lastDayOf(period);
    if (reporter !== home || day === undefined)
      rejected.push({ row: `${home} ${country} ${period}`, reason: "is of another home country, or of no quarter" });
    // A negative position is a hedge and not a claim, so it is omitted.
    else if (countries.has(country) && country !== home && value >= 0 && Date.parse(day) <= now.getTime())
      values.push({ country, period: day, value: value * dollars });
  }
  const parts = seriesOf(name).map(({ series, input }) => newestOf({ series: partName(series, home), input }, values));
  return joined([...parts, { rows: [], rejected }]);
}

const borrowers = "AU+BE+CA+DE+DK+ES+FI+FR+GB+IT+JP+KR+NL+NO+PT+SE+US";
const yearsBack = 3;
const minCountries = 12;
const households = "H";

/** BIS debt service ratios: the share of their income that households of seventeen countries pay for debts. */
export const bisDebtService: Source<InputRow> = {
  ...seriesReads(
    "bis-debt-service",
    (upstream, series) => {
      const from = `${upstream.now.getUTCFullYear() - yearsBack}-Q1`;
      return upstream.text({
        url: `${bisAddress}/${series}/Q.${borrowers}?startPeriod=${from}&detail=dataonly&format=csv`,
      });
    },
    newestRatios,
  ),
  license: bisLicense,
  rows: { atLeast: minCountries, mayBeEmpty: false },
};

const lineSchema = z.object({
  BORROWERS_CTY: z.string(),
  TIME_PERIOD: z
    .string()
    .transform((quarter) => lastDayOf(quarter))
    .pipe(z.string("is not a quarter")),
  OBS_VALUE: z.string().trim().min(1).transform(Number).pipe(z.number().min(0).max(100)),
});

function newestRatios(collected: SeriesResponse, now: Date): Parsed<InputRow> {
  const values: Reported[] = [];
  const columns = ["BORROWERS_CTY", "DSR_BORROWERS", "TIME_PERIOD", "OBS_VALUE"];
  const { records, rejected } = readCsvTable("BIS", z.string().parse(collected.answer), columns);
  for (const { line: place, record: line } of records) {
    const { DSR_BORROWERS: group, OBS_VALUE: value } = line;
    if (group !== households || value === "NaN" || value === "") continue;
    const read = lineSchema.safeParse(line);
    if (!read.success) rejected.push(rejection(`${collected.series} line ${place}`, read.error));
    else {
      const { BORROWERS_CTY: country, TIME_PERIOD: period, OBS_VALUE: ratio } = read.data;
      if (countries.has(country) && Date.parse(period) <= now.getTime()) values.push({ country, period, value: ratio });
    }
  }
  return newestOf(collected, values, { min: minCountries, rejected });
}
