import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { GetResilienceScoreExplanationResponseSchema } from "../../../gen/es/ids/resilience/v1/resilience_explanation_pb.ts";
import type {
  GetResilienceScoreResponse,
  GetResilienceScoreResponseSchema,
  ResilienceService,
} from "../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import type { GetResilienceRuntimeManifestResponseSchema } from "../../../gen/es/ids/resilience/v1/runtime_manifest_pb.ts";
import { type ResilienceAssessment, ResilienceAssessmentSchema } from "../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { setNoStore } from "../../contract/request-context.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { storedMessage } from "../../ingest/snapshot.ts";
import type { ServedParts } from "../../store/served/served.ts";
import { scoredCountries } from "./countries.ts";
import { resilienceInputs } from "./inputs/resilience-inputs.ts";
import { intervalMethodology } from "./method/interval.ts";
import { resilienceMethodology } from "./method/methodology.ts";
import { domains, methodologyVersion, type PillarId, rules } from "./method/structure.ts";
import { rankingResponse, sampleCountry } from "./scoring/assessment.ts";
import { formulaTag, historyMethod } from "./scoring/resilience-history.ts";
import { resilienceScores } from "./scoring/resilience-scores.ts";

interface Installation {
  readonly schema: "1.0" | "2.0";
  /** The commit from which the running program was built, or `unknown`. */
  readonly commit: string;
  readonly data: "live" | "sample";
}

const assessmentName = `snapshot:${ResilienceAssessmentSchema.typeName}`;

function manifestOf(
  assessment: ResilienceAssessment | undefined,
  { schema, commit, data }: Installation,
  now: Date,
): MessageInitShape<typeof GetResilienceRuntimeManifestResponseSchema> {
  const sample = assessment?.scores.find(({ countryCode }) => countryCode === sampleCountry);
  const available = sample?.scoreInterval !== undefined;
  const stateOf = (dimension: string) => (assessment?.rolledBack.includes(dimension) ? "rollback" : "active");
  const { fetchedAt = "", items = [], scored = 0, total = scoredCountries.length } = assessment?.ranking ?? {};
  const finance = stateOf("financialSystemExposure");
  return {
    manifestVersion: 1,
    generatedAt: now.toISOString(),
    deployedCommitSha: commit,
    environment: data,
    formulaTag,
    methodologyVersion,
    dataVersion: sample?.dataVersion ?? "",
    flags: [
      { name: "schema-v2", enabled: schema === "2.0" },
      { name: "pillar-combine", enabled: formulaTag === "pc" },
      { name: "energy-v2", enabled: true },
      { name: "financial-system-exposure", enabled: finance === "active" },
    ],
    cache: {
      scorePrefix: assessmentName,
      rankingKey: `${assessmentName}#ranking`,
      historyPrefix: `resilience_history:${historyMethod}`,
      intervalPrefix: `${assessmentName}#scoreInterval`,
      intervalMethodology,
    },
    rankingCache: { fetchedAt, count: items.length, scored, total },
    constructVersions: { energy: "v2", education: stateOf("education"), financialSystemExposure: finance },
    intervals: {
      available,
      methodology: intervalMethodology,
      sampleCountry,
      lastObservedAt: available ? (assessment?.computedAt ?? "") : "",
    },
  };
}

interface ResilienceParts extends ServedParts {
  readonly resilience: Installation;
}

export const resilience = {
  datasets: [scheduled(resilienceInputs), scheduled(resilienceScores)],
  methodology: resilienceMethodology,
  implement,
};

function implement(parts: ResilienceParts): ServiceImpl<typeof ResilienceService> {
  const { database, served, clock } = parts;
  const { schema } = parts.resilience;
  const assessment = (context: HandlerContext) => served.messageIfAny(resilienceScores, context);

  return {
    getResilienceScore({ countryCode }, context) {
      const score = assessment(context)?.scores.find((known) => known.countryCode === countryCode);
      if (score?.level === "unknown") setNoStore(context);
      if (score)
        return {
          ...score,
          pillars: schema === "2.0" ? pillarsOf(score) : [],
          schemaVersion: schema,
        };
      setNoStore(context);
      return unscored(countryCode);
    },

    getResilienceRanking({ countryCode }, context) {
      const ranking = assessment(context)?.ranking;
      if (!ranking?.scored) setNoStore(context);
      if (!ranking) return rankingResponse([], "");
      if (countryCode === "") return ranking;
      const isRequested = (country: { readonly countryCode: string }) => country.countryCode === countryCode;
      return { ...ranking, items: ranking.items.filter(isRequested), greyedOut: ranking.greyedOut.filter(isRequested) };
    },

    async getResilienceScoreExplanation({ countryCode }, context) {
      const schema = GetResilienceScoreExplanationResponseSchema;
      const explanation = assessment(context) && (await storedMessage(database, schema, countryCode));
      if (explanation?.level !== undefined && explanation.level !== "unknown") return explanation;
      setNoStore(context);
      if (explanation) return explanation;
      const { penalty, imputedFactor } = rules;
      const known = { countryCode, methodologyVersion, penalty, imputedFactor };
      return create(schema, { ...known, level: "unknown", lowConfidence: true });
    },

    getResilienceRuntimeManifest(_request, context) {
      const assessed = assessment(context);
      if (!assessed) setNoStore(context);
      return manifestOf(assessed, parts.resilience, clock());
    },
  };
}

function pillarsOf(score: GetResilienceScoreResponse): GetResilienceScoreResponse["pillars"] {
  return score.pillars.map((pillar) => ({
    ...pillar,
    domains: score.domains.filter(({ id }) => pillarIdOf(id) === pillar.id),
  }));
}

function pillarIdOf(domain: string): PillarId | undefined {
  return Object.entries(domains).find(([id]) => id === domain)?.[1].pillar;
}

function unscored(countryCode: string): MessageInitShape<typeof GetResilienceScoreResponseSchema> {
  return {
    countryCode,
    level: "unknown",
    lowConfidence: true,
    schemaVersion: "1.0",
    methodologyVersion,
  };
}
