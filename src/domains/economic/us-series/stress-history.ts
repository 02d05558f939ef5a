import {
  EconomicService,
  EconomicStressComponentSchema,
  GetEconomicStressResponseSchema,
} from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";

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

/** Economic stress of the United States over time, and the scores that it is made from. */
export const stressHistory = seriesOfMessage(
  GetEconomicStressResponseSchema,
  [composite, component],
  function* ({ compositeScore, components }, at) {
    const known = components.filter(({ missing }) => !missing);
    if (known.length > 0) yield { series: composite, key: "US", at, value: compositeScore };
    for (const { id, score } of known) yield { series: component, key: id, at, value: score };
  },
);
