// Written by `make generate`.
import type { CompanyEventImpact, ImpactAssessment } from "../../../ids/company_monitoring/v1/impacts_plain.ts";
/** The admitted impact. */
export interface AdmitImpactResponse {
  /** The first revision. */
  impact: CompanyEventImpact;
}

/** The corrected impact. */
export interface CorrectImpactResponse {
  /** The newest revision. */
  impact: CompanyEventImpact;
}

/** The retracted impact. */
export interface RetractImpactResponse {
  /** The last revision. */
  impact: CompanyEventImpact;
}

/** An impact to admit. */
export interface AdmitImpactRequest {
  /** Account that monitors the company. */
  account: string;
  /** Id of the company. */
  companyId: string;
  /** Event id: `cm_event_` and a ULID. Default: a new event. */
  eventId?: string | undefined;
  /** Revision of the assessed event. Default 1. */
  eventRevision?: number | undefined;
  /** Effect of the event on the company. */
  assessment: ImpactAssessment;
}

/** An impact to correct. */
export interface CorrectImpactRequest {
  /** Account that owns the impact. */
  account: string;
  /** Id of the impact. */
  impactId: string;
  /** Revision of the assessed event, not earlier than the previously assessed one. Default: the same revision. */
  eventRevision?: number | undefined;
  /** The complete new assessment. */
  assessment: ImpactAssessment;
}

/** An impact to retract. */
export interface RetractImpactRequest {
  /** Account that owns the impact. */
  account: string;
  /** Id of the impact. */
  impactId: string;
  /** Reason, at most 2,048 bytes. Default: the previous rationale. */
  rationale?: string | undefined;
}

export interface PostPaths {
  /** Admits an impact of an event on an account's company. Operator only.
   *
   * 404 if the account has no such company. 409 if the company is not active, or already has an impact of this event that is not retracted. */
  "/api/company-monitoring/v1/admit-impact": { body: AdmitImpactRequest; answer: AdmitImpactResponse };
  /** Corrects an impact with a new assessment, as its next revision. Operator only. 409 if the impact is retracted. */
  "/api/company-monitoring/v1/correct-impact": { body: CorrectImpactRequest; answer: CorrectImpactResponse };
  /** Retracts an impact permanently, as its last revision. Operator only. 409 if the impact is already retracted. */
  "/api/company-monitoring/v1/retract-impact": { body: RetractImpactRequest; answer: RetractImpactResponse };
}

