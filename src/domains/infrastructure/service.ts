import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type {
  CountInternetOutagesResponseSchema,
  InfrastructureService,
  InternetOutage,
  ListInternetOutagesRequest,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { callerKey } from "../../access/caller.ts";
import { heldPeriod } from "../../contract/held-period.ts";
import { requestedCountries } from "../../contract/request/country-parameter.ts";
import { boundOf } from "../../contract/request/request-time.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { isoDay } from "../../reference/calendar.ts";
import type { Served } from "../../store/served/served.ts";
import { internetOutages } from "./internet-outages.ts";
import type { IpLocator } from "./ip-geo.ts";
import { createPlaceResolver } from "./place-resolver.ts";
import { geocoder, type ReverseGeocoder } from "./reverse-geocoder.ts";

export const infrastructure = {
  datasets: [scheduled(internetOutages)],
  lookups: [geocoder],
  implement,
};

function implement(parts: {
  readonly served: Served;
  readonly geocoder: ReverseGeocoder;
  readonly locator: IpLocator;
}): ServiceImpl<typeof InfrastructureService> {
  const { served, locator } = parts;
  const readOutages = (context: HandlerContext): ReadOutages => {
    const { outages: all } = served.message(internetOutages, context);
    return { all, readAt: served.visible(internetOutages)?.provenance.readAt };
  };
  return {
    listInternetOutages(request, context) {
      const read = readOutages(context);
      const outages = matchingOutages(read.all, request);
      return { outages, pagination: { totalCount: outages.length }, ...heldIn(read, request, context) };
    },
    countInternetOutages(request, context) {
      const read = readOutages(context);
      const counted = outageCounts(matchingOutages(read.all, request), request.groupBy);
      return { ...counted, ...heldIn(read, request, context) };
    },
    reverseGeocode({ lat = Number.NaN, lon = Number.NaN }) {
      return parts.geocoder(lat, lon);
    },
    resolvePlace: createPlaceResolver(),
    getIpGeo(_request, context) {
      return locator.locate(context.values.get(callerKey));
    },
  };
}

type Request = Pick<ListInternetOutagesRequest, "start" | "end" | "country" | "countries" | "severity" | "ongoing">;

function matchingOutages(outages: readonly InternetOutage[], request: Request) {
  const { start, end, severity, ongoing } = request;
  const [from, to] = [boundOf(start), boundOf(end)];
  const countries = requestedCountries(request);
  return outages.filter(
    (outage) =>
      (from === undefined || outage.detectedAt >= from) &&
      (to === undefined || outage.detectedAt <= to) &&
      (countries.length === 0 || countries.includes(outage.country)) &&
      (severity.length === 0 || severity.includes(outage.severity)) &&
      (ongoing === undefined || isOngoing(outage) === ongoing),
  );
}

/** Returns the period for which outages are held. `all` must be in descending order of time. */
function heldIn({ all, readAt }: ReadOutages, { start, end }: Request, context: HandlerContext) {
  const heldFrom = all.at(-1)?.detectedAt;
  const from = boundOf(start);
  // The source reports outages at once, so the number of outages is unknown only after the last read.
  const heldTo = readAt && from !== undefined && from > readAt.getTime() ? BigInt(readAt.getTime()) : undefined;
  return heldPeriod({ from, to: boundOf(end) }, { heldFrom, heldTo, rows: "outages" }, context);
}

interface ReadOutages {
  readonly all: readonly InternetOutage[];
  readonly readAt: Date | undefined;
}

function outageCounts(
  outages: readonly InternetOutage[],
  by: string,
): MessageInitShape<typeof CountInternetOutagesResponseSchema> {
  const groups = [...Map.groupBy(outages, (outage) => groupOf(outage, by))].map(([group, members]) => ({
    group,
    outages: members.length,
    ongoing: members.filter(isOngoing).length,
  }));
  groups.sort((a, b) => (by === "day" ? 0 : b.outages - a.outages) || (a.group < b.group === (by === "day") ? 1 : -1));
  return {
    counts: groups.map(({ group, ...counts }) => ({
      ...counts,
      ...(by === "country" && { country: group }),
      ...(by === "type" && { outageType: group }),
      ...(by === "day" && { day: group }),
    })),
    totalOutages: outages.length,
  };
}

function groupOf({ country, outageType, detectedAt }: InternetOutage, by: string): string {
  if (by === "country") return country;
  if (by === "type") return outageType;
  return by === "day" ? isoDay(Number(detectedAt)) : "";
}

function isOngoing({ endedAt }: InternetOutage): boolean {
  return endedAt === 0n;
}
