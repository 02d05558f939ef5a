import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import { GetResilienceScoreExplanationResponseSchema } from "../../../gen/es/ids/resilience/v1/resilience_explanation_pb.ts";
import type {
  GetResilienceScoreResponse,
  GetResilienceScoreResponseSchema,
  ResilienceService,
} from "../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { storedMessage } from "../../ingest/snapshot.ts";
import type { Served } from "../../store/served/served.ts";
import type { StoreTables } from "../../store/tables.ts";
import { resilienceInputs } from "./inputs/resilience-inputs.ts";
import { domains, methodologyVersion, type PillarId, rules } from "./method/structure.ts";
import { rankingAnswer } from "./scoring/assessment.ts";
import { resilienceScores } from "./scoring/resilience-scores.ts";
import { type Installation, manifestOf } from "./scoring/runtime-manifest.ts";

/** The datasets behind these operations. */
export const resilienceDatasets = [scheduled(resilienceInputs), scheduled(resilienceScores)];

export interface ResilienceParts {
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly clock: () => Date;
  readonly resilience: Installation;
}

/** Resilience operations: scores and ranking from memory, explanations from the store. */
export function resilience(parts: ResilienceParts): ServiceImpl<typeof ResilienceService> {
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
      if (!ranking) return rankingAnswer([], "");
      if (countryCode === "") return ranking;
      const asked = (country: { readonly countryCode: string }) => country.countryCode === countryCode;
      return { ...ranking, items: ranking.items.filter(asked), greyedOut: ranking.greyedOut.filter(asked) };
    },

    async getResilienceScoreExplanation({ countryCode }, context) {
      const schema = GetResilienceScoreExplanationResponseSchema;
      const reported = assessment(context) && (await storedMessage(database, schema, countryCode));
      if (reported?.level !== undefined && reported.level !== "unknown") return reported;
      setNoStore(context);
      if (reported) return reported;
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

function setNoStore({ responseHeader }: HandlerContext): void {
  responseHeader.set("Cache-Control", "no-store");
}

/** The pillars with the domains of the score. */
function pillarsOf(score: GetResilienceScoreResponse): GetResilienceScoreResponse["pillars"] {
  return score.pillars.map((pillar) => ({
    ...pillar,
    domains: score.domains.filter(({ id }) => pillarIdOf(id) === pillar.id),
  }));
}

function pillarIdOf(domain: string): PillarId | undefined {
  return Object.entries(domains).find(([id]) => id === domain)?.[1].pillar;
}

/** Nothing was computed yet. */
function unscored(countryCode: string): MessageInitShape<typeof GetResilienceScoreResponseSchema> {
  return {
    countryCode,
    level: "unknown",
    lowConfidence: true,
    schemaVersion: "1.0",
    methodologyVersion,
  };
}
