import {
  CountryGrowthSchema,
  CountryLaborSchema,
  CountryPricesSchema,
} from "../../../../gen/es/ids/economic/v1/country_macro_pb.ts";
import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { CountryMacroSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { type DatasetSeries, type SeriesPoint, seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";
import { macroBackfill } from "./macro-backfill.ts";
import { macroSeries } from "./macro-series.ts";

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

/** Macroeconomic figures of countries by year; of figures from different years nobody says which is of which. */
export const macroHistory: DatasetSeries = {
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
