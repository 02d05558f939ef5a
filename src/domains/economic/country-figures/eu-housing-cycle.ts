import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { GetEuHousingCycleResponseSchema } from "../../../../gen/es/ids/economic/v1/eu_indicators_pb.ts";
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
