import { UpstreamError } from "../../../../egress/upstream-error.ts";
import type { Parsed, Source } from "../../../../ingest/source.ts";
import {
  fetchWto,
  type Indicator,
  type WtoResponse,
  wtoMetadata,
  wtoResponseSchema,
} from "../../../../providers/wto/wto.ts";
import { readIndicator } from "../../../../providers/wto/wto-series.ts";
import { countries, countryByNumeric } from "../../../../reference/countries/countries.ts";
import { unionCountries } from "../../countries.ts";
import { type InputName, seriesOf } from "../../inputs.ts";
import { type InputRow, joined, newestOf, observedAt, type Reported } from "../series.ts";

const name = "wto-tariff-levels";
/** The WTO's code for the European Union. */
const union = "918";
const minCountries = 100;

/** The average applied tariffs in each country's newest year: for all products, for farm products, and for others. */
export const wtoTariffLevels: Source<InputRow> = {
  name,
  ...wtoMetadata,
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch: (upstream) =>
    fetchWto(
      upstream,
      indicators().map(({ indicator }) => indicator),
    ),
  parse: parseLevels,
  partOf: ({ series = "", country = "" }) => partName(series, country),
  observedAt,
  // A refresh takes thirty slow requests, and the data changes only once a year, so it is not read every day.
  minutesApart: 6 * 24 * 60,
};

function indicators(): readonly {
  readonly indicator: Indicator;
  readonly series: string;
  readonly input: InputName;
}[] {
  return seriesOf(name).map((each) => ({
    ...each,
    indicator: { code: each.series, unit: "PCT", yearsBack: 10 },
  }));
}

function parseLevels(response: unknown, now: Date): Parsed<InputRow> {
  const read = wtoResponseSchema.parse(response);
  const levels = joined(indicators().map((one) => newestLevels(read, one, now)));
  if (levels.rows.length === 0) throw new UpstreamError("WTO has no rows with a tariff of enough countries");
  return levels;
}

function newestLevels(
  { batches }: WtoResponse,
  requested: ReturnType<typeof indicators>[number],
  now: Date,
): Parsed<InputRow> {
  const { series, rejected, missing } = readIndicator(batches, requested.indicator, now);
  const values = [...series].flatMap(([economy, years]) =>
    countriesOf(economy).flatMap((country) =>
      Array.from(years, ([year, value]): Reported => ({ country, period: String(year), value: Number(value) })),
    ),
  );
  const levels = newestOf(requested, values, { min: minCountries });
  const tooFew = levels.missing?.flatMap(({ reason }) => [...countries.keys()].map((country) => ({ country, reason })));
  const unanswered = missing.flatMap(({ part, reason, status }) =>
    countriesOf(part).map((country) => ({ country, reason, status })),
  );
  const parts = (tooFew ?? unanswered).map(({ country, ...why }) => ({
    part: partName(requested.series, country),
    ...why,
  }));
  return { rows: levels.rows, rejected, missing: parts };
}

function partName(series: string, country: string): string {
  return `${series} ${country}`;
}

function countriesOf(economy: string): readonly string[] {
  if (economy === union) return unionCountries.split(" ");
  const country = countryByNumeric(Number(economy));
  return country ? [country.alpha2] : [];
}
