import { connect, constants } from "node:http2";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { BatchService } from "../../../gen/es/ids/batch/v1/batch_pb.ts";
import type { Database } from "../../../src/store/database.ts";
import { AccessService } from "../../gen/access_pb.ts";
import { eventually, startApp, type TestApp } from "../../support/app.ts";
import { batched, batchPath, postBatch, statusesOf } from "../../support/batch.ts";
import { accessService } from "../../support/servers/access-service.ts";
import { openEmbedded } from "../embedded-database.ts";

const fast = "/api/test/v1/get-tier-one";
const slow = "/api/test/v1/get-plain";
const open = "/api/test/v1/get-anonymous";
/** As large as its note says. */
const large = "/api/test/v1/get-operator";

let database: Database;
let released = Promise.withResolvers<void>();
let begun = 0;
const waits = async () => {
  begun += 1;
  await released.promise;
  return { word: "waited" };
};
let largeBytes = 0;
const implementation = {
  ...accessService.implementation,
  ...{ getPlain: waits, getAnonymous: waits, getOperator: () => ({ word: "ä".repeat(largeBytes / 2) }) },
};
const services = [{ service: AccessService, implementation: implementation as never }];

let patient: TestApp;
let hasty: TestApp;
beforeAll(async () => {
  database = await openEmbedded();
  // No request exceeds its deadline, even on a slow machine.
  patient = await startApp(database, { services, queue: { deadlineMs: 60_000 } });
  hasty = await startApp(database, { services, batch: { deadlineMs: 400 } });
});
beforeEach(() => {
  released = Promise.withResolvers();
  begun = 0;
});
afterEach(() => released.resolve());
afterAll(async () => {
  await patient[Symbol.asyncDispose]();
  await hasty[Symbol.asyncDispose]();
  await database.close();
});

async function metric(app: TestApp, name: string): Promise<number> {
  const text = await (await app.get("/metrics")).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

test("a read that takes too long is given up, and the others are whole", async () => {
  const responses = await batched(hasty, [fast, slow, fast, "/api/test/v1/get-tier-two"]);
  expect(statusesOf(responses)).toEqual([200, 503, 200, 200]);
  expect(responses[1]).toMatchObject({
    headers: { "Cache-Control": "no-store", "Retry-After": expect.stringMatching(/^\d+$/) },
    body: { message: expect.stringContaining("too long") },
  });
});

test("reads that wait for their turn when the batch no longer waits are not begun", async () => {
  const before = await metric(hasty, "ids_requests_abandoned_total");
  expect(statusesOf(await batched(hasty, Array(20).fill(slow)))).toEqual(Array(20).fill(503));
  expect(begun).toBe(4);
  await eventually(
    () => metric(hasty, "ids_requests_abandoned_total"),
    (abandoned) => abandoned - before === 16,
  );
});

test("when the caller goes away the reads that wait are not begun", async () => {
  const before = await metric(patient, "ids_requests_abandoned_total");
  const session = connect(patient.url);
  const stream = session.request({
    ...{ ":method": "POST", ":path": batchPath, "content-type": "application/json" },
    "x-service-key": await patient.key("operator"),
  });
  stream.on("error", () => undefined);
  stream.end(JSON.stringify({ requests: Array(20).fill({ path: slow }) }));
  await eventually(
    () => metric(patient, "ids_requests_waiting"),
    (waiting) => waiting === 16,
  );
  stream.close(constants.NGHTTP2_CANCEL);
  await eventually(
    () => metric(patient, "ids_requests_abandoned_total"),
    (abandoned) => abandoned - before === 16,
  );
  expect(begun).toBe(4);
  session.destroy();
});

test("the reads of a batch share the places of their caller, and a batch itself takes none", async () => {
  const client = createClient(BatchService, createConnectTransport({ baseUrl: patient.url, httpVersion: "1.1" }));
  const plain = Array.from({ length: 3 }, () => batched(patient, Array(5).fill(open), { key: null }));
  const rpc = Array.from({ length: 3 }, () => client.runBatch({ requests: Array(5).fill({ path: open }) }));
  await eventually(
    () => metric(patient, "ids_requests_waiting"),
    (waiting) => waiting === 28,
  );
  expect(begun).toBe(2);
  const key = await patient.key("enterprise");
  expect((await patient.get(fast, { key })).status).toBe(200);
  released.resolve();
  for (const answers of await Promise.all(plain)) expect(statusesOf(answers)).toEqual(Array(5).fill(200));
  for (const { responses } of await Promise.all(rpc))
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
});

test("a read that exceeds the response is rejected separately, and later reads that fit succeed", async () => {
  largeBytes = 1_500_000;
  const response = await postBatch(
    patient,
    [large, large, large, fast].map((path) => ({ path })),
  );
  const text = await response.text();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000_000);
  const { responses } = JSON.parse(text);
  expect(statusesOf(responses)).toEqual([200, 200, 413, 200]);
  expect(responses[2]).toMatchObject({
    headers: { "Cache-Control": "no-store" },
    body: { error: expect.stringContaining("separately") },
  });
  expect(responses[2].headers).not.toHaveProperty("ETag");
});

test("no response is larger than 4,000,000 bytes, and one of that size is whole", async () => {
  largeBytes = 2;
  const spare = 4_000_000 - Buffer.byteLength(await (await postBatch(patient, [{ path: large }])).text());
  for (const [more, status] of [
    [0, 200],
    [2, 413],
  ] as const) {
    largeBytes = 2 + spare - (spare % 2) + more;
    const text = await (await postBatch(patient, [{ path: large }])).text();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000_000);
    expect(statusesOf(JSON.parse(text).responses)).toEqual([status]);
  }
});
