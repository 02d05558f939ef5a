import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import { CiiComponentsSchema, CiiScoreSchema } from "../../../../gen/es/ids/intelligence/v1/risk_pb.ts";
import { RiskAssessmentSchema } from "../../../../gen/es/ids/stored/v1/risk_pb.ts";
import { seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";
import { riskCountries } from "./risk-countries.ts";
import { methodologyVersion } from "./risk-method.ts";

const terms = {
  keyParts: ["country"],
  keys: riskCountries.map(({ code }) => code),
  step: "refresh",
  shownBy: IntelligenceService.method.getRiskScores,
  methodology: methodologyVersion,
} as const;

const score = seriesOfField({ ...terms, id: "risk.score" }, CiiScoreSchema.field.combinedScore);
/** By the methodology's names of the components that have a source. */
const components = {
  unrest: seriesOfField({ ...terms, id: "risk.unrest" }, CiiComponentsSchema.field.ciiContribution),
  conflict: seriesOfField({ ...terms, id: "risk.conflict" }, CiiComponentsSchema.field.geoConvergence),
};

/** Risk of countries over time; what rests on baselines alone, because no input was at hand, is no point. */
export const riskSeries = seriesOfMessage(
  RiskAssessmentSchema,
  [score, ...Object.values(components)],
  function* ({ explanations }, at) {
    for (const { region, combinedScore, missingInputs, components: computed } of explanations) {
      if (missingInputs.length > 0) continue;
      yield { series: score, key: region, at, value: combinedScore };
      for (const [name, series] of Object.entries(components)) {
        const component = computed.find((each) => each.name === name);
        if (component) yield { series, key: region, at, value: component.score };
      }
    }
  },
);
