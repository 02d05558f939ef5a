// The second part of the methodology: the inputs, their sources, and how often sources publish.

import { namesOf } from "../../reference/named.ts";

/** How many hours usually pass between two publications of a source. */
export const cadences = {
  realtime: 1,
  daily: 24,
  weekly: 7 * 24,
  monthly: 30 * 24,
  quarterly: 91 * 24,
  annual: 365 * 24,
} as const;

/** How often each source publishes, and after how many days without a read it counts as failed. */
export const inputSources = {
  "imf-datamapper": { cadence: "annual", limitDays: 70 },
  "world-bank-development": { cadence: "annual", limitDays: 70 },
  "who-gho": { cadence: "annual", limitDays: 70 },
  "bis-banking": { cadence: "quarterly", limitDays: 30 },
  "bis-debt-service": { cadence: "quarterly", limitDays: 30 },
  "owid-energy": { cadence: "annual", limitDays: 70 },
  "eurostat-energy": { cadence: "annual", limitDays: 70 },
  "wto-tariff-levels": { cadence: "annual", limitDays: 70 },
  "comtrade-partners": { cadence: "annual", limitDays: 70 },
  fatf: { cadence: "monthly", limitDays: 42 },
  "hdx-ipc": { cadence: "monthly", limitDays: 70 },
  unhcr: { cadence: "annual", limitDays: 30 },
  ucdp: { cadence: "weekly", limitDays: 7 },
  "cloudflare-radar": { cadence: "realtime", limitDays: 0.125 },
  agsi: { cadence: "daily", limitDays: 3 },
  portwatch: { cadence: "weekly", limitDays: 21 },
  "sovereign-funds": { cadence: "annual", limitDays: 70 },
} as const satisfies Record<string, { cadence: keyof typeof cadences; limitDays: number }>;

export type SourceName = keyof typeof inputSources;

interface InputTerms {
  readonly what: string;
  readonly unit: string;
  /** The sources of an input, with the name of its series at each. The first source that has the country is used. */
  readonly reportedBy: readonly (readonly [source: SourceName, series: string])[];
  /** How many of the newest years are stored. The default is 1. */
  readonly years?: number;
}

const imf = (what: string, unit: string, code: string): InputTerms => ({
  what,
  unit,
  reportedBy: [["imf-datamapper", code]],
  years: 4,
});
const worldBank = (what: string, unit: string, code: string): InputTerms => ({
  what,
  unit,
  reportedBy: [["world-bank-development", code]],
});
const from = (source: SourceName, series: string, what: string, unit: string): InputTerms => ({
  what,
  unit,
  reportedBy: [[source, series]],
});

const ofGdp = "% of GDP";
const estimate = "estimate, -2.5 to 2.5";
const dollars = "current US$";

const inputTable = {
  population: imf("Population", "million people", "LP"),
  govRevenue: imf("Government revenue", ofGdp, "GGR_G01_GDP_PT"),
  debt: imf("General government gross debt", ofGdp, "GGXWDG_NGDP"),
  currentAccount: imf("Current account balance", ofGdp, "BCA_NGDPD"),
  unemployment: imf("Unemployment rate", "% of the labor force", "LUR"),
  inflation: imf("Inflation of average consumer prices", "% a year", "PCPIPCH"),
  growth: imf("Growth of real GDP", "% a year", "NGDP_RPCH"),
  fiscalBalance: imf("Net lending or borrowing of the government", ofGdp, "GGXCNL_NGDP"),
  primaryBalance: imf("Primary balance of the government", ofGdp, "GGXONLB_G01_GDP_PT"),

  reserveMonths: worldBank("Total reserves", "months of imports", "FI.RES.TOTL.MO"),
  reserves: worldBank("Total reserves, gold included", dollars, "FI.RES.TOTL.CD"),
  shortTermDebt: worldBank("Short-term external debt", dollars, "DT.DOD.DSTC.CD"),
  gni: worldBank("Gross national income", dollars, "NY.GNP.MKTP.CD"),
  gdp: worldBank("Gross domestic product", dollars, "NY.GDP.MKTP.CD"),
  imports: worldBank("Imports of goods and services", dollars, "NE.IMP.GNFS.CD"),
  tradeShare: worldBank("Trade in goods and services", ofGdp, "NE.TRD.GNFS.ZS"),
  appliedTariff: worldBank("Applied tariff on manufactures, weighted mean", "%", "TM.TAX.MRCH.WM.AR.ZS"),
  pavedRoads: worldBank("Paved roads", "% of all roads", "IS.ROD.PAVE.ZS"),
  electricityAccess: worldBank("Access to electricity", "% of the population", "EG.ELC.ACCS.ZS"),
  broadband: worldBank("Fixed broadband subscriptions", "per 100 people", "IT.NET.BBND.P2"),
  fossilShare: worldBank("Electricity from oil, gas and coal", "% of production", "EG.ELC.FOSL.ZS"),
  powerLosses: worldBank("Losses of electricity in transmission", "% of output", "EG.ELC.LOSS.ZS"),
  voice: worldBank("Voice and accountability", estimate, "GOV_WGI_VA.EST"),
  stability: worldBank("Political stability", estimate, "GOV_WGI_PV.EST"),
  effectiveness: worldBank("Government effectiveness", estimate, "GOV_WGI_GE.EST"),
  regulation: worldBank("Regulatory quality", estimate, "GOV_WGI_RQ.EST"),
  ruleOfLaw: worldBank("Rule of law", estimate, "GOV_WGI_RL.EST"),
  corruption: worldBank("Control of corruption", estimate, "GOV_WGI_CC.EST"),
  schooling: worldBank("Women of 25 and more with upper secondary school", "%", "SE.SEC.CUAT.UP.FE.ZS"),
  waterStress: worldBank("Withdrawal of freshwater", "% of available water", "ER.H2O.FWST.ZS"),
  debtNotReported: worldBank("Not a borrower of the World Bank (lending type LNX)", "1 if true, else 0", "LNX"),
  energyImports: {
    what: "Net imports of energy",
    unit: "% of use, negative for exporters",
    reportedBy: [
      ["eurostat-energy", "nrg_ind_id"],
      ["world-bank-development", "EG.IMP.CONS.ZS"],
    ],
  },

  uhcIndex: from("who-gho", "UHC_INDEX_REPORTED", "Coverage of essential health services", "index, 0 to 100"),
  measlesCoverage: from("who-gho", "WHS8_110", "Children vaccinated against measles", "%"),
  hospitalBeds: from("who-gho", "WHS6_102", "Hospital beds", "per 10,000 people"),
  physicians: from("who-gho", "HWF_0001", "Medical doctors", "per 10,000 people"),
  healthSpending: from("who-gho", "GHED_CHE_pc_US_SHA2011", "Health expenditure per head", "US$"),
  lowCarbonShare: from("owid-energy", "share-electricity-low-carbon", "Low-carbon electricity", "% of production"),
  mfnTariff: from("wto-tariff-levels", "TP_A_0010", "MFN tariff, simple average", "%"),
  mfnAgricultural: from("wto-tariff-levels", "TP_A_0160", "MFN tariff on farm products", "%"),
  mfnOther: from("wto-tariff-levels", "TP_A_0430", "MFN tariff on other products", "%"),
  householdDebtService: from("bis-debt-service", "WS_DSR", "Debt service of households", "% of income"),
  /** The claims of the banks of each home country are a series of their own, such as `WS_CBS_PUB US`. */
  bankClaims: from("bis-banking", "WS_CBS_PUB", "Claims of foreign banks, by their home country", "US$"),
  fatfListing: from("fatf", "lists", "Place on the FATF's lists", "1 increased monitoring, 2 call for action"),
  importHhi: from("comtrade-partners", "M", "Concentration of imports on partners", "Herfindahl index, 0 to 1"),
  reexportShare: from("comtrade-partners", "RX", "Re-exports", "share of imports, 0 to 1"),
  foodCrisisPeople: from("hdx-ipc", "phase 3+", "People in a food crisis (IPC phase 3 and worse)", "people"),
  foodCrisisPhase: from("hdx-ipc", "phase", "IPC phase", "1 to 5"),
  displaced: from("unhcr", "coo", "People displaced from or within the country", "people"),
  hosted: from("unhcr", "coa", "Displaced people in the country", "people"),

  conflictEvents: from("ucdp", "events", "Events of organized violence in 365 days", "events"),
  conflictKinds: from(
    "ucdp",
    "type_of_violence",
    "Events in 365 days by kind: state-based 2, one-sided 1.5, other 1",
    "points",
  ),
  conflictDeaths: from("ucdp", "best", "Deaths in organized violence in 365 days", "people"),
  outages: from("cloudflare-radar", "annotations", "Internet outages now: total 4, major 2, partial 1", "points"),
  gasFill: from("agsi", "full", "How full the EU's gas stores are", "%"),
  transitDisruption: from("portwatch", "flow", "Mean loss of flow at chokepoints, plus half a point per warning", "%"),
  usableFunds: from(
    "sovereign-funds",
    "funds",
    "Sovereign wealth: assets × access × liquidity × transparency of each fund",
    "US$",
  ),
} satisfies Record<string, InputTerms>;

export type InputName = keyof typeof inputTable;
export const inputs: Readonly<Record<InputName, InputTerms>> = inputTable;

export function seriesOf(source: SourceName): readonly { readonly series: string; readonly input: InputName }[] {
  return namesOf(inputs).flatMap((input) =>
    inputs[input].reportedBy.flatMap(([by, series]) => (by === source ? [{ series, input }] : [])),
  );
}
