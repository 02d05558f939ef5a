import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import {
  EnergyCrisisPolicySchema,
  type GetEnergyCrisisPoliciesRequest,
  type GetEnergyCrisisPoliciesResponse,
  GetEnergyCrisisPoliciesResponseSchema,
} from "../../../../gen/es/ids/economic/v1/energy_crisis_policy_pb.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { curatedPolicies } from "./curated-policies.ts";
import { importedPolicies } from "./imported-policies.ts";
import { policyList } from "./policy-list.ts";

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
