import {
  GetResilienceScoreResponseSchema,
  ResilienceDomainSchema,
  ResiliencePillarSchema,
  ResilienceService,
} from "../../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { ResilienceAssessmentSchema } from "../../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";
import { methodologyVersion } from "../method/structure.ts";

const terms = {
  step: "refresh",
  shownBy: ResilienceService.method.getResilienceScore,
  methodology: methodologyVersion,
} as const;

/** Of the whole score, by country. */
export const scoreSeries = seriesOfField(
  { ...terms, id: "resilience.score", keyParts: ["country"] },
  GetResilienceScoreResponseSchema.field.overallScore,
);
const domain = seriesOfField(
  { ...terms, id: "resilience.domain", keyParts: ["country", "domain"] },
  ResilienceDomainSchema.field.score,
);
const pillar = seriesOfField(
  { ...terms, id: "resilience.pillar", keyParts: ["country", "pillar"] },
  ResiliencePillarSchema.field.score,
);

/** Resilience of countries over time; what nothing is known of is no point. */
export const resilienceSeries = seriesOfMessage(
  ResilienceAssessmentSchema,
  [scoreSeries, domain, pillar],
  function* ({ scores, missingInputs: missing }, at) {
    for (const { countryCode, overallScore, level, domains, pillars } of scores) {
      if (level === "unknown") continue;
      yield { series: scoreSeries, key: countryCode, at, value: overallScore, missing };
      for (const { id, score: value, dimensions } of domains)
        if (dimensions.some(({ coverage }) => coverage > 0))
          yield { series: domain, key: `${countryCode}/${id}`, at, value, missing };
      for (const { id, score: value, coverage } of pillars)
        if (coverage > 0) yield { series: pillar, key: `${countryCode}/${id}`, at, value, missing };
    }
  },
);
