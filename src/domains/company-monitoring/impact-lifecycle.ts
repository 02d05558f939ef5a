import type { Insertable } from "kysely";
import { z } from "zod";
import { MonitoredCompanyState } from "../../../gen/es/ids/company_monitoring/v1/companies_pb.ts";
import {
  type EvidenceReference,
  type ImpactAssessment,
  MaterialImpactLifecycle as Lifecycle,
} from "../../../gen/es/ids/company_monitoring/v1/impacts_pb.ts";
import { Conflict, InvalidRequest, invalidField, NotFound, type Violation } from "../../errors.ts";
import { type Change, closeRevision, openedBy } from "./generation.ts";
import type { ImpactRow, MonitoringTables, StoredEvidence } from "./monitoring-table.ts";

type AssessmentColumns = Pick<
  Insertable<MonitoringTables["company_impact"]>,
  | ("direction" | "channels" | "magnitude" | "attribution" | "occurrence_truth" | "material_impact" | "rationale")
  | ("occurred_at" | "canonical_url" | "evidence" | "evidence_total")
>;

interface Admission {
  readonly id: string;
  readonly companyId: string;
  readonly eventId: string;
  readonly eventRevision: number;
  readonly assessment: AssessmentColumns;
}

const transitions: Readonly<Partial<Record<Lifecycle, readonly Lifecycle[]>>> = {
  [Lifecycle.ADMITTED]: [Lifecycle.CORRECTED, Lifecycle.RETRACTED],
  [Lifecycle.CORRECTED]: [Lifecycle.CORRECTED, Lifecycle.RETRACTED],
};

/** Stores a new impact. `NotFound`: no such company. `Conflict`: it is inactive or has an impact of the event. */
export async function admitImpact(change: Change, admission: Admission): Promise<ImpactRow> {
  const { transaction, account } = change;
  const { id, companyId, eventId, eventRevision, assessment } = admission;
  const company = await transaction
    .selectFrom("monitored_company")
    .select("state")
    .where("account", "=", account)
    .where("id", "=", companyId)
    .where("to_generation", "is", null)
    .executeTakeFirst();
  if (!company) throw new NotFound("No such company");
  if (company.state !== MonitoredCompanyState.ACTIVE) throw new Conflict("The company is not active");
  const other = await transaction
    .selectFrom("company_impact")
    .select("id")
    .where("account", "=", account)
    .where("company_id", "=", companyId)
    .where("event_id", "=", eventId)
    .where("to_generation", "is", null)
    .where("lifecycle", "!=", Lifecycle.RETRACTED)
    .executeTakeFirst();
  if (other) throw new Conflict(`The event has an impact on the company already: correct ${other.id}`);
  return insert(change, {
    ...assessment,
    id,
    revision: 1,
    lifecycle: Lifecycle.ADMITTED,
    origin: change.origin,
    company_id: companyId,
    event_id: eventId,
    event_revision: eventRevision,
  });
}

/** Corrects an impact. An event revision of 0 means no change. Throws `NotFound`, `Conflict`, `InvalidRequest`. */
export async function correctImpact(
  change: Change,
  id: string,
  { eventRevision, assessment }: Pick<Admission, "eventRevision" | "assessment">,
): Promise<ImpactRow> {
  const before = await requireTransition(change, id, Lifecycle.CORRECTED);
  if (eventRevision !== 0 && eventRevision < before.event_revision)
    throw invalidField("eventRevision", `value must not be before ${before.event_revision}, which was assessed`);
  return next(change, before, {
    ...assessment,
    event_revision: eventRevision || before.event_revision,
    lifecycle: Lifecycle.CORRECTED,
  });
}

/** Retracts an impact. If the rationale is empty, the previous one stays. Throws `NotFound` or `Conflict`. */
export async function retractImpact(change: Change, id: string, rationale: string): Promise<ImpactRow> {
  const before = await requireTransition(change, id, Lifecycle.RETRACTED);
  return next(change, before, {
    lifecycle: Lifecycle.RETRACTED,
    ...(rationale === "" ? {} : { rationale }),
  });
}

async function requireTransition({ transaction, account }: Change, id: string, to: Lifecycle): Promise<ImpactRow> {
  const row = await transaction
    .selectFrom("company_impact")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .where("to_generation", "is", null)
    .executeTakeFirst();
  if (!row) throw new NotFound("No such impact");
  if (!transitions[row.lifecycle]?.includes(to)) throw new Conflict("The impact was retracted and cannot be changed");
  return row;
}

async function next(
  change: Change,
  before: ImpactRow,
  changed: Partial<Insertable<MonitoringTables["company_impact"]>>,
): Promise<ImpactRow> {
  await closeRevision(change, "company_impact", before.id);
  const evidence = JSON.stringify(before.evidence);
  const previous = { ...before, evidence, from_generation: 0, to_generation: null };
  return insert(change, { ...previous, ...changed, revision: before.revision + 1 });
}

type Opened = keyof ReturnType<typeof openedBy>;

async function insert(change: Change, row: Omit<Insertable<MonitoringTables["company_impact"]>, Opened>) {
  return change.transaction
    .insertInto("company_impact")
    .values({ ...row, ...openedBy(change) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const maxEntries = 20;

export function assessmentColumns(assessment: ImpactAssessment | undefined, now: Date): AssessmentColumns {
  // The API rejects requests without an assessment, so this only satisfies the compiler.
  if (!assessment) throw invalidField("assessment", "value is required");
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
  // The conversion to UTC can move a time at the limit of RFC 3339 to a year with more than four digits.
  return at && /^\d{4}-/.test(at.toISOString()) ? at : undefined;
}
