import { randomBytes } from "node:crypto";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { configuredPlans, planKeys } from "../../../src/access/plans.ts";
import type { Operation } from "../../../src/contract/catalog.ts";
import type { Database } from "../../../src/store/database.ts";
import { type Holding, minutesOn, openAccount } from "../accounts.ts";

/** Callers without a key, with an unknown key, or with a key of an account. */
export const callers = {
  "no key": null,
  "a garbage key": "garbage",
  "an unknown key": newKey(randomBytes),
  "a free key": { subscriptions: [{ plan: "free" }] },
  "a pro key": { subscriptions: [{ plan: "pro_monthly" }] },
  "an api key": { subscriptions: [{ plan: "api_starter" }] },
  "an operator's key": { subscriptions: [{ plan: "operator" }], scopes: ["company_monitoring:read"] },
  "a lapsed key": { subscriptions: [{ plan: "enterprise", validUntil: minutesOn(-1) }] },
  "an expired key": { subscriptions: [{ plan: "enterprise" }], expiresAt: minutesOn(-1) },
  "a key of a wrong scope": { subscriptions: [{ plan: "enterprise" }], scopes: ["company_monitoring:write"] },
} as const satisfies Record<string, null | string | Holding>;

const plans = configuredPlans(new Map());

/** Settings with which no plan runs out during a walk. */
export const unlimited = {
  IDS_PLAN_LIMITS: planKeys
    .filter((key) => key !== "operator")
    .map((key) => `${key}=100000`)
    .join(),
};

/** The key of each caller, by his name. */
export async function openCallers(database: Database): Promise<ReadonlyMap<string, string | null>> {
  const keys = new Map<string, string | null>();
  for (const [name, caller] of Object.entries(callers))
    keys.set(name, caller === null || typeof caller === "string" ? caller : (await openAccount(database, caller)).key);
  return keys;
}

/** Returns "admitted", or the reason for which the options of an operation reject a caller. */
export function decisionOn(
  { access }: Operation,
  caller: null | string | Holding,
): "admitted" | "unauthenticated" | RegExp {
  if (access.anonymous) return "admitted";
  if (caller === null || typeof caller === "string" || caller.expiresAt) return "unauthenticated";
  const [held] = caller.subscriptions;
  if (held?.validUntil) return /^API access requires an active subscription$/;
  const tier = plans.get(held?.plan ?? "")?.tier ?? 0;
  if (tier < access.minTier || (tier < 1 && (access.activePro || access.proGated))) return /^Upgrade required$/;
  if (access.operator && held?.plan !== "operator") return /^Operator key required$/;
  if (access.scope !== "" && !caller.scopes?.includes(access.scope)) return /^Missing required scope: /;
  return "admitted";
}
