import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import {
  type EnergyCrisisPolicy,
  EnergyCrisisPolicySchema,
  type GetEnergyCrisisPoliciesResponseSchema,
} from "../../../../gen/es/ids/economic/v1/energy_crisis_policy_pb.ts";
import { checkRows } from "../../../ingest/refresh/fetch.ts";
import { day } from "../../../ingest/row-fields.ts";
import { type Parsed, readRow } from "../../../ingest/source.ts";
import { countries, countryOf } from "../../../reference/countries/countries.ts";
import { readCsvTable } from "../../../upstream/csv.ts";

export interface Attribution {
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

/** Reads a CSV list of policies. The header must name at least the columns of a row. */
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
