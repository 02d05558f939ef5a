import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MonitoredCompanySchema } from "../../../gen/es/ids/company_monitoring/v1/companies_pb.ts";
import type { CompanyEventImpactSchema } from "../../../gen/es/ids/company_monitoring/v1/impacts_pb.ts";
import type { CompanyRow, ImpactRow } from "./monitoring-table.ts";

export function impactMessage(row: ImpactRow): MessageInitShape<typeof CompanyEventImpactSchema> {
  const { attribution, occurrence_truth: occurrenceTruth, material_impact: materialImpact, evidence } = row;
  return {
    impactId: row.id,
    impactRevision: row.revision,
    isCurrent: row.to_generation === null,
    eventId: row.event_id,
    eventRevision: row.event_revision,
    companyId: row.company_id,
    direction: row.direction,
    lifecycle: row.lifecycle,
    channels: row.channels,
    magnitude: row.magnitude,
    confidence: {
      attribution,
      occurrenceTruth,
      materialImpact,
      overall: Math.min(attribution, occurrenceTruth, materialImpact),
    },
    rationale: row.rationale,
    occurredAt: row.occurred_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
    canonicalUrl: row.canonical_url,
    evidenceReferenceCount: evidence.length,
    evidenceTotalCount: row.evidence_total,
    evidenceTruncated: row.evidence_total > evidence.length,
    evidence: evidence.map(({ url, tier, title, published }) => ({ url, tier, title, publishedAt: published })),
  };
}

export function companyMessage(row: CompanyRow): MessageInitShape<typeof MonitoredCompanySchema> {
  const { name, domicile, ticker, lei, domain, state } = row;
  return {
    companyId: row.id,
    companyRevision: row.revision,
    name,
    domicile,
    ticker,
    lei,
    domain,
    state,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
  };
}
