import { readFile } from "node:fs/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import {
  type EnergyCrisisPolicy,
  EnergyCrisisPolicySchema,
  type GetEnergyCrisisPoliciesRequest,
  type GetEnergyCrisisPoliciesResponse,
  GetEnergyCrisisPoliciesResponseSchema,
  GetEnergyCrisisPoliciesResponseSchema as ListSchema,
} from "../../../../gen/es/ids/economic/v1/energy_crisis_policy_pb.ts";
import { InvalidRequest, invalidField } from "../../../errors.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { checkRows } from "../../../ingest/refresh/fetch.ts";
import { day } from "../../../ingest/row-fields.ts";
import { dropPart, snapshot, storedMessage, storeParts } from "../../../ingest/snapshot.ts";
import { type Parsed, readRow, type Source } from "../../../ingest/source.ts";
import { countries, countryOf } from "../../../reference/countries/countries.ts";
import type { Store } from "../../../store/tables.ts";
import { readCsvTable } from "../../../upstream/csv.ts";

interface Attribution {
  readonly source: string;
  readonly sourceUrl: string;
}

const context =
  "Measures that governments announced or enacted against energy crises, to save energy or to relieve consumers. Each names its source and the day it was last reviewed.";

const cell = z.string().trim();

/** A row of the file. The API schema defines the accepted values of each column. */
const rowSchema = z.object({
  country_code: cell.transform((text) => countryOf(text)?.alpha2).pipe(z.string("is not a country")),
  category: cell,
  sector: cell,
  measure: cell,
  date_announced: day,
  status: cell,
  source: cell,
  source_url: cell,
  reviewed_on: day,
});

/** Reads a CSV list of policies. Its header must contain the columns of a row, and may contain others. */
export function readPolicies(text: string): Parsed<EnergyCrisisPolicy> {
  const rows = new Map<string, EnergyCrisisPolicy>();
  const { records, rejected } = readCsvTable("The list of policies", text, Object.keys(rowSchema.shape));
  for (const { line, record } of records) {
    const row = `line ${line}`;
    const read = readRow(rowSchema, record, row, rejected);
    if (!read) continue;
    const { country_code, category, date_announced, measure } = read;
    const key = [country_code, category, date_announced, measure].join("\n");
    const checked = checkRows(EnergyCrisisPolicySchema, [policyOf(read)]);
    for (const { reason } of checked.rejected) rejected.push({ row, reason });
    if (rows.has(key)) rejected.push({ row, reason: "has the same measure as a row above" });
    else for (const policy of checked.rows) rows.set(key, policy);
  }
  return { rows: [...rows.values()], rejected };
}

export function policyList(
  policies: readonly EnergyCrisisPolicy[],
  attribution: Attribution,
): MessageInitShape<typeof GetEnergyCrisisPoliciesResponseSchema> {
  if (policies.length === 0) return { unavailable: true };
  const reviewed = Math.max(...policies.map(({ reviewedOn }) => Date.parse(reviewedOn)));
  return {
    ...attribution,
    context,
    policies: policies.toSorted(byCountryThenNewest),
    updatedAt: new Date(reviewed).toISOString(),
  };
}

function policyOf(row: z.output<typeof rowSchema>): MessageInitShape<typeof EnergyCrisisPolicySchema> {
  return {
    country: countries.get(row.country_code)?.name ?? "",
    countryCode: row.country_code,
    category: row.category,
    sector: row.sector,
    measure: row.measure,
    dateAnnounced: row.date_announced,
    status: row.status,
    source: row.source,
    sourceUrl: row.source_url,
    reviewedOn: row.reviewed_on,
  };
}

const { compare } = new Intl.Collator("en");

function byCountryThenNewest(a: EnergyCrisisPolicy, b: EnergyCrisisPolicy): number {
  return (
    compare(a.country, b.country) ||
    compare(a.category, b.category) ||
    -compare(a.dateAnnounced, b.dateAnnounced) ||
    compare(a.measure, b.measure)
  );
}

/** The project's own list of government measures against energy crises, with a source for each measure. */
export const curatedPolicies: Source<MessageInitShape<typeof EnergyCrisisPolicySchema>> = {
  name: "curated-policies",
  license: { kind: "open", publisher: "this project", terms: "Part of this project" },
  own: true,
  rows: { atLeast: 30, mayBeEmpty: false },
  fetch: () => readFile(new URL("energy-crisis-policies.csv", import.meta.url), "utf8"),
  parse: (text) => readPolicies(z.string().parse(text)),
  observedAt: ({ dateAnnounced = "" }) => Date.parse(dateAnnounced),
};

/** The imported list is stored in the database under this name, so that each process that refreshes can read it. */
const part = "imported";

/** Stores an operator's list, which replaces the project's list at the next refresh. Throws if any row is invalid. */
export async function importPolicies(database: Store, text: string, attribution: Attribution) {
  const { rows, rejected } = readPolicies(text);
  const violations = rejected.map(({ row, reason }) => ({ field: row, description: reason }));
  if (violations.length > 0) throw new InvalidRequest(violations);
  if (rows.length === 0) throw invalidField("file", "has no policies");
  const [list] = checkRows(ListSchema, [policyList(rows, attribution)]).rows;
  if (!list) throw invalidField("source url", "is not an https address");
  await storeParts(database, ListSchema, new Map([[part, list]]), 0);
  return rows.length;
}

export function forgetImportedPolicies(database: Store): Promise<boolean> {
  return dropPart(database, ListSchema, part);
}

/** Returns the operator's list, or undefined if none was imported. */
function importedPolicies(database: Store): Promise<GetEnergyCrisisPoliciesResponse | undefined> {
  return storedMessage(database, ListSchema, part);
}

const ours = { source: "Intelligence Data Service, curated list", sourceUrl: "" };

const definition = {
  name: "energy-crisis-policies" as const,
  subject: "Government measures that respond to energy crises, by country.",
  notIncluded: ["costs of measures: announcement, sector, and status of each measure"],
  row: EnergyCrisisPolicySchema,
  message: GetEnergyCrisisPoliciesResponseSchema,
  schedule: "40 3 * * *",
  freshForMinutes: 48 * 60,
  // Neither list is fetched from a server, so both remain valid while the service is not running.
  servableForMinutes: 366 * 24 * 60,
  serves: [EconomicService.method.getEnergyCrisisPolicies],
  sources: [curatedPolicies],
  count: ({ policies }: GetEnergyCrisisPoliciesResponse) => policies.length,
};

const curated = snapshot({
  ...definition,
  combine: ({ bySource }) => policyList([...bySource.values()].flat(), ours),
});

/** Measures against energy crises. A list that the operator imported replaces the project's own list. */
export const energyCrisisPolicies = dataset({
  ...curated,
  async write(transaction, refresh) {
    const imported = await importedPolicies(transaction);
    const visible = imported ? snapshot({ ...definition, combine: () => imported }) : curated;
    return visible.write(transaction, refresh);
  },
});

export function policiesOf(
  list: GetEnergyCrisisPoliciesResponse,
  { countryCode, category }: GetEnergyCrisisPoliciesRequest,
): GetEnergyCrisisPoliciesResponse {
  const policies = list.policies.filter(
    (policy) =>
      (countryCode === "" || policy.countryCode === countryCode) && (category === "" || policy.category === category),
  );
  return { ...list, policies };
}
