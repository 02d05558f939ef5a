import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetResilienceRuntimeManifestResponseSchema } from "../../../../gen/es/ids/resilience/v1/runtime_manifest_pb.ts";
import {
  type ResilienceAssessment,
  ResilienceAssessmentSchema,
} from "../../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { scoredCountries } from "../countries.ts";
import { intervalMethodology } from "../method/interval.ts";
import { methodologyVersion } from "../method/structure.ts";
import { sampleCountry } from "./assessment.ts";
import { formulaTag, historyMethod } from "./resilience-history.ts";

/** How the operator set it up. */
export interface Installation {
  /** Form of the scores. */
  readonly schema: "1.0" | "2.0";
  /** Of the program that runs; `unknown` where nobody said. */
  readonly commit: string;
  readonly data: "live" | "sample";
}

const stored = `snapshot:${ResilienceAssessmentSchema.typeName}`;

/** How the scoring is set up and what is served now. */
export function manifestOf(
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
      scorePrefix: stored,
      rankingKey: `${stored}#ranking`,
      historyPrefix: `resilience_history:${historyMethod}`,
      intervalPrefix: `${stored}#scoreInterval`,
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
