import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { LaborStatsSchema } from "../../../../gen/es/ids/stored/v1/labor_stats_pb.ts";
import { seriesOfMessage, seriesTold } from "../../../ingest/series/series.ts";
import { laborSeries } from "./labor-series.ts";

const figure = seriesTold({
  id: "labor.figure",
  title: `A figure of the U.S. labor market, as GetLaborStatsSeries tells it, at the start of its month or quarter. Unit and step differ by key: ${laborSeries.map(({ id, units, frequency }) => `\`${id}\` ${units}, ${frequency}`).join("; ")}.`,
  keyParts: ["publisher's series"],
  step: "quarter",
  shownBy: EconomicService.method.getLaborStatsSeries,
});

/** Labor figures of the United States by month or quarter. */
export const laborHistory = seriesOfMessage(LaborStatsSchema, [figure], function* ({ series }) {
  for (const { seriesId, observations } of series)
    for (const { year, period, value } of observations) {
      const number = Number(period.slice(1));
      const month = period.startsWith("Q") ? 3 * (number - 1) : number - 1;
      const amount = Number(value);
      // Figures that were not collected are told as `-`.
      if (Number.isFinite(amount) && value !== "")
        yield { series: figure, key: seriesId, at: new Date(Date.UTC(Number(year), month)), value: amount };
    }
});
