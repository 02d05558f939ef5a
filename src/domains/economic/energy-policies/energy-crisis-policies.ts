import { readFile } from "node:fs/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import { z } from "zod";
import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import {
  EnergyCrisisPolicySchema,
  type GetEnergyCrisisPoliciesRequest,
  type GetEnergyCrisisPoliciesResponse,
  GetEnergyCrisisPoliciesResponseSchema,
  GetEnergyCrisisPoliciesResponseSchema as ListSchema,
} from "../../../../gen/es/ids/economic/v1/energy_crisis_policy_pb.ts";
import { InvalidRequest } from "../../../errors.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { checkRows } from "../../../ingest/refresh/fetch.ts";
import { dropPart, snapshot, storedMessage, storeParts } from "../../../ingest/snapshot.ts";
import type { Source } from "../../../ingest/source.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { type Attribution, policyList, readPolicies } from "./policy-list.ts";

/** The project's own list of measures against energy crises, with a source for each. */
export const curatedPolicies: Source<MessageInitShape<typeof EnergyCrisisPolicySchema>> = {
  name: "curated-policies",
  license: { kind: "open", terms: "Part of this project" },
  own: true,
  variables: [],
  rows: { atLeast: 30, mayBeEmpty: false },
  fetch: () => readFile(new URL("energy-crisis-policies.csv", import.meta.url), "utf8"),
  parse: (text) => readPolicies(z.string().parse(text)),
  observedAt: ({ dateAnnounced = "" }) => Date.parse(dateAnnounced),
};

/** The imported list is stored next to the visible list, so that every process that refreshes finds it. */
const part = "imported";

/** The list replaces the project's list at the next refresh. If a row is invalid, the whole list is rejected. */
export async function importPolicies(
  database: Kysely<StoreTables>,
  text: string,
  attribution: Attribution,
): Promise<number> {
  const { rows, rejected } = readPolicies(text);
  const violations = rejected.map(({ row, reason }) => ({ field: row, description: reason }));
  if (violations.length > 0) throw new InvalidRequest(violations);
  if (rows.length === 0) throw new InvalidRequest([{ field: "file", description: "has no policies" }]);
  const [list] = checkRows(ListSchema, [policyList(rows, attribution)]).rows;
  if (!list) throw new InvalidRequest([{ field: "source url", description: "is not an https address" }]);
  await storeParts(database, ListSchema, new Map([[part, list]]), 0);
  return rows.length;
}

export function forgetImportedPolicies(database: Kysely<StoreTables>): Promise<boolean> {
  return dropPart(database, ListSchema, part);
}

/** Returns the operator's list, or undefined if none was imported. */
function importedPolicies(database: Kysely<StoreTables>): Promise<GetEnergyCrisisPoliciesResponse | undefined> {
  return storedMessage(database, ListSchema, part);
}

const ours = { source: "Intelligence Data Service, curated list", sourceUrl: "" };

const definition = {
  name: "energy-crisis-policies" as const,
  subject: "Government measures that respond to energy crises, by country.",
  row: EnergyCrisisPolicySchema,
  message: GetEnergyCrisisPoliciesResponseSchema,
  schedule: "40 3 * * *",
  freshForMinutes: 48 * 60,
  // The list is part of the program or was imported, so it does not expire while the service is off.
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
