import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { configuredPlans, planKeys } from "../../../src/access/plans.ts";
import { catalog, type Operation } from "../../../src/contract/catalog.ts";
import type { Database } from "../../../src/store/database.ts";
import { type Holding, minutesOn, openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { askConnect, askRest } from "../../support/domains/decision.ts";
import { accessOperations } from "../../support/servers/access-contract.ts";
import { accessService } from "../../support/servers/access-service.ts";

/** Who calls: no key, a key of nobody, or a key of an account that holds something. */
const callers = {
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
const unlimited = planKeys.filter((key) => key !== "operator").map((key) => `${key}=100000`);

let database: Database;
let app: TestApp;
const keys = new Map<string, string | null>();
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { services: [accessService], environment: { IDS_PLAN_LIMITS: unlimited.join() } });
  for (const [name, caller] of Object.entries(callers))
    keys.set(name, caller === null || typeof caller === "string" ? caller : (await openAccount(database, caller)).key);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** What the options of an operation say of a caller: let in, or why not. */
function decisionOn({ access }: Operation, caller: null | string | Holding): "let in" | "unauthenticated" | RegExp {
  if (access.anonymous) return "let in";
  if (caller === null || typeof caller === "string" || caller.expiresAt) return "unauthenticated";
  const [held] = caller.subscriptions;
  if (held?.validUntil) return /^API access requires an active subscription$/;
  const tier = plans.get(held?.plan ?? "")?.tier ?? 0;
  if (tier < access.minTier || (tier < 1 && (access.activePro || access.proGated))) return /^Upgrade required$/;
  if (access.operator && held?.plan !== "operator") return /^Operator key required$/;
  if (access.scope !== "" && !caller.scopes?.includes(access.scope)) return /^Missing required scope: /;
  return "let in";
}

describe.each(Object.entries(callers))("with %s", (name, caller) => {
  test.each([...catalog, ...accessOperations].map((operation) => [operation.name, operation] as const))(
    "%s is decided as its options say, alike in plain JSON and Connect",
    async (_, operation) => {
      const decision = decisionOn(operation, caller);
      const key = keys.get(name) ?? null;
      const rest = await askRest(app, operation, key);
      const rpc = await askConnect(app, operation, key);
      for (const { headers } of [rest, rpc]) expect(headers.get("X-Billing-Verification")).toBeNull();
      if (decision === "let in") {
        // Past the gate some lack a parameter or their data.
        expect([200, 202, 400, 404, 503]).toContain(rest.status);
        // Answers without data may say why in an `error` of their own.
        if (rest.status !== 200) expect(rest.body).not.toHaveProperty("error");
        expect(["permission_denied", "unauthenticated"]).not.toContain(rpc.body.code);
      } else if (decision === "unauthenticated") {
        const error = caller === null ? "API key required" : "Invalid API key";
        expect([rest.status, rest.body]).toEqual([401, { error }]);
        expect(rpc.body).toEqual({
          code: "unauthenticated",
          message: error,
          details: [expect.objectContaining({ type: "google.rpc.ErrorInfo" })],
        });
      } else {
        const { error } = rest.body;
        const text =
          operation.access.proGated && typeof error === "object" ? error && "message" in error && error.message : error;
        expect([rest.status, text]).toEqual([403, expect.stringMatching(decision)]);
        expect(rpc.body).toMatchObject({ code: "permission_denied", message: text });
      }
    },
  );
});
