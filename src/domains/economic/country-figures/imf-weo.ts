import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CountryExternal,
  CountryGrowth,
  CountryLabor,
  CountryPrices,
} from "../../../../gen/es/ids/economic/v1/country_macro_pb.ts";
import type { MacroValueSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { readSeries, requestSeries } from "../../../ingest/series-responses.ts";
import type { Parsed, Source } from "../../../ingest/source.ts";
import { dataMapperMetadata, fetchDataMapper, readDataMapper } from "../../../providers/imf/imf-datamapper.ts";

export interface MacroSeries {
  readonly code: string;
  /** The factor that converts the source's unit to that of the metric. The default is 1. */
  readonly unit?: number;
  readonly minCountries: number;
}

type SeriesOf<Figures> = Readonly<Partial<Record<keyof Figures, MacroSeries>>>;

const usual = 150;
const billions = 1e9;

/** The metrics with their series. Metrics without a series at the IMF DataMapper are omitted. */
export const macroSeries = {
  macro: {
    inflationPct: { code: "PCPIPCH", minCountries: usual },
    currentAccountPct: { code: "BCA_NGDPD", minCountries: usual },
    govRevenuePct: { code: "GGR_G01_GDP_PT", minCountries: usual },
    cpiEopPct: { code: "PCPIEPCH", minCountries: usual },
    govExpenditurePct: { code: "G_X_G01_GDP_PT", minCountries: usual },
    primaryBalancePct: { code: "GGXONLB_G01_GDP_PT", minCountries: usual },
  },
  growth: {
    realGdpGrowthPct: { code: "NGDP_RPCH", minCountries: usual },
    gdpPerCapitaUsd: { code: "NGDPDPC", minCountries: usual },
    gdpPerCapitaPpp: { code: "PPPPC", minCountries: usual },
    gdpPpp: { code: "PPPGDP", unit: billions, minCountries: usual },
  },
  labor: {
    // Many countries do not publish unemployment, so fewer countries are expected.
    unemploymentPct: { code: "LUR", minCountries: 90 },
    populationMillions: { code: "LP", minCountries: usual },
  },
  external: {
    currentAccountUsd: { code: "BCA", unit: billions, minCountries: usual },
  },
} satisfies {
  macro: SeriesOf<CountryPrices>;
  growth: SeriesOf<CountryGrowth>;
  labor: SeriesOf<CountryLabor>;
  external: SeriesOf<CountryExternal>;
};

export const everyMacroSeries: readonly MacroSeries[] = Object.values(macroSeries).flatMap((part) =>
  Object.values<MacroSeries>(part),
);

type MacroValue = MessageInitShape<typeof MacroValueSchema>;

const name = "imf-weo";
/** How many years are stored: the current one, which the IMF estimates, and the two before it. */
const years = 3;

export const imfWeo: Source<MacroValue> = {
  name,
  ...dataMapperMetadata,
  // The minimum is low enough for one of the thirteen series, which has about 190 countries and three years.
  rows: { atLeast: 250, mayBeEmpty: false },
  fetch: (upstream) =>
    requestSeries(
      name,
      everyMacroSeries.map(({ code }) => code),
      (series) => fetchDataMapper(upstream, series),
    ),
  parse: parseSeries,
  partOf: ({ series = "" }) => series,
  observedAt: ({ year = 0 }) => Date.UTC(year),
};

/** Parses one series. If it has fewer countries than expected, the whole series counts as missing. */
function parseSeries(response: unknown, now: Date): Parsed<MacroValue> {
  return readSeries<MacroValue>(name, response, ({ series, answer: body }) => {
    const { values, rejected } = readDataMapper(series, body, { now, years });
    const min = everyMacroSeries.find(({ code }) => code === series)?.minCountries ?? 0;
    const known = new Set(values.map(({ country }) => country)).size;
    if (known >= min) return { rows: values.map((value) => ({ series, ...value })), rejected };
    return {
      rows: [],
      rejected,
      missing: [{ part: series, reason: `${known} countries, and at least ${min}` }],
    };
  });
}
