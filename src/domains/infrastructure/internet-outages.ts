import {
  InfrastructureService,
  InternetOutageSchema,
  ListInternetOutagesResponseSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { snapshot } from "../../ingest/snapshot.ts";
import { cloudflareRadar } from "./cloudflare-radar.ts";
import { outageSeries } from "./outage-series.ts";

/** Internet outages by country, newest detection first. */
export const internetOutages = snapshot({
  name: "internet-outages",
  subject: "Internet outages by country or region, with cause and scope.",
  row: InternetOutageSchema,
  message: ListInternetOutagesResponseSchema,
  series: outageSeries,
  schedule: "*/15 * * * *",
  freshForMinutes: 45,
  serves: [InfrastructureService.method.listInternetOutages, InfrastructureService.method.countInternetOutages],
  sources: [cloudflareRadar],
  combine({ bySource }) {
    const outages = [...bySource.values()].flat().sort((a, b) => {
      if (a.detectedAt !== b.detectedAt) return a.detectedAt > b.detectedAt ? -1 : 1;
      return a.id < b.id ? -1 : 1;
    });
    return { outages, pagination: { totalCount: outages.length } };
  },
  count: ({ outages }) => outages.length,
});
