import type {
  CountryExternal,
  CountryGrowth,
  CountryLabor,
  CountryPrices,
} from "../../../../gen/es/ids/economic/v1/country_macro_pb.ts";

/** A series of the IMF that a figure is read from. */
export interface MacroSeries {
  /** The IMF's code. */
  readonly code: string;
  /** One of the source's units is so many of the figure's; 1 when absent. */
  readonly unit?: number;
  /** Countries that a whole answer has at least. */
  readonly minCountries: number;
}

type SeriesOf<Figures> = Readonly<Partial<Record<keyof Figures, MacroSeries>>>;

const usual = 150;
const billions = 1e9;

/** The figures of each part in the order of the contract, and where each is read: what the DataMapper does not offer is not here. */
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
    // Many countries do not count the unemployed.
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

/** Every series that is asked for. */
export const everyMacroSeries: readonly MacroSeries[] = Object.values(macroSeries).flatMap((part) =>
  Object.values<MacroSeries>(part),
);
