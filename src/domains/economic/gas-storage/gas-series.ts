import {
  EconomicService,
  EuGasStorageDaySchema,
  GetEuGasStorageResponseSchema,
} from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";

const terms = { keyParts: ["place"], step: "day", shownBy: EconomicService.method.getEuGasStorage } as const;

const fill = seriesOfField({ ...terms, id: "gas.fill" }, EuGasStorageDaySchema.field.fillPct);
const stored = seriesOfField({ ...terms, id: "gas.stored" }, EuGasStorageDaySchema.field.gasTwh);

/** Gas in storage of the European Union by gas day. */
export const gasSeries = seriesOfMessage(GetEuGasStorageResponseSchema, [fill, stored], function* ({ history }) {
  for (const { date, fillPct, gasTwh } of history) {
    const at = new Date(date);
    yield { series: fill, key: "EU", at, value: fillPct };
    yield { series: stored, key: "EU", at, value: gasTwh };
  }
});
