import type { ServiceImpl } from "@connectrpc/connect";
import type { InfrastructureService } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { callerKey } from "../../access/caller.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import type { Served } from "../../store/served/served.ts";
import { geocoder } from "./geocoding-provider.ts";
import { internetOutages } from "./internet-outages.ts";
import type { IpLocator } from "./ip-geo.ts";
import { matchingOutages, outageCounts } from "./outage-filter.ts";
import type { ReverseGeocoder } from "./reverse-geocoder.ts";

/** The datasets behind these operations. */
export const infrastructureDatasets = [scheduled(internetOutages)];

/** Sources that these operations ask while a caller waits. */
export const infrastructureLookups = [geocoder];

/** Infrastructure operations, answered from memory. */
export function infrastructure(parts: {
  readonly served: Served;
  readonly geocoder: ReverseGeocoder;
  readonly locator: IpLocator;
}): ServiceImpl<typeof InfrastructureService> {
  const { served, locator } = parts;
  return {
    listInternetOutages(request, context) {
      const outages = matchingOutages(served.message(internetOutages, context).outages, request);
      return { outages, pagination: { totalCount: outages.length } };
    },
    countInternetOutages(request, context) {
      return outageCounts(matchingOutages(served.message(internetOutages, context).outages, request), request.groupBy);
    },
    reverseGeocode({ lat, lon }) {
      return parts.geocoder(lat!, lon!);
    },
    getIpGeo(_request, context) {
      return locator.locate(context.values.get(callerKey));
    },
  };
}
