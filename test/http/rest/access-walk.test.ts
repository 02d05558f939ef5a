import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { callers, decisionOn, openCallers, unlimited } from "../../support/domains/callers.ts";
import { requestConnect, requestRest } from "../../support/domains/decision.ts";
import { accessOperations } from "../../support/servers/access-contract.ts";
import { accessService } from "../../support/servers/access-service.ts";

let database: Database;
let app: TestApp;
let keys: ReadonlyMap<string, string | null>;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { services: [accessService], environment: unlimited });
  keys = await openCallers(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

describe.each(Object.entries(callers))("with %s", (name, caller) => {
  test.each([...catalog, ...accessOperations].map((operation) => [operation.name, operation] as const))(
    "%s is decided as its options say, alike in plain JSON and Connect",
    async (_, operation) => {
      const decision = decisionOn(operation, caller);
      const key = keys.get(name) ?? null;
      const rest = await requestRest(app, operation, key);
      const rpc = await requestConnect(app, operation, key);
      for (const { headers } of [rest, rpc]) expect(headers.get("X-Billing-Verification")).toBeNull();
      if (decision === "admitted") {
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
