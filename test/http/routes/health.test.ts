import { expect, test } from "vitest";
import { datasets } from "../../../src/domains/index.ts";
import type { HealthSummary } from "../../../src/ingest/health.ts";
import { startApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { openLoaded } from "../../support/loaded.ts";
import { responding } from "../../support/responding.ts";

const path = "/api/health";

test("with every dataset as it should be, health counts them and links to the catalog", {
  timeout: 60_000,
}, async () => {
  const database = await openLoaded();
  const app = await startApp(database);
  const health = await app.json<HealthSummary>(path);
  expect(health).toEqual({
    status: "ok",
    data: "sample",
    store: { kind: expect.any(String), reachable: true, lastReadAt: testTime.toISOString() },
    counts: { ok: datasets.length },
    unhealthy: [],
    affected: [],
    catalog: "/api/catalog/v1/list-datasets",
  });
  expect((await app.get(health.catalog, { key: null })).status).toBe(200);
  await app[Symbol.asyncDispose]();
  await database.close();
});

test("what is wrong is named with its state and reason, and the operations that it reaches", async () => {
  const database = await openOnce();
  const outside = responding(() => undefined);
  const environment = { IDS_DATA: "live", IDS_SOURCE_YAHOO_CARRIERS: "on", USDA_API_KEY: "secret" };
  const app = await startApp(database, { environment, outside });
  await app.refresh("energy-crisis-policies");
  await app.refresh("shipping-stress");
  await app.refresh("supply-buffers");
  const { status, counts, unhealthy, affected } = await app.json<HealthSummary>(path);
  expect([status, counts]).toEqual(["degraded", { ok: 1, empty: datasets.length - 1 }]);
  const of = (name: string) => unhealthy.find((dataset) => dataset.name === name);
  expect(of("energy-crisis-policies")).toBeUndefined();
  expect(of("shipping-stress")).toEqual({
    name: "shipping-stress",
    state: "empty",
    reason: "yahoo-carriers: The source failed (HTTP 503)",
  });
  expect(of("supply-buffers")?.reason).toMatch(
    /^usda-psd: The .+; agsi-countries: AGSI_API_KEY is not set; iea-oil-stocks: The /,
  );
  expect(of("resilience-scores")).toEqual({ name: "resilience-scores", state: "empty" });
  expect(affected.find(({ operation }) => operation === "GetShippingStress")).toEqual({
    operation: "GetShippingStress",
    datasets: [{ name: "shipping-stress", state: "empty" }],
    sources: ["yahoo-carriers"],
  });
  expect(affected.map(({ operation }) => operation)).not.toContain("GetEnergyCrisisPolicies");
  await app[Symbol.asyncDispose]();
  await database.close();
});

test("health is 503 and names no dataset while the store cannot be read", async () => {
  const database = await openOnce();
  const app = await startApp(database);
  await database.query("alter table dataset rename to dataset_away");
  const response = await app.get(path);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    status: "down",
    store: { reachable: false },
    counts: {},
    unhealthy: [],
    affected: [],
  });
  await app[Symbol.asyncDispose]();
  await database.close();
});
