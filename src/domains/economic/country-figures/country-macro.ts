import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  CountryGrowthSchema,
  CountryLaborSchema,
  type CountryMacroData,
  type CountryMacroDataSchema,
  CountryPricesSchema,
} from "../../../../gen/es/ids/economic/v1/country_macro_pb.ts";
import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import {
  type CountryMacro,
  CountryMacroSchema,
  type MacroValue,
  MacroValueSchema,
} from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import type { Backfill, DatasetSeries, Series, SeriesPoint } from "../../../ingest/series/dataset-series.ts";
import { seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";
import { readSeries, requestSeries } from "../../../ingest/series-responses.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { type ReadAge, readAge } from "../../../ingest/stored-metadata.ts";
import { fetchDataMapper, readDataMapper } from "../../../providers/imf/imf-datamapper.ts";
import { rounded } from "../../../reference/rounding.ts";
import { type CountryChoice, chosenCountries } from "./country-choice.ts";
import { imfWeo, type MacroSeries, macroSeries } from "./imf-weo.ts";

const firstYear = 1980;

/**
 * The IMF sends all years, but each refresh stores only the newest ones. The backfill stores the earlier years, with
 * one request per series.
 */
function macroBackfill(series: ReadonlyMap<string, Series>): Backfill {
  return {
    source: imfWeo,
    begins: `${firstYear}-01-01`,
    async read(upstream) {
      const response = await requestSeries(imfWeo.name, [...series.keys()], (code) => fetchDataMapper(upstream, code));
      const years = upstream.now.getUTCFullYear() - firstYear + 1;
      const { rows } = readSeries<SeriesPoint>(imfWeo.name, response, ({ series: code, answer: body }) => {
        const own = series.get(code);
        const { values, rejected } = readDataMapper(code, body, { now: upstream.now, years });
        const points = own
          ? values.map(({ country, year, value }) => ({
              series: own,
              key: country,
              at: new Date(Date.UTC(year, 0)),
              value,
            }))
          : [];
        return { rows: points, rejected };
      });
      return rows;
    },
  };
}

const terms = { keyParts: ["country"], step: "year", shownBy: EconomicService.method.getCountryMacro } as const;
const of = (id: string, field: Parameters<typeof seriesOfField>[1]) => seriesOfField({ ...terms, id }, field);

const inflation = of("macro.inflation", CountryPricesSchema.field.inflationPct);
const currentAccount = of("macro.current_account", CountryPricesSchema.field.currentAccountPct);
const growth = of("macro.growth", CountryGrowthSchema.field.realGdpGrowthPct);
const output = of("macro.gdp_per_capita", CountryGrowthSchema.field.gdpPerCapitaUsd);
const unemployment = of("macro.unemployment", CountryLaborSchema.field.unemploymentPct);

interface OfYears {
  readonly year: number;
  readonly latestYear: number;
}

/** Each metric has its own time in the history, because its newest year can differ from that of other metrics. */
const macroHistory: DatasetSeries = {
  ...seriesOfMessage(
    CountryMacroSchema,
    [inflation, currentAccount, growth, output, unemployment],
    function* ({ full }) {
      for (const [key, figures] of Object.entries(full?.macro?.countries ?? {}))
        yield* points(key, figures, [
          [inflation, figures.inflationPct],
          [currentAccount, figures.currentAccountPct],
        ]);
      for (const [key, figures] of Object.entries(full?.growth?.countries ?? {}))
        yield* points(key, figures, [
          [growth, figures.realGdpGrowthPct],
          [output, figures.gdpPerCapitaUsd],
        ]);
      for (const [key, figures] of Object.entries(full?.labor?.countries ?? {}))
        yield* points(key, figures, [[unemployment, figures.unemploymentPct]]);
    },
  ),
  backfill: macroBackfill(
    new Map([
      [macroSeries.macro.inflationPct.code, inflation],
      [macroSeries.macro.currentAccountPct.code, currentAccount],
      [macroSeries.growth.realGdpGrowthPct.code, growth],
      [macroSeries.growth.gdpPerCapitaUsd.code, output],
      [macroSeries.labor.unemploymentPct.code, unemployment],
    ]),
  ),
};

function* points(
  key: string,
  { year, latestYear }: OfYears,
  figures: readonly (readonly [SeriesPoint["series"], number | undefined])[],
): Generator<SeriesPoint> {
  if (year !== latestYear) return;
  const at = new Date(Date.UTC(year, 0));
  for (const [series, value] of figures) if (value !== undefined) yield { series, key, at, value };
}

type Figures = MessageInitShape<typeof CountryMacroDataSchema>;

export const countryMacro = snapshot({
  name: "country-macro",
  subject: "Annual macroeconomic values of countries: prices, growth, labor, and external balance.",
  notIncluded: [
    "exchange rates: output in US dollars and national currency; metal-premiums has the rate of the yuan",
    "monthly inflation, quarterly GDP, monthly unemployment: values are annual",
    "poverty rate, income inequality: output per inhabitant",
  ],
  row: MacroValueSchema,
  message: CountryMacroSchema,
  series: macroHistory,
  // The IMF publishes a new outlook in April and October, and a smaller one in January and July.
  schedule: "40 4 * * *",
  freshForMinutes: 70 * 24 * 60,
  serves: [EconomicService.method.getCountryMacro],
  sources: [imfWeo],
  combine: ({ bySource, responses }) =>
    countryFigures(bySource.get(imfWeo.name) ?? [], responses.get(imfWeo.name)?.fetchedAt),
  count: ({ full }) => Math.max(0, ...Object.values(parts(full)).map(({ countries }) => Object.keys(countries).length)),
});

export function countryFigures(
  values: readonly MacroValue[],
  readAt: Date | undefined,
): MessageInitShape<typeof CountryMacroSchema> {
  const byCountry = Map.groupBy(values, ({ country }) => country);
  const newest = [...byCountry.keys()]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((country) => [country, newestBySeries(byCountry.get(country) ?? [])] as const);
  const partOf = (series: Readonly<Record<string, MacroSeries>>, maxFigures: number) => {
    const entries = newest.flatMap(([country, values]) => {
      const figures = figuresOf(values, series, maxFigures);
      return figures ? [[country, figures] as const] : [];
    });
    const isKnown = entries.length > 0 && readAt !== undefined;
    return { countries: Object.fromEntries(entries), ...(isKnown ? { seededAt: BigInt(readAt.getTime()) } : {}) };
  };
  const figures = (maxFigures: number): Figures => ({
    macro: partOf(macroSeries.macro, maxFigures),
    growth: partOf(macroSeries.growth, maxFigures),
    labor: partOf(macroSeries.labor, maxFigures),
    external: partOf(macroSeries.external, maxFigures),
  });
  return { full: figures(Number.POSITIVE_INFINITY), summary: figures(1) };
}

function newestBySeries(values: readonly MacroValue[]): ReadonlyMap<string, MacroValue> {
  return new Map(values.toSorted((a, b) => a.year - b.year).map((value) => [value.series, value]));
}

/** Returns up to `maxFigures` known metrics of a country, with their years. Undefined if none is known. */
function figuresOf(
  newest: ReadonlyMap<string, MacroValue>,
  series: Readonly<Record<string, MacroSeries>>,
  maxFigures: number,
) {
  const known = Object.entries(series).flatMap(([figure, { code, unit = 1 }]) => {
    const one = newest.get(code);
    return one ? [{ figure, year: one.year, value: inUnit(one.value, unit) }] : [];
  });
  const first = known.slice(0, maxFigures);
  if (first.length === 0) return undefined;
  const years = first.map(({ year }) => year);
  const figures = Object.fromEntries(first.map(({ figure, value }) => [figure, value]));
  return { ...figures, year: Math.min(...years), latestYear: Math.max(...years) };
}

/** Converts a value to the unit of the metric, and rounds a converted value to a whole number. */
function inUnit(value: number, unit: number): number {
  return unit === 1 ? value : rounded(value * unit);
}

export function macroResponse(
  stored: CountryMacro | undefined,
  request: CountryChoice & { readonly summary: boolean },
  now: Date,
): ReadAge & { readonly data: Figures } {
  const { macro, growth, labor, external } = parts(request.summary ? stored?.summary : stored?.full);
  const data = {
    macro: { ...macro, countries: chosenCountries(macro.countries, request) },
    growth: { ...growth, countries: chosenCountries(growth.countries, request) },
    labor: { ...labor, countries: chosenCountries(labor.countries, request) },
    external: { ...external, countries: chosenCountries(external.countries, request) },
  };
  const { freshForMinutes } = countryMacro;
  const read = [macro, growth, labor, external].map(({ seededAt }) => ({
    readAt: seededAt === undefined ? undefined : Number(seededAt),
    freshForMinutes,
  }));
  return { ...readAge(read, now), data };
}

function parts(reported: CountryMacroData | undefined) {
  const none = { countries: {}, seededAt: undefined };
  const { macro, growth, labor, external } = reported ?? {};
  return { macro: macro ?? none, growth: growth ?? none, labor: labor ?? none, external: external ?? none };
}
