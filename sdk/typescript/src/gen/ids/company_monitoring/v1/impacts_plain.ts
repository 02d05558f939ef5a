// Written by `make generate`.
/** A revision of an impact of an event on a company. */
export interface CompanyEventImpact {
  /** `cm_impact_` and a ULID. */
  impactId: string;
  /** Revision number, starting at 1 and incremented by each correction and by the retraction. */
  impactRevision: number;
  /** False if the impact has a later revision than the snapshot's. ListCompanyEventChanges returns it. */
  isCurrent: boolean;
  /** `cm_event_` and a ULID. */
  eventId: string;
  /** Revision of the assessed event, starting at 1. */
  eventRevision: number;
  /** `cm_company_` and a ULID. */
  companyId: string;
  /** Whether the effect is positive or negative for the company. */
  direction: MaterialImpactDirection;
  /** Lifecycle stage of the impact. */
  lifecycle: MaterialImpactLifecycle;
  /** Channels through which the event affects the company, 1 or 2. */
  channels: MaterialImpactChannel[];
  /** Severity of the impact. */
  magnitude: MaterialImpactMagnitude;
  /** Confidence of the assessment. */
  confidence: ImpactConfidence;
  /** Human-readable reason, at most 2,048 bytes. */
  rationale: string;
  /** Time of the event, RFC 3339 in UTC. */
  occurredAt: string;
  /** Time of this revision, RFC 3339 in UTC. */
  changedAt: string;
  /** Best page about the event. Empty if there is none. */
  canonicalUrl: string;
  /** Number of stored references in `evidence`, 0 to 20. */
  evidenceReferenceCount: number;
  /** Total number of references. */
  evidenceTotalCount: number;
  /** True if there were more references than are stored. */
  evidenceTruncated: boolean;
  /** Stored references, best tier first. */
  evidence: EvidenceReference[];
}

/** Effect of an event on a company, with its evidence. */
export interface ImpactAssessment {
  /** Whether the effect is positive or negative for the company. */
  direction: Exclude<MaterialImpactDirection, "MATERIAL_IMPACT_DIRECTION_UNSPECIFIED">;
  /** Channels through which the event affects the company, 1 or 2. */
  channels: Exclude<MaterialImpactChannel, "MATERIAL_IMPACT_CHANNEL_UNSPECIFIED">[];
  /** Severity of the impact. Use `HIGH` for impacts rated critical elsewhere. */
  magnitude: Exclude<MaterialImpactMagnitude, "MATERIAL_IMPACT_MAGNITUDE_UNSPECIFIED">;
  /** Confidence of the assessment. An impact below any of the minimums is not admitted. */
  confidence: AdmissionConfidence;
  /** Human-readable reason, not blank, at most 2,048 bytes. */
  rationale: string;
  /** Time of the event, RFC 3339 with a time zone. Not in the future. */
  occurredAt: string;
  /** Best page about the event, at most 2,048 bytes. Default: the page of the first stored evidence reference. */
  canonicalUrl?: string | undefined;
  /** Evidence, at most 200 references. The 20 of the best tiers are stored, in request order within a tier. */
  evidence?: EvidenceReference[] | undefined;
  /** Total number of references, not less than the number sent. Default: the number sent. */
  evidenceTotalCount?: number | undefined;
}

/** Whether an impact is positive or negative for the company. */
export type MaterialImpactDirection = "MATERIAL_IMPACT_DIRECTION_UNSPECIFIED" | "MATERIAL_IMPACT_DIRECTION_POSITIVE" | "MATERIAL_IMPACT_DIRECTION_NEGATIVE" | "MATERIAL_IMPACT_DIRECTION_MIXED";

/** Lifecycle stage of an impact. An admitted impact can be corrected or retracted. A corrected impact can be corrected again or retracted. Retracted is final. */
export type MaterialImpactLifecycle = "MATERIAL_IMPACT_LIFECYCLE_UNSPECIFIED" | "MATERIAL_IMPACT_LIFECYCLE_ADMITTED" | "MATERIAL_IMPACT_LIFECYCLE_CORRECTED" | "MATERIAL_IMPACT_LIFECYCLE_RETRACTED";

/** Channel through which an event affects a company. */
export type MaterialImpactChannel = "MATERIAL_IMPACT_CHANNEL_UNSPECIFIED" | "MATERIAL_IMPACT_CHANNEL_REPUTATION" | "MATERIAL_IMPACT_CHANNEL_FINANCES";

/** Severity of an impact. */
export type MaterialImpactMagnitude = "MATERIAL_IMPACT_MAGNITUDE_UNSPECIFIED" | "MATERIAL_IMPACT_MAGNITUDE_LOW" | "MATERIAL_IMPACT_MAGNITUDE_MEDIUM" | "MATERIAL_IMPACT_MAGNITUDE_HIGH";

/** Confidence of an impact, each value 0 to 1. */
export interface ImpactConfidence {
  /** Confidence that the event concerns this company. */
  attribution: number;
  /** Confidence that the event happened. */
  occurrenceTruth: number;
  /** Confidence that the event is material to the company. */
  materialImpact: number;
  /** The lowest of the three. */
  overall: number;
}

/** Evidence for an assessment. */
export interface EvidenceReference {
  /** URL, at most 2,048 bytes. */
  url: string;
  /** Reliability of the reference. */
  tier: Exclude<EvidenceTier, "EVIDENCE_TIER_UNSPECIFIED">;
  /** Title, at most 300 characters. Empty if unknown. */
  title?: string | undefined;
  /** Publication time, RFC 3339. Empty if unknown. In responses, in UTC. */
  publishedAt?: string | undefined;
}

/** Minimum confidence for an impact to be admitted. */
export interface AdmissionConfidence {
  /** Confidence that the event concerns this company, 0.9 to 1. */
  attribution?: number | undefined;
  /** Confidence that the event happened, 0.8 to 1. */
  occurrenceTruth?: number | undefined;
  /** Confidence that the event is material to the company, 0.7 to 1. */
  materialImpact?: number | undefined;
}

/** Reliability of a reference. */
export type EvidenceTier = "EVIDENCE_TIER_UNSPECIFIED" | "EVIDENCE_TIER_PRIMARY_VERIFIED" | "EVIDENCE_TIER_INDEPENDENT_AUTHORITATIVE" | "EVIDENCE_TIER_ORDINARY";

