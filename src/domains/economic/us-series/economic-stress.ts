import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  EconomicService,
  EconomicStressComponentSchema,
  type GetEconomicStressResponse,
  GetEconomicStressResponseSchema,
} from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { type Observation, ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { hourMs } from "../../../reference/duration.ts";
import { fredStress } from "./fred.ts";
import { gscpi } from "./gscpi.ts";
import { stressIndex } from "./stress-index.ts";

const terms = {
  step: "refresh",
  shownBy: EconomicService.method.getEconomicStress,
} as const;

const composite = seriesOfField(
  { ...terms, id: "stress.composite", keyParts: ["country"] },
  GetEconomicStressResponseSchema.field.compositeScore,
);
const component = seriesOfField(
  { ...terms, id: "stress.component", keyParts: ["publisher's series"] },
  EconomicStressComponentSchema.field.score,
);

const stressHistory = seriesOfMessage(
  GetEconomicStressResponseSchema,
  [composite, component],
  function* ({ compositeScore, components }, at) {
    const known = components.filter(({ missing }) => !missing);
    if (known.length > 0) yield { series: composite, key: "US", at, value: compositeScore };
    for (const { id, score } of known) yield { series: component, key: id, at, value: score };
  },
);

type EconomicStress = MessageInitShape<typeof GetEconomicStressResponseSchema>;

const retainedMs = 6 * hourMs;

export const economicStress = snapshot({
  name: "economic-stress",
  subject: "Index of stress in the US economy, its markets and supply chains, with its components.",
  row: ObservationSchema,
  message: GetEconomicStressResponseSchema,
  series: stressHistory,
  schedule: "25 * * * *",
  freshForMinutes: 180,
  serves: [EconomicService.method.getEconomicStress],
  main: [fredStress],
  sources: [fredStress, gscpi],
  combine: ({ bySource, responses }) =>
    economicStressOf([...bySource.values()].flat(), responses.get(fredStress.name)?.fetchedAt),
  count: ({ components }) => components.filter(({ missing }) => !missing).length,
});

/** Computes the index. It is unavailable without the series of FRED, because the other source has only one. */
export function economicStressOf(rows: readonly Observation[], fredReadAt: Date | undefined): EconomicStress {
  const index = stressIndex(latestValues(rows));
  return fredReadAt && index ? { ...index, seededAt: fredReadAt.toISOString() } : { unavailable: true };
}

/** Returns the current index. If FRED has sent no data for too long, the last values count as unavailable. */
export function economicStressAt(stored: GetEconomicStressResponse | undefined, now: Date): EconomicStress {
  if (!stored || stored.unavailable) return { unavailable: true };
  const isOld = now.getTime() - Date.parse(stored.seededAt) > retainedMs;
  return isOld ? { ...stored, unavailable: true } : stored;
}

function latestValues(rows: readonly Observation[]): ReadonlyMap<string, number> {
  const latest = new Map<string, Observation>();
  for (const row of rows) if (row.date > (latest.get(row.seriesId)?.date ?? "")) latest.set(row.seriesId, row);
  return new Map([...latest].map(([id, { value }]) => [id, Number(value)]));
}
