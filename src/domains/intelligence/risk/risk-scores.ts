import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import { CiiComponentsSchema, CiiScoreSchema } from "../../../../gen/es/ids/intelligence/v1/risk_pb.ts";
import { RiskAssessmentSchema, RiskSignalSchema } from "../../../../gen/es/ids/stored/v1/risk_pb.ts";
import { shownAs } from "../../../ingest/changes/followed-tables.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { seriesOfField, seriesOfMessage, seriesReported } from "../../../ingest/series/series.ts";
import { storeMessage } from "../../../ingest/snapshot.ts";
import { acledUnrest } from "./acled-unrest.ts";
import { firms } from "./firms.ts";
import { ofacSdn } from "./ofac-sdn.ts";
import { contributionsOf } from "./risk-contributions.ts";
import { riskCountries } from "./risk-countries.ts";
import { explainAll, readEarlier, retainScores } from "./risk-explanation.ts";
import { methodologyVersion } from "./risk-method.ts";
import { ciiScore, highestFirst, worldRisk } from "./risk-response.ts";
import { readStored, storedDatasets } from "./risk-stored.ts";
import { readInputs } from "./risk-values.ts";
import { stateAdvisories } from "./state-advisories.ts";
import { unhcr } from "./unhcr.ts";
import { usgsEarthquakes } from "./usgs-earthquakes.ts";

const terms = {
  keyParts: ["country"],
  keys: riskCountries.map(({ code }) => code),
  step: "refresh",
  shownBy: IntelligenceService.method.getRiskScores,
  methodology: methodologyVersion,
} as const;

const contribution = seriesReported({
  ...terms,
  id: "risk.contribution",
  title: "Points that the baseline, a component, an addition, or the floor contributes to the risk score.",
  keyParts: ["country", "contribution"],
});
const score = seriesOfField(
  { ...terms, id: "risk.score", components: contribution },
  CiiScoreSchema.field.combinedScore,
);
const components = {
  unrest: seriesOfField({ ...terms, id: "risk.unrest" }, CiiComponentsSchema.field.ciiContribution),
  conflict: seriesOfField({ ...terms, id: "risk.conflict" }, CiiComponentsSchema.field.geoConvergence),
};

/** The history of countries' risk scores. A score that lacks inputs is not stored as a point. */
const riskSeries = seriesOfMessage(
  RiskAssessmentSchema,
  [score, ...Object.values(components), contribution],
  function* ({ explanations }, at) {
    for (const explanation of explanations) {
      const { region, combinedScore, missingInputs, components: computed } = explanation;
      if (missingInputs.length > 0) continue;
      yield { series: score, key: region, at, value: combinedScore };
      for (const [name, value] of contributionsOf(explanation))
        yield { series: contribution, key: `${region}/${name}`, at, value };
      for (const [name, series] of Object.entries(components)) {
        const component = computed.find((each) => each.name === name);
        if (component) yield { series, key: region, at, value: component.score };
      }
    }
  },
);

export const riskScores = dataset({
  name: "risk-scores",
  subject: "Risk scores of countries, with their components.",
  notIncluded: ["risk forecasts, predicted risk: scores of today and of earlier days"],
  row: RiskSignalSchema,
  message: RiskAssessmentSchema,
  shows: shownAs(RiskAssessmentSchema, IntelligenceService.method.getRiskScores, ({ explanations }) => {
    const sorted = highestFirst(explanations);
    const missingInputs = explanations[0]?.missingInputs ?? [];
    return { ciiScores: sorted.map(ciiScore), strategicRisks: [worldRisk(sorted)], missingInputs };
  }),
  inputsOf: (_, { missingInputs }) => ({ missing: missingInputs as string[] }),
  series: riskSeries,
  schedule: "*/10 * * * *",
  freshForMinutes: 20,
  serves: [IntelligenceService.method.getRiskScores, IntelligenceService.method.getRiskScoreExplanation],
  sources: [acledUnrest, firms, usgsEarthquakes, ofacSdn, stateAdvisories, unhcr],
  reads: storedDatasets,
  async write(transaction, { bySource, responses, generation, origin, now }) {
    const reported = await readStored(transaction, { origin, now });
    for (const [source, signals] of bySource) {
      const response = responses.get(source);
      if (response) reported.set(source, { fetchedAt: response.fetchedAt, signals });
    }
    const readings = readInputs(reported, now);
    const kind = { origin, missing: readings.missing };
    const explanations = explainAll(readings, now, await readEarlier(transaction, kind, now));
    await retainScores(transaction, explanations, kind, now);
    const stored = await storeMessage(transaction, RiskAssessmentSchema, { explanations }, generation);
    return stored.explanations.length;
  },
});
