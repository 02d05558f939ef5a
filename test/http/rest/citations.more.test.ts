import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { catalog } from "../../../src/contract/catalog.ts";
import { type DatasetName, datasets } from "../../../src/domains/index.ts";
import { rollBack } from "../../../src/ingest/rollback.ts";
import type { ScheduledDataset } from "../../../src/ingest/schedule/scheduled.ts";
import { createLog } from "../../../src/log/log.ts";
import { exampleAddress, exampleRequest } from "../../../src/pages/reference/example-request.ts";
import { dayMs, minuteMs } from "../../../src/reference/duration.ts";
import { hasPast } from "../../../src/runtime/past-reads.ts";
import { retentionJob } from "../../../src/runtime/work/retention.ts";
import type { Database } from "../../../src/store/database.ts";
import { backedUp, restored } from "../../store/backup-rows.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { openLoaded } from "../../support/loaded.ts";

interface Cited {
  readonly target: string;
  readonly sha256: string;
  readonly until: string | undefined;
}

/** Requests the citation of a read and returns its address without the origin. */
async function citationOf(app: TestApp, target: string): Promise<Cited | undefined> {
  const response = await app.get(`${target}${target.includes("?") ? "&" : "?"}cite=text`);
  const text = await response.text();
  if (response.status !== 200) return undefined;
  const [, path = "", sha256 = ""] = /http:\/\/[^/]+(\/\S+)#sha256=([0-9a-f]{64})/.exec(text) ?? [];
  return { target: path, sha256, until: /these bytes until (\S+),/.exec(text)?.[1] };
}

async function digestOf(app: TestApp, target: string): Promise<string> {
  const response = await app.get(target);
  return createHash("sha256")
    .update(Buffer.from(await response.arrayBuffer()))
    .digest("hex");
}

const refreshed: readonly DatasetName[] = ["conflict-events", "internet-outages", "eu-gas-storage", "country-macro"];

async function prune({ kysely }: Database, now: Date): Promise<void> {
  const { retain } = readConfig({ IDS_DATA: "sample" });
  const log = createLog("silent", process.stderr, (text) => text);
  const job = retentionJob({ database: kysely, retain, clock: () => now, log });
  await job.work({}, { id: "test", attempt: 1, signal: new AbortController().signal });
}

test("A cited address returns the same bytes after a refresh, a rollback, a restart, and a restore", {
  timeout: 300_000,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const database = stack.adopt(await openLoaded(), (opened) => opened.close());
  const app = await startApp(database);
  const reads = catalog.filter((operation) => operation.read && operation.queried && hasPast(operation));
  const cited: Cited[] = [];
  app.setTime(new Date(testTime.getTime() + minuteMs));
  for (const operation of reads) {
    const one = await citationOf(app, exampleAddress(operation, exampleRequest(operation)));
    if (one?.until) cited.push(one);
  }
  const day = new Date(testTime.getTime() - 30 * dayMs).toISOString().slice(0, 10);
  const premiums = await citationOf(app, `/api/market/v1/get-physical-divergence-index?as_of=${day}`);
  expect(premiums).toMatchObject({ target: expect.stringContaining(`as_of=${day}`), sha256: expect.any(String) });
  if (premiums) cited.push(premiums);
  expect(cited.length).toBeGreaterThan(35);

  const differing = async (other: TestApp) => {
    const different: string[] = [];
    for (const { target, sha256 } of cited) if ((await digestOf(other, target)) !== sha256) different.push(target);
    return different;
  };
  expect(await differing(app)).toEqual([]);
  const later = new Date(testTime.getTime() + 6.9 * dayMs);
  app.setTime(later);
  for (const name of refreshed) await app.refresh(name);
  const all: readonly ScheduledDataset[] = datasets;
  const [conflicts] = all.filter(({ name }) => name === "conflict-events");
  if (conflicts)
    await database.kysely
      .transaction()
      .execute((transaction) => rollBack(transaction, conflicts, { to: 1, at: later, datasets, force: true }));
  await prune(database, later);
  await app.settled();
  expect(await differing(app)).toEqual([]);
  await app[Symbol.asyncDispose]();

  await using restarted = await startApp(database, { now: later });
  expect(await differing(restarted)).toEqual([]);

  const copy = stack.adopt(await openOnce(), (opened) => opened.close());
  await restored(copy, await backedUp(database));
  await using other = await startApp(copy, { now: later });
  expect(await differing(other)).toEqual([]);
});
