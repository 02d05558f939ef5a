import { z } from "zod";
import type { EvidenceReference, ImpactAssessment } from "../../../gen/es/ids/company_monitoring/v1/impacts_pb.ts";
import { InvalidRequest, type Violation } from "../../errors.ts";
import type { AssessmentColumns } from "./impact-lifecycle.ts";
import type { StoredEvidence } from "./monitoring-table.ts";

const maxEntries = 20;

export function assessmentColumns(assessment: ImpactAssessment | undefined, now: Date): AssessmentColumns {
  // The API requires an assessment.
  if (!assessment) throw new InvalidRequest([{ field: "assessment", description: "value is required" }]);
  const violations: Violation[] = [];
  const reject = (member: string, description: string) =>
    violations.push({ field: `assessment.${member}`, description });
  const instant = (member: string, text: string) => {
    const at = instantOf(text);
    if (!at) reject(member, "value must be a timestamp with its zone (RFC 3339)");
    return at ?? now;
  };
  const { evidence, evidenceTotalCount, confidence, rationale } = assessment;
  const occurred = instant("occurredAt", assessment.occurredAt);
  if (occurred > now) reject("occurredAt", "value must not be in the future");
  const references = evidence.map((reference, index) => ({
    ...reference,
    publishedAt:
      reference.publishedAt && instant(`evidence[${index}].publishedAt`, reference.publishedAt).toISOString(),
  }));
  if (evidenceTotalCount !== 0 && evidenceTotalCount < evidence.length)
    reject("evidenceTotalCount", "value must not be less than the references sent");
  if (violations.length > 0) throw new InvalidRequest(violations);
  const bestReferences = references.toSorted((a, b) => a.tier - b.tier).slice(0, maxEntries);
  return {
    direction: assessment.direction,
    channels: assessment.channels.toSorted((a, b) => a - b),
    magnitude: assessment.magnitude,
    attribution: confidence?.attribution ?? 0,
    occurrence_truth: confidence?.occurrenceTruth ?? 0,
    material_impact: confidence?.materialImpact ?? 0,
    rationale,
    occurred_at: occurred,
    canonical_url: assessment.canonicalUrl || (bestReferences[0]?.url ?? ""),
    evidence: JSON.stringify(bestReferences.map(storedReference)),
    evidence_total: Math.max(evidenceTotalCount, evidence.length),
  };
}

function storedReference({ url, tier, title, publishedAt }: Omit<EvidenceReference, "$typeName">): StoredEvidence {
  return { url, tier, title, published: publishedAt };
}

const instantSchema = z.iso.datetime({ offset: true });

function instantOf(text: string): Date | undefined {
  const at = instantSchema.safeParse(text).success ? new Date(text) : undefined;
  // A year at the limit of RFC 3339 can leave its range after the conversion to UTC.
  return at && /^\d{4}-/.test(at.toISOString()) ? at : undefined;
}
