import { economyOf } from "../world/economy.ts";
import { societyOf } from "../world/society.ts";
import { tariffOf } from "../world/tariffs.ts";
import type { WorldBankIndicator } from "./world-bank.ts";

export interface DevelopmentIndicator extends WorldBankIndicator {
  readonly of: (alpha2: string, year: number) => number | undefined;
  /** Number of decimal places. */
  readonly digits: number;
  /** The value of a group is the sum, or the mean weighted by people or by GDP. */
  readonly group: "sum" | "people" | "gdp";
  /** Range of the age of the newest value in years. */
  readonly ages: readonly [number, number];
  /** Share of the countries that report nothing. */
  readonly silent: number;
}

const billion = 1e9;
const development = { database: "2", decimal: 2, digits: 2 } as const;
const amount = { ...development, decimal: 0, digits: 0, group: "sum", ages: [1, 2] } as const;
const governance = { database: "3", decimal: 0, digits: 4, group: "people", ages: [1, 2], silent: 0.06 } as const;

const gdpAt = (alpha2: string, year: number) => economyOf(alpha2, year).gdp * billion;
const importsAt = (alpha2: string, year: number) =>
  (economyOf(alpha2, year).imports * economyOf(alpha2, year).gdp * billion) / 100;
const reservesAt = (alpha2: string, year: number) =>
  (importsAt(alpha2, year) / 12) * economyOf(alpha2, year).reserveMonths;

function shortTermDebtAt(alpha2: string, year: number): number | undefined {
  const { shortTermDebt, gni } = economyOf(alpha2, year);
  return shortTermDebt === undefined ? undefined : (shortTermDebt * gni * billion) / 100;
}

const money: readonly DevelopmentIndicator[] = [
  {
    ...{ ...development, id: "FI.RES.TOTL.MO", label: "Total reserves in months of imports", group: "gdp" },
    ...{ of: (alpha2, year) => economyOf(alpha2, year).reserveMonths, ages: [1, 2], silent: 0.17 },
  },
  {
    ...{ ...amount, id: "FI.RES.TOTL.CD", label: "Total reserves (includes gold, current US$)" },
    ...{ of: reservesAt, silent: 0.13 },
  },
  {
    ...{ ...amount, id: "DT.DOD.DSTC.CD", label: "External debt stocks, short-term (DOD, current US$)" },
    ...{ of: shortTermDebtAt, silent: 0.08 },
  },
  {
    ...amount,
    id: "NY.GNP.MKTP.CD",
    label: "GNI (current US$)",
    of: (a, year) => economyOf(a, year).gni * billion,
    silent: 0.06,
  },
  { ...amount, id: "NY.GDP.MKTP.CD", label: "GDP (current US$)", of: gdpAt, silent: 0.03 },
  {
    ...amount,
    id: "NE.IMP.GNFS.CD",
    label: "Imports of goods and services (current US$)",
    of: importsAt,
    silent: 0.12,
  },
  {
    ...{ ...development, id: "NE.TRD.GNFS.ZS", label: "Trade (% of GDP)", group: "gdp", ages: [1, 2], silent: 0.08 },
    of: (alpha2, year) => economyOf(alpha2, year).exports + economyOf(alpha2, year).imports,
  },
  {
    ...{ ...development, id: "TM.TAX.MRCH.WM.AR.ZS", label: "Tariff rate, applied, weighted mean, all products (%)" },
    ...{ group: "gdp", ages: [2, 6], silent: 0.16, of: (alpha2) => tariffOf(alpha2).applied },
  },
];

const life: readonly DevelopmentIndicator[] = [
  {
    ...{ ...development, id: "IS.ROD.PAVE.ZS", label: "Roads, paved (% of total roads)", decimal: 1, digits: 1 },
    ...{ group: "people", ages: [2, 9], silent: 0.22, of: (a, year) => societyOf(a, year).pavedRoads },
  },
  {
    ...{
      ...development,
      id: "EG.ELC.ACCS.ZS",
      label: "Access to electricity (% of population)",
      decimal: 1,
      digits: 1,
    },
    ...{ group: "people", ages: [2, 2], silent: 0.01, of: (a, year) => societyOf(a, year).electricityAccess },
  },
  {
    ...{ ...development, id: "IT.NET.BBND.P2", label: "Fixed broadband subscriptions (per 100 people)" },
    ...{ group: "people", ages: [1, 2], silent: 0.06, of: (a, year) => societyOf(a, year).broadband },
  },
  {
    ...{
      ...development,
      id: "EG.ELC.FOSL.ZS",
      label: "Electricity production from oil, gas and coal sources (% of total)",
    },
    ...{ group: "gdp", ages: [2, 4], silent: 0.25, of: (a, year) => 100 - societyOf(a, year).lowCarbon },
  },
  {
    ...{
      ...development,
      id: "EG.ELC.LOSS.ZS",
      label: "Electric power transmission and distribution losses (% of output)",
    },
    ...{ group: "gdp", ages: [2, 4], silent: 0.25, of: (a, year) => societyOf(a, year).powerLosses },
  },
  {
    ...{ ...development, id: "EG.IMP.CONS.ZS", label: "Energy imports, net (% of energy use)", group: "gdp" },
    ...{ ages: [2, 5], silent: 0.25, of: (a, year) => societyOf(a, year).energyImports },
  },
  {
    ...{ ...development, id: "SE.SEC.CUAT.UP.FE.ZS", group: "people", ages: [1, 13], silent: 0.1 },
    label: "Educational attainment, at least completed upper secondary, population 25+, female (%) (cumulative)",
    of: (a, year) => societyOf(a, year).schooling,
  },
  {
    ...{ ...development, id: "ER.H2O.FWST.ZS", group: "people", ages: [4, 4], silent: 0.12 },
    label: "Level of water stress: freshwater withdrawal as a proportion of available freshwater resources",
    of: (a, year) => societyOf(a, year).waterStress,
  },
];

const estimates = (
  [
    ["VA", "Voice and Accountability", "voice"],
    ["PV", "Political Stability and Absence of Violence/Terrorism", "stability"],
    ["GE", "Government Effectiveness", "effectiveness"],
    ["RQ", "Regulatory Quality", "regulation"],
    ["RL", "Rule of Law", "ruleOfLaw"],
    ["CC", "Control of Corruption", "corruption"],
  ] as const
).map(
  ([letters, label, of]): DevelopmentIndicator => ({
    ...{ ...governance, id: `GOV_WGI_${letters}.EST`, label: `${label}: Estimate` },
    of: (alpha2, year) => societyOf(alpha2, year)[of],
  }),
);

export const developmentIndicators: readonly DevelopmentIndicator[] = [...money, ...life, ...estimates];
