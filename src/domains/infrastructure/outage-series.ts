import {
  InfrastructureService,
  InternetOutageCountSchema,
  ListInternetOutagesResponseSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { type DatasetSeries, seriesOfField, seriesOfMessage } from "../../ingest/series/series.ts";
import { dayMs } from "../../reference/duration.ts";

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

/** Outages by country and UTC day of detection; a day without one is a measured 0 for countries that had any. */
export const outageSeries: DatasetSeries = { ...counted, absentIsZero: true };
