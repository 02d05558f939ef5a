import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { openEmbedded } from "../http/embedded-database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { readDashboard, readQueries, readRules } from "../support/deploy/dashboard.ts";

/** Of Prometheus itself. */
const ofPrometheus = ["up"];
const ofScrapes = ["job", "instance"];

let database: Database;
let app: TestApp;
let exposed: string;
beforeAll(async () => {
  database = await openEmbedded();
  app = await startApp(database, {
    environment: { IDS_STRIPE_WEBHOOK_SECRET: "whsec_dGVzdA==", IDS_STRIPE_PRICES: "price_1=pro_monthly" },
  });
  await app.refresh("conflict-events");
  await app.get("/api/conflict/v1/list-conflict-events");
  await app.get("/api/conflict/v1/list-conflict-events?page_size=nonsense");
  await database.kysely.insertInto("backup_run").values({ at: new Date(), error: null }).execute();
  exposed = await (await app.get("/metrics")).text();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** The names and labels of a query: what stands before `{` or a range, and what is compared within. */
function usedBy(query: string): { readonly name: string; readonly labels: readonly string[] }[] {
  const uses = query.matchAll(/\b((?:ids|nodejs|process)[a-z0-9_:]*|up)\b(?:\{([^}]*)\})?/g);
  return [...uses].map(([, name = "", matchers = ""]) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
  }));
}

/** What `# TYPE` lines promise, with the parts of histograms. */
function offered(): Set<string> {
  const types = exposed.matchAll(/^# TYPE (\S+) (\S+)$/gm);
  const names = [...types].flatMap(([, name = "", type]) =>
    type === "histogram" ? ["_bucket", "_sum", "_count"].map((part) => name + part) : [name],
  );
  return new Set([...names, ...ofPrometheus, ...readRules().flatMap(({ record }) => record ?? [])]);
}

test("every metric that the dashboard and the rules use is offered at /metrics, or is recorded by a rule", () => {
  const known = offered();
  const variables = readDashboard().templating.list.map(({ query }) =>
    typeof query === "string" ? query : query.query,
  );
  const used = [...readQueries(), ...variables].flatMap(usedBy).map(({ name }) => name);
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test("every label that they select by is one that the metric carries", () => {
  const carried = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of exposed.matchAll(/^([a-z0-9_]+)(?:\{(.*)\})? \S+$/gm)) {
    const known = carried.get(name) ?? new Set(ofScrapes);
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
    carried.set(name, known);
  }
  const uses = readQueries()
    .flatMap(usedBy)
    .filter(({ name }) => carried.has(name));
  expect(uses.some(({ name }) => name === "ids_request_duration_seconds_count")).toBe(true);
  expect(uses.some(({ name }) => name === "ids_ingest_runs_total")).toBe(true);
  const strangers = uses.flatMap(({ name, labels }) =>
    labels.filter((label) => !carried.get(name)?.has(label)).map((label) => `${name}{${label}}`),
  );
  expect(strangers).toEqual([]);
});

test("every metric of the service itself is on the dashboard", () => {
  const shown = new Set(
    readQueries()
      .flatMap(usedBy)
      .map(({ name }) => name.replace(/_(bucket|sum|count)$/, "")),
  );
  const own = [...exposed.matchAll(/^# TYPE (ids_\S+)/gm)].map(([, name = ""]) => name);
  expect(own.filter((name) => !shown.has(name))).toEqual([]);
});

test("every alert has a severity, says what is the matter and what to do, and has a test in which it fires", async () => {
  const { readFile } = await import("node:fs/promises");
  const tests = await readFile(new URL("../../deploy/prometheus/ids.rules.test.yaml", import.meta.url), "utf8");
  for (const { alert, labels, annotations } of readRules().filter((rule) => rule.alert !== undefined)) {
    expect(["critical", "warning", "info"], alert).toContain(labels?.severity);
    expect(annotations?.summary, alert).toMatch(/\S/);
    expect(annotations?.description?.length, alert).toBeGreaterThan(60);
    expect(tests, alert).toContain(`alertname="${alert}"`);
  }
});
