import { hash } from "node:crypto";
import { z } from "zod";

export const provenanceType = "https://slsa.dev/provenance/v1";

const digest = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), sha512: z.string().regex(/^[0-9a-f]{128}$/) });
const resource = z.object({ name: z.string(), digest: z.union([digest, z.object({ gitCommit: z.string() })]) });

/** The parts of an in-toto statement (version 1) with SLSA provenance (version 1) that a release has. */
export const statementSchema = z.object({
  _type: z.literal("https://in-toto.io/Statement/v1"),
  subject: z.array(z.object({ name: z.string(), digest })).min(1),
  predicateType: z.literal(provenanceType),
  predicate: z.object({
    buildDefinition: z.object({
      buildType: z.string(),
      externalParameters: z.object({ commit: z.string(), command: z.array(z.string()) }),
      internalParameters: z.record(z.string(), z.unknown()),
      resolvedDependencies: z.array(resource),
    }),
    runDetails: z.object({
      builder: z.object({ id: z.string() }),
      metadata: z.record(z.string(), z.unknown()),
      byproducts: z.array(resource),
    }),
  }),
});

export type Statement = z.infer<typeof statementSchema>;

export function digestsOf(bytes: Buffer): z.infer<typeof digest> {
  return { sha256: hash("sha256", bytes), sha512: hash("sha512", bytes) };
}
