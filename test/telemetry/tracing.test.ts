import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import type { Work } from "../../src/ingest/schedule/work.ts";
import { createLog } from "../../src/log/log.ts";
import { startWorker } from "../../src/runtime/work/worker.ts";
import { attachDatabase, type Database } from "../../src/store/database.ts";
import { openTracing } from "../../src/telemetry/open-tracing.ts";
import type { Tracing } from "../../src/telemetry/tracing.ts";
import { eventually, startApp, type TestApp, testSecrets } from "../support/app.ts";
import { describeEachDatabase, openOnce } from "../support/databases.ts";
import { type CollectedSpan, type Collector, startCollector } from "../support/servers/collector.ts";
import { startUpstreamServer, type UpstreamServer } from "../support/servers/upstream-server.ts";
import { startReceiver } from "../support/servers/webhook-receiver.ts";

const secrets = {
  ...{ ACLED_EMAIL: "a@example.org", ACLED_PASSWORD: "a-password-of-acled", UCDP_ACCESS_TOKEN: "a-token-of-ucdp" },
};

/** Tracing as configured, towards a collector, and what it said. */
async function tracingTo(url: string) {
  const warnings: string[] = [];
  const config = readConfig({
    IDS_DATA: "sample",
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER_ARG: "1",
  });
  const times = { spansMs: 100, metricsMs: 100 };
  const tracing = await openTracing(config, (message) => warnings.push(message), times);
  if (!tracing) throw new Error(`nothing is recorded: ${warnings}`);
  return { tracing, warnings };
}

/** The span and those above it, from the root. */
function pathTo(spans: readonly CollectedSpan[], span: CollectedSpan): string[] {
  const parent = spans.find(({ id, trace }) => id === span.parent && trace === span.trace);
  return [...(parent ? pathTo(spans, parent) : []), span.name];
}

describeEachDatabase("OpenTelemetry", (openFresh) => {
  let collector: Collector;
  let tracing: Tracing;
  let app: TestApp;
  let database: Database;
  let outside: UpstreamServer;
  let work: Work;
  beforeAll(async () => {
    collector = await startCollector();
    outside = await startUpstreamServer(["acled", "ucdp"], () => new Date());
    ({ tracing } = await tracingTo(collector.url));
    const { settings } = await openFresh();
    database = attachDatabase(settings, { name: "traced", tracing });
    const environment = { ...secrets, IDS_DATA: "live", IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" };
    const world = { transport: outside.transport, wait: async () => undefined, floorOf: () => 1 };
    app = await startApp(database, { now: new Date(), tracing, environment, outside: world });
    work = await startWorker({
      ...{ config: readConfig(environment), database, tracing, outside: world, secrets: testSecrets },
      log: createLog("silent", process.stderr, (text) => text),
    });
    await recorded(/^ingest conflict-events$/);
    await app.settled();
  });
  afterAll(async () => {
    await work.close();
    await app[Symbol.asyncDispose]();
    await database.close();
    await tracing.close();
    await outside[Symbol.asyncDispose]();
    await collector[Symbol.asyncDispose]();
  });
  /** Waits for a span; its path begins at the root of its trace. */
  const recorded = async (path: RegExp): Promise<CollectedSpan> => {
    const paths = () => collector.spans.map((span) => pathTo(collector.spans, span).join(" > "));
    const found = await eventually(
      async () => paths(),
      (all) => all.some((each) => path.test(each)),
    );
    return collector.spans[found.findIndex((each) => path.test(each))] as CollectedSpan;
  };

  test("one trace joins a request, its operation and its statements, over REST and over RPC", async () => {
    const operation = "ids.changes.v1.ChangesService/ListChanges";
    await app.get("/api/changes/v1/list-changes?limit=7");
    await fetch(`${app.url}/${operation}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": await app.key("operator") },
      body: "{}",
    });
    for (const request of ["GET /api/changes/v1/list-changes", `POST /${operation}`])
      await recorded(new RegExp(`^${request} > ${operation} > select change$`));
    const { attributes } = await recorded(/^GET \/api\/changes\/v1\/list-changes$/);
    expect(attributes).toMatchObject({
      "http.request.method": "GET",
      "http.route": "/api/changes/v1/list-changes",
      "http.response.status_code": 200,
    });
    expect(collector.resource).toMatchObject({ "service.name": "intelligence-data-service" });
  });

  test("a request belongs to the trace that its caller names, and is left out where the caller leaves it out", async () => {
    const trace = "0af7651916cd43dd8448eb211c80319c";
    const parent = "b7ad6b7169203331";
    const id = "a-request-left-out";
    await app.get("/plans", { headers: { traceparent: `00-${trace}-${parent}-00`, "x-request-id": id } });
    await app.get("/plans", { headers: { traceparent: `00-${trace}-${parent}-01` } });
    expect(await recorded(/^GET \/plans$/)).toMatchObject({ trace, parent });
    expect(collector.spans.map(({ attributes }) => attributes["ids.request_id"])).not.toContain(id);
  });

  test("with trusted proxies, the trace of any other client is not continued", async () => {
    const environment = { IDS_TRUSTED_PROXIES: "10.0.0.0/8" };
    await using behind = await startApp(database, { tracing, environment });
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    await behind.get("/llms.txt", { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
    const { trace: own, parent } = await recorded(/^GET \/llms.txt$/);
    expect({ isContinued: own === trace, parent }).toEqual({ isContinued: false, parent: "" });
  });

  test("the templates of paths are names, what is in a path, a query or a statement is not", async () => {
    const key = await app.key("operator");
    await fetch(`${app.url}/api/v2/shipping/webhooks/a-name-in-a-path?key=${key}`, { headers: { "X-Api-Key": key } });
    await fetch(`${app.url}/no-such-path/${key}?token=${key}`);
    await recorded(/^GET \/api\/v2\/shipping\/webhooks\/\{subscriber_id\} > .* > select webhook/);
    await recorded(/^GET$/);
    const sent = Buffer.concat(collector.requests.map(({ bytes }) => bytes)).toString("latin1");
    for (const secret of [key, key.slice(4), "a-name-in-a-path"]) expect(sent).not.toContain(secret);
  });

  test("one trace joins a refresh, its requests, and its statements, has no secret, and is not sent to the source", async () => {
    await recorded(/^ingest conflict-events > (GET|POST) \S+$/);
    await recorded(/^ingest conflict-events > insert dataset$/);
    for (const { headers } of outside.requests) expect(headers).not.toHaveProperty("traceparent");
    const sent = Buffer.concat(collector.requests.map(({ bytes }) => bytes)).toString("latin1");
    for (const secret of Object.values(secrets)) expect(sent).not.toContain(secret);
  });

  test("a delivery is recorded with its statements, and its receiver gets the trace", async () => {
    await using receiver = await startReceiver();
    const key = await app.key("operator");
    const post = async (path: string, body: object) =>
      (await app.get(`/api/v2/shipping/webhooks${path}`, { method: "POST", key, body: JSON.stringify(body) })).json();
    const { subscriberId } = (await post("", { callbackUrl: receiver.url })) as { subscriberId: string };
    await post(`/${subscriberId}/test`, {});
    const delivery = await recorded(/^[a-z-]+ > deliver chokepoints$/);
    expect(receiver.received[0]?.headers.traceparent).toBe(`00-${delivery.trace}-${delivery.id}-01`);
    expect(delivery.attributes).toMatchObject({ "http.response.status_code": 204 });
    await recorded(/^[a-z-]+ > insert webhook_attempt$/);
  });

  test("the metrics are those of /metrics, name for name and value for value", async () => {
    const text = await (await app.get("/metrics")).text();
    const delivered = await eventually(
      async () => collector.metrics,
      (metrics) => metrics.some(({ name }) => name === "ids_request_duration_seconds"),
    );
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(delivered.map(({ name }) => name))).toEqual(new Set(names));
    const pointsOf = (metric: string) => delivered.find(({ name }) => name === metric)?.points ?? [];
    const states = [...text.matchAll(/^ids_dataset_state\{dataset="(.+)",state="(.+)"\} (\d)$/gm)];
    expect(pointsOf("ids_dataset_state")).toEqual(
      states.map(([, dataset, state, value]) => ({ labels: { dataset, state }, value: Number(value) })),
    );
    for (const { count, counts = [], bounds = [] } of pointsOf("ids_request_duration_seconds")) {
      expect(counts).toHaveLength(bounds.length + 1);
      expect(counts.reduce((total, each) => total + each, 0)).toBe(count);
    }
  });
});

test("a collector that is gone, or never answers, holds no request up, and is complained of once until it is back", async () => {
  await using collector = await startCollector();
  const database = await openOnce();
  const { tracing, warnings } = await tracingTo(collector.url);
  const app = await startApp(database, { tracing });
  const sendRequest = async () => expect((await app.get("/plans")).status).toBe(200);
  await sendRequest();
  await eventually(
    async () => collector.metrics,
    (metrics) => metrics.length > 0,
  );
  collector.behave(400);
  await eventually(
    async () => [...warnings, await sendRequest()],
    () => warnings.length === 1,
  );
  collector.behave("hangs");
  const requested = collector.requests.length;
  await eventually(
    async () => [collector.requests.length, await sendRequest()],
    () => collector.requests.length > requested,
  );
  const began = performance.now();
  for (let count = 0; count < 200; count += 1) await sendRequest();
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(warnings).toEqual([expect.stringMatching(/^Traces and metrics cannot be delivered to 127.0.0.1:\d+ /)]);
  await app[Symbol.asyncDispose]();
  await tracing.close();
  await database.close();
});
