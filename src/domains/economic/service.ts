import type { ServiceImpl } from "@connectrpc/connect";
import type { EconomicService } from "../../../gen/es/ids/economic/v1/economic_pb.ts";
import { InvalidRequest, Unavailable } from "../../errors.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { countryFigureReads } from "./country-figures/country-figure-reads.ts";
import { countryMacro } from "./country-figures/country-macro.ts";
import { euHousingCycle } from "./country-figures/eu-housing-cycle.ts";
import { euIndustrialProduction } from "./country-figures/eu-industrial-production.ts";
import { euQuarterlyGovDebt } from "./country-figures/eu-quarterly-gov-debt.ts";
import { energyCrisisPolicies, policiesOf } from "./energy-policies/energy-crisis-policies.ts";
import { euGasStorage, gasStorageAt } from "./gas-storage/eu-gas-storage.ts";
import { type TenderFeedParts, tenderDataset, tenderFeed } from "./tenders/tender-feed.ts";
import { economicStress, economicStressAt } from "./us-series/economic-stress.ts";
import { laborStats } from "./us-series/labor-stats.ts";

const defaultObservations = 60;

const unknownGasCountry = {
  field: "country",
  description: "value must be empty or EU: storage is known for the European Union as a whole, not by country",
};

/** The datasets behind these operations. */
export const economicDatasets = [
  tenderDataset,
  scheduled(euGasStorage),
  scheduled(energyCrisisPolicies),
  scheduled(laborStats),
  scheduled(economicStress),
  scheduled(countryMacro),
  scheduled(euHousingCycle),
  scheduled(euQuarterlyGovDebt),
  scheduled(euIndustrialProduction),
];

/** Economic operations, answered from memory; tenders from the store. */
export function economic(parts: TenderFeedParts): ServiceImpl<typeof EconomicService> {
  const { served, clock } = parts;
  return {
    listGlobalTenders: tenderFeed(parts),
    ...countryFigureReads(parts),
    getEuGasStorage({ country }, context) {
      if (country !== "" && country !== "EU") throw new InvalidRequest([unknownGasCountry]);
      return gasStorageAt(served.messageIfAny(euGasStorage, context, { flagged: "old" }), clock());
    },
    getEnergyCrisisPolicies(request, context) {
      const list = served.messageIfAny(energyCrisisPolicies, context);
      return list ? policiesOf(list, request) : { unavailable: true };
    },
    getLaborStatsSeries({ seriesId, limit = defaultObservations }, context) {
      const series = served.message(laborStats, context).series.find((known) => known.seriesId === seriesId);
      if (!series) throw new Unavailable(`${seriesId} was never loaded`);
      return { series: { ...series, observations: series.observations.slice(-limit) } };
    },
    getEconomicStress(_request, context) {
      return economicStressAt(served.messageIfAny(economicStress, context, { flagged: "old" }), clock());
    },
  };
}
