import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { GetEuQuarterlyGovDebtResponseSchema } from "../../../../gen/es/ids/economic/v1/eu_indicators_pb.ts";
import { EuIndicatorRowSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { type IndicatorTerms, indicatorOf } from "./eu-indicator.ts";
import { eurostatIndicator } from "./eurostat-indicator.ts";

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
