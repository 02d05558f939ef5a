import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { GetEuIndustrialProductionResponseSchema } from "../../../../gen/es/ids/economic/v1/eu_indicators_pb.ts";
import { EuIndicatorRowSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { type IndicatorTerms, indicatorOf } from "./eu-indicator.ts";
import { eurostatIndicator } from "./eurostat-indicator.ts";

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
