import {
  EconomicService,
  EuGasStorageDaySchema,
  GetEuGasStorageResponseSchema,
} from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { type DatasetSeries, type SeriesPoint, seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";
import { rounded } from "../../../reference/rounding.ts";
import { type GasDay, gasBackfill } from "./gas-backfill.ts";

const terms = { keyParts: ["place"], step: "day", shownBy: EconomicService.method.getEuGasStorage } as const;

const fill = seriesOfField({ ...terms, id: "gas.fill" }, EuGasStorageDaySchema.field.fillPct);
const stored = seriesOfField({ ...terms, id: "gas.stored" }, EuGasStorageDaySchema.field.gasTwh);

/** Gas in storage of the European Union by gas day. */
export const gasSeries: DatasetSeries = {
  ...seriesOfMessage(GetEuGasStorageResponseSchema, [fill, stored], ({ history }) => history.flatMap(pointsOf)),
  backfill: gasBackfill(pointsOf),
};

function pointsOf({ date, fillPct, gasTwh }: GasDay): SeriesPoint[] {
  const at = new Date(date);
  return [
    { series: fill, key: "EU", at, value: rounded(fillPct, 2) },
    { series: stored, key: "EU", at, value: rounded(gasTwh, 1) },
  ];
}
