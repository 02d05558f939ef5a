import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import {
  GetEuHousingCycleResponseSchema,
  GetEuIndustrialProductionResponseSchema,
  GetEuQuarterlyGovDebtResponseSchema,
} from "../../../../gen/es/ids/economic/v1/eu_indicators_pb.ts";
import { EuIndicatorRowSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { type IndicatorTerms, indicatorOf } from "./eu-indicator.ts";
import { eurostatIndicator } from "./eurostat-indicator.ts";

export const housePrices: IndicatorTerms = {
  name: "eurostat-house-prices",
  table: "prc_hpi_a",
  label: "House price index, annual average (2015 = 100)",
  unit: "I15_A_AVG",
  places: { purchase: "TOTAL" },
  frequency: "A",
  points: 10,
  yearsBack: 13,
  minGeos: 24,
};

export const euHousingCycle = snapshot({
  name: "eu-housing-cycle",
  subject: "House price index of European countries.",
  row: EuIndicatorRowSchema,
  message: GetEuHousingCycleResponseSchema,
  // Eurostat publishes at 11:00 in Luxembourg.
  schedule: "25 10 * * *",
  freshForMinutes: 50 * 24 * 60,
  serves: [EconomicService.method.getEuHousingCycle],
  sources: [eurostatIndicator(housePrices)],
  combine: (refresh) => ({ data: { housePrices: indicatorOf(housePrices, refresh) } }),
  count: ({ data }) => Object.keys(data?.housePrices?.countries ?? {}).length,
});

export const govDebt: IndicatorTerms = {
  name: "eurostat-gov-debt",
  table: "gov_10q_ggdebt",
  label: "Gross debt of the general government (percent of GDP)",
  unit: "PC_GDP",
  places: { sector: "S13", na_item: "GD" },
  frequency: "Q",
  points: 8,
  yearsBack: 4,
  minGeos: 24,
};

export const euQuarterlyGovDebt = snapshot({
  name: "eu-quarterly-gov-debt",
  subject: "Quarterly government debt of European countries, as a share of GDP.",
  row: EuIndicatorRowSchema,
  message: GetEuQuarterlyGovDebtResponseSchema,
  // Eurostat publishes at 11:00 in Luxembourg.
  schedule: "30 10 * * *",
  freshForMinutes: 14 * 24 * 60,
  serves: [EconomicService.method.getEuQuarterlyGovDebt],
  sources: [eurostatIndicator(govDebt)],
  combine: (refresh) => ({ data: { govDebtQ: indicatorOf(govDebt, refresh) } }),
  count: ({ data }) => Object.keys(data?.govDebtQ?.countries ?? {}).length,
});

export const industrialProduction: IndicatorTerms = {
  name: "eurostat-industrial-production",
  table: "sts_inpr_m",
  label: "Industrial production without construction, seasonally and calendar adjusted (2021 = 100)",
  unit: "I21",
  places: { s_adj: "SCA", nace_r2: "B-D" },
  frequency: "M",
  points: 12,
  yearsBack: 3,
  minGeos: 22,
};

export const euIndustrialProduction = snapshot({
  name: "eu-industrial-production",
  subject: "Monthly industrial production index of European countries.",
  row: EuIndicatorRowSchema,
  message: GetEuIndustrialProductionResponseSchema,
  // Eurostat publishes at 11:00 in Luxembourg.
  schedule: "35 10,22 * * *",
  freshForMinutes: 5 * 24 * 60,
  serves: [EconomicService.method.getEuIndustrialProduction],
  sources: [eurostatIndicator(industrialProduction)],
  combine: (refresh) => ({ data: { industrialProduction: indicatorOf(industrialProduction, refresh) } }),
  count: ({ data }) => Object.keys(data?.industrialProduction?.countries ?? {}).length,
});
