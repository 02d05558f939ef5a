import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { CompanyImportSchema } from "../../../gen/es/ids/company_monitoring/v1/companies_pb.ts";
import {
  MaterialImpactChannel as Channel,
  MaterialImpactDirection as Direction,
  ImpactAssessmentSchema,
  MaterialImpactMagnitude as Magnitude,
  EvidenceTier as Tier,
} from "../../../gen/es/ids/company_monitoring/v1/impacts_pb.ts";
import { hourMs } from "../../reference/duration.ts";
import type { Store } from "../../store/tables.ts";
import { importCompanies } from "./company-import.ts";
import { type Change, changeAccount } from "./generation.ts";
import { admitImpact, assessmentColumns, correctImpact, retractImpact } from "./impact-lifecycle.ts";
import type { MonitoringTables } from "./monitoring-table.ts";
import { newId, type RandomBytes } from "./ulid.ts";

/** Invented companies with web addresses in the domain that is reserved for examples. */
const companies: readonly MessageInitShape<typeof CompanyImportSchema>[] = [
  { name: "Harrowgate Pumps plc", domicile: "GB", ticker: "HGP", domain: "harrowgate-pumps.example" },
  { name: "Tamarack Freight Lines Inc", domicile: "US", ticker: "TMRK", domain: "tamarack-freight.example" },
  { name: "Solway Bay Seafoods Ltd", domicile: "GB", domain: "solway-bay.example" },
];

interface DemoImpact {
  readonly of: number;
  /** How many hours ago the impact was admitted. */
  readonly hours: number;
  readonly direction: Direction;
  readonly channels: readonly Channel[];
  readonly magnitude: Magnitude;
  /** The confidence in the attribution, in the occurrence of the event, and in its material impact. */
  readonly confidence: readonly [number, number, number];
  readonly rationale: string;
  readonly page: string;
}

const { POSITIVE, NEGATIVE, MIXED } = Direction;
const { REPUTATION, FINANCES } = Channel;

const impacts = [
  {
    of: 0,
    hours: 70,
    direction: NEGATIVE,
    channels: [FINANCES],
    magnitude: Magnitude.HIGH,
    confidence: [0.97, 0.93, 0.86],
    rationale: "Illustrative: a strike closes the only foundry that casts its pump housings; stock lasts three weeks.",
    page: "foundry-strike",
  },
  {
    of: 1,
    hours: 52,
    direction: NEGATIVE,
    channels: [REPUTATION, FINANCES],
    magnitude: Magnitude.MEDIUM,
    confidence: [0.94, 0.88, 0.74],
    rationale: "Illustrative: a port shuts after a crane collapse; a fifth of its containers goes through it.",
    page: "crane-collapse",
  },
  {
    of: 2,
    hours: 33,
    direction: POSITIVE,
    channels: [FINANCES],
    magnitude: Magnitude.LOW,
    confidence: [0.92, 0.95, 0.71],
    rationale: "Illustrative: the import duty on smoked fish is lifted in its second largest market.",
    page: "fish-duty",
  },
  {
    of: 2,
    hours: 21,
    direction: NEGATIVE,
    channels: [REPUTATION],
    magnitude: Magnitude.MEDIUM,
    confidence: [0.9, 0.82, 0.77],
    rationale: "Illustrative: a recall of packed salmon is said to concern its brand.",
    page: "salmon-recall",
  },
] as const satisfies readonly DemoImpact[];

export async function provideDemoImpacts(
  database: Store,
  account: string,
  now: Date,
  randomBytes: RandomBytes,
): Promise<void> {
  const known = await database
    .withTables<MonitoringTables>()
    .selectFrom("monitoring_account")
    .select("account")
    .where("account", "=", account)
    .executeTakeFirst();
  if (known) return;
  const at = <T>(hours: number, work: (change: Change) => Promise<T>) =>
    changeAccount(database, { account, now: new Date(now.getTime() - hours * hourMs), origin: "sample" }, work);
  const rows = companies.map((company) => create(CompanyImportSchema, company));
  const watched = await at(96, (change) =>
    importCompanies(change, rows, () => newId("company", change.now, randomBytes)),
  );
  const admitted: string[] = [];
  for (const impact of impacts) {
    const { id } = await at(impact.hours, (change) =>
      admitImpact(change, {
        id: newId("impact", change.now, randomBytes),
        companyId: watched[impact.of]?.row.id ?? "",
        eventId: newId("event", change.now, randomBytes),
        eventRevision: 1,
        assessment: assessed(impact, change.now),
      }),
    );
    admitted.push(id);
  }
  const [, crane, , recall] = admitted;
  const milder = {
    ...impacts[1],
    direction: MIXED,
    channels: [FINANCES],
    rationale: "Illustrative: most of its containers are moved to another port, which costs it little.",
  };
  await at(9, (change) =>
    correctImpact(change, crane ?? "", { eventRevision: 2, assessment: assessed(milder, change.now) }),
  );
  await at(4, (change) =>
    retractImpact(change, recall ?? "", "Illustrative: the recall concerns another company of a similar name."),
  );
}

function assessed({ direction, channels, magnitude, confidence, rationale, page }: DemoImpact, now: Date) {
  const [attribution, occurrenceTruth, materialImpact] = confidence;
  const occurredAt = new Date(now.getTime() - 3 * hourMs).toISOString();
  const url = `https://news.example/${page}`;
  const assessment = create(ImpactAssessmentSchema, {
    direction,
    channels: [...channels],
    magnitude,
    rationale,
    occurredAt,
    confidence: { attribution, occurrenceTruth, materialImpact },
    evidence: [{ url, tier: Tier.INDEPENDENT_AUTHORITATIVE, title: "Illustrative report", publishedAt: occurredAt }],
  });
  return assessmentColumns(assessment, now);
}
