import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CountInternetOutagesResponseSchema,
  InternetOutage,
  ListInternetOutagesRequest,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { boundOf } from "../../contract/request/request-time.ts";

type Request = Pick<ListInternetOutagesRequest, "start" | "end" | "country" | "severity" | "ongoing">;

/** The outages that a caller asks for, in their order. */
export function matchingOutages(
  outages: readonly InternetOutage[],
  { start, end, country, severity, ongoing }: Request,
): InternetOutage[] {
  const [from, to] = [boundOf(start), boundOf(end)];
  return outages.filter(
    (outage) =>
      (from === undefined || outage.detectedAt >= from) &&
      (to === undefined || outage.detectedAt <= to) &&
      (country === "" || outage.country === country) &&
      (severity.length === 0 || severity.includes(outage.severity)) &&
      (ongoing === undefined || isOngoing(outage) === ongoing),
  );
}

/** Counts of the groups that have outages. */
export function outageCounts(
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
  return by === "day" ? new Date(Number(detectedAt)).toISOString().slice(0, 10) : "";
}

function isOngoing({ endedAt }: InternetOutage): boolean {
  return endedAt === 0n;
}
