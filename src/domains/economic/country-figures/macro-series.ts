import type {
  CountryExternal,
  CountryGrowth,
  CountryLabor,
  CountryPrices,
} from "../../../../gen/es/ids/economic/v1/country_macro_pb.ts";

export interface MacroSeries {
  readonly code: string;
  /** The factor from the unit of the source to the unit of the metric. It is 1 if absent. */
  readonly unit?: number;
  readonly minCountries: number;
}

type SeriesOf<Figures> = Readonly<Partial<Record<keyof Figures, MacroSeries>>>;

const usual = 150;
const billions = 1e9;

/** Metrics that the DataMapper does not offer are omitted. */
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
    // Many countries do not publish unemployment.
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
