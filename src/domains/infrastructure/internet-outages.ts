import {
  InfrastructureService,
  InternetOutageCountSchema,
  InternetOutageSchema,
  ListInternetOutagesResponseSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import type { DatasetSeries } from "../../ingest/series/dataset-series.ts";
import { seriesOfField, seriesOfMessage } from "../../ingest/series/series.ts";
import { snapshot } from "../../ingest/snapshot.ts";
import { dayMs } from "../../reference/duration.ts";
import { cloudflareRadar } from "./cloudflare-radar.ts";

const count = seriesOfField(
  {
    id: "outages.count",
    keyParts: ["country"],
    step: "day",
    shownBy: InfrastructureService.method.countInternetOutages,
  },
  InternetOutageCountSchema.field.outages,
);

const counted = seriesOfMessage(ListInternetOutagesResponseSchema, [count], function* ({ outages }, now) {
  const dayOf = (time: bigint | number) => Math.floor(Number(time) / dayMs);
  const first = Math.min(...outages.map(({ detectedAt }) => dayOf(detectedAt)));
  const byCountry = Map.groupBy(outages, ({ country }) => country);
  for (const [country, own] of byCountry) {
    if (country === "") continue;
    const counts = Map.groupBy(own, ({ detectedAt }) => dayOf(detectedAt));
    for (let day = first; day <= dayOf(now.getTime()); day++)
      yield { series: count, key: country, at: new Date(day * dayMs), value: counts.get(day)?.length ?? 0 };
  }
});

/** If a country has had an outage before, each later day without an outage counts as a measured 0. */
const outageSeries: DatasetSeries = { ...counted, absentIsZero: true };

export const internetOutages = snapshot({
  name: "internet-outages",
  subject: "Internet outages by country or region, with cause and scope.",
  notIncluded: [
    "connection speed, latency, traffic volume: outages are events with a start and an end",
    "availability of the internet, uptime: a country without rows has no recorded outage, which does not prove that it was always online",
  ],
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
