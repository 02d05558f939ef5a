import type { MessageInitShape } from "@bufbuild/protobuf";
import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import type {
  LaborStatsObservationSchema,
  LaborStatsSeriesSchema,
} from "../../../../gen/es/ids/economic/v1/labor_stats_pb.ts";
import { LaborStatsSchema } from "../../../../gen/es/ids/stored/v1/labor_stats_pb.ts";
import { type Observation, ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { seriesOfMessage, seriesReported } from "../../../ingest/series/series.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { bls } from "./bls.ts";
import { fredLabor } from "./fred.ts";
import { type LaborSeries, laborSeries } from "./labor-series.ts";

const figure = seriesReported({
  id: "labor.figure",
  title: `A value of the U.S. labor market, as GetLaborStatsSeries returns it, at the start of its month or quarter. Unit and step differ by key: ${laborSeries.map(({ id, units, frequency }) => `\`${id}\` ${units}, ${frequency}`).join("; ")}.`,
  keyParts: ["publisher's series"],
  step: "quarter",
  shownBy: EconomicService.method.getLaborStatsSeries,
});

const laborHistory = seriesOfMessage(LaborStatsSchema, [figure], function* ({ series }) {
  for (const { seriesId, observations } of series)
    for (const { year, period, value } of observations) {
      const number = Number(period.slice(1));
      const month = period.startsWith("Q") ? 3 * (number - 1) : number - 1;
      const amount = Number(value);
      // Values that were not collected are published as `-`.
      if (Number.isFinite(amount) && value !== "")
        yield { series: figure, key: seriesId, at: new Date(Date.UTC(Number(year), month)), value: amount };
    }
});

/** The newest observations of each series. If two sources have it, the one with the later last period is used. */
export const laborStats = snapshot({
  name: "labor-stats",
  subject: "US payrolls by month and employment costs by quarter.",
  notIncluded: ["wages by occupation, employment by state: totals of the United States"],
  row: ObservationSchema,
  message: LaborStatsSchema,
  series: laborHistory,
  // The second run follows the Bureau's publication at 8:30 in Washington.
  schedule: "50 1,13 * * *",
  freshForMinutes: 48 * 60,
  serves: [EconomicService.method.getLaborStatsSeries],
  sources: [bls, fredLabor],
  combine: ({ bySource }) => laborStatsOf([bls, fredLabor].map(({ name }) => bySource.get(name) ?? [])),
  count: ({ series }) => series.reduce((sum, { observations }) => sum + observations.length, 0),
});

/**
 * Combines the sources, which are in order of preference. For each series, the source with the later last period is
 * used. If two sources are equal, the first one is used.
 */
export function laborStatsOf(
  preferred: readonly (readonly Observation[])[],
): MessageInitShape<typeof LaborStatsSchema> {
  return { series: laborSeries.map((known) => seriesOf(known, preferred)) };
}

function seriesOf(
  known: LaborSeries,
  preferred: readonly (readonly Observation[])[],
): MessageInitShape<typeof LaborStatsSeriesSchema> {
  const { id, title, units, frequency } = known;
  const [first = [], ...others] = preferred.map((rows) =>
    rows.filter(({ seriesId }) => seriesId === id).sort((a, b) => (a.date < b.date ? -1 : 1)),
  );
  const last = (rows: readonly Observation[]) => rows.at(-1)?.date ?? "";
  const latest = others.reduce((best, rows) => (last(rows) > last(best) ? rows : best), first);
  return { seriesId: id, title, units, observations: latest.map((row) => observationOf(row, frequency)) };
}

const months = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
const ordinals = ["1st", "2nd", "3rd", "4th"];

function observationOf(
  { date, value }: Observation,
  frequency: LaborSeries["frequency"],
): MessageInitShape<typeof LaborStatsObservationSchema> {
  const [year = "", month] = date.split("-");
  const quarter = Math.ceil(Number(month) / 3);
  return frequency === "monthly"
    ? { year, period: `M${month}`, periodName: months.format(Date.parse(date)), value }
    : { year, period: `Q0${quarter}`, periodName: `${ordinals[quarter - 1]} Quarter`, value };
}
