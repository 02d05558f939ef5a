import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archivedDays, brokenFiles, readManifest, writeDays } from "../../../src/archive/archive.ts";
import { ArchiveError, type ArchiveStore } from "../../../src/archive/archive-store.ts";
import { folderStore } from "../../../src/archive/open-archive.ts";
import { deliveryJob } from "../../../src/delivery/delivery-kinds.ts";
import { datasets } from "../../../src/domains/index.ts";
import { dayMs } from "../../../src/reference/duration.ts";
import { writeBackup } from "../../../src/store/backup/backup.ts";
import { verifiedHeader } from "../../../src/store/backup/backup-file.ts";
import { outage, outageBed } from "../../changes/listed-changes.ts";
import { startApp, testTime } from "../app.ts";
import { alertCalls, evaluate } from "../domains/alerts.ts";
import { jobsOf } from "../processes/job-worker.ts";
import { startReceiver, type WebhookReceiver } from "../servers/webhook-receiver.ts";
import { attemptAt } from "./fault-loop.ts";
import type { FaultBed, Scenario } from "./fault-scenario.ts";
import { faultyStore } from "./faulty-store.ts";

const origin = "sample";
const outagesPath = "/api/infrastructure/v1/list-internet-outages?page_size=100";

/** The dataset as its own source fills it: without that one its reads have nothing to give. */
const outagesOf = (database: FaultBed["database"]) => outageBed(database, { name: "cloudflare-radar" });

/** Ids of the outages that callers read. */
async function listed({ app }: FaultBed): Promise<readonly string[]> {
  await app.settled();
  const { outages } = await app.json<{ outages: readonly { id: string }[] }>(outagesPath);
  return outages.map(({ id }) => id);
}

async function rowsOf({ database }: FaultBed, text: string, values: readonly unknown[]): Promise<readonly unknown[]> {
  return (await database.query(text, [...values])).rows;
}

/** An outage that comes to the one that is always there. */
export const refresh: Scenario<string> = {
  name: "refresh",
  async prepare({ database }) {
    await outagesOf(database).refresh([outage("always")], { origin });
    return randomUUID();
  },
  act: ({ faulty }, id) =>
    attemptAt(() => outagesOf(faulty.database).refresh([outage("always"), outage(id)], { origin })),
  async broken(bed, id, isDone) {
    const found: string[] = [];
    const ids = await listed(bed);
    if (!ids.includes("always")) found.push(`the last good rows are gone: ${ids}`);
    if (isDone && !ids.includes(id)) found.push("the new row is not served");
    const reported = await rowsOf(bed, "select kind from change where subject = $1", [id]);
    if (reported.length !== (ids.includes(id) ? 1 : 0))
      found.push(`${reported.length} changes report a row that is ${ids.includes(id) ? "" : "not "}there`);
    return found;
  },
};

/** A change that a rule of an account watches for, reported once to its feed. */
export const alert: Scenario<{ readonly rule: string; readonly outage: string }> = {
  name: "alert",
  async prepare({ app, database }) {
    await database.query("delete from alert_rule");
    const mine = alertCalls(app, await app.key("pro_monthly"));
    await mine.feed();
    await outagesOf(database).refresh([outage("always")], { origin });
    await evaluate(database, { data: origin });
    const rule = await mine.rule({ changes: { datasets: ["internet-outages"], kinds: ["appeared"] } });
    const id = randomUUID();
    await outagesOf(database).refresh([outage("always"), outage(id)], { origin });
    return { rule, outage: id };
  },
  act: ({ faulty }) => attemptAt(() => evaluate(faulty.database, { data: origin })),
  async broken(bed, { rule, outage: id }, isDone) {
    const text = "select id from webhook_delivery where body like $1 and body like $2";
    const reported = (await rowsOf(bed, text, [`%${rule}%`, `%${id}%`])).length;
    return reported > 1 || (isDone && reported === 0) ? [`the change is reported ${reported} times`] : [];
  },
};

interface Delivery {
  readonly webhook: string;
  readonly receiver: WebhookReceiver;
}

const jobOptions = {
  environment: { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" },
  deliveryTimes: { timeoutMs: 100, perSecond: 1_000 },
};

/** A delivery that waits, sent by a worker. */
export const deliver: Scenario<Delivery> = {
  name: "deliver",
  async prepare({ app }) {
    const receiver = await startReceiver();
    const mine = alertCalls(app, await app.key("pro_monthly"));
    const { body } = await mine.call<{ endpoint: { id: string } }>("create-endpoint", {
      ...{ name: "desk", kind: "webhook", target: receiver.url },
    });
    const rule = await mine.rule({ changes: { datasets: ["internet-outages"] } });
    await mine.call("test-rule", { ruleId: rule });
    await mine.call("delete-rule", { ruleId: rule });
    return { webhook: body.endpoint.id, receiver };
  },
  async act(bed, { webhook }) {
    const job = jobsOf(bed.faulty.database, async () => undefined, jobOptions).find(({ kind }) => kind === deliveryJob);
    const run = { id: "1", attempt: 1, signal: new AbortController().signal };
    const attempt = await attemptAt(async () => job?.work({ webhook }, run));
    const waiting = "select from webhook_delivery where webhook = $1 and state <> 'delivered'";
    // What another worker had in hand when it died is let go after a while.
    return attempt === "done" && (await rowsOf(bed, waiting, [webhook])).length > 0
      ? { rejected: "not all is delivered" }
      : attempt;
  },
  async broken(_, { receiver: { received } }, isDone) {
    const ids = new Set(received.map(({ id }) => id));
    if (isDone && ids.size === 0) return ["what counts as delivered was never received"];
    return ids.size > 1 ? [`one event came under ${ids.size} ids`] : [];
  },
};

const archived = "mineral-production";

interface Archived {
  readonly store: ArchiveStore;
}

async function archive({ kysely: database }: FaultBed["database"], store: ArchiveStore): Promise<void> {
  const dataset = datasets.find(({ name }) => name === archived);
  if (!dataset) throw new Error(`No dataset ${archived}`);
  const clock = () => new Date(testTime.getTime() + 2 * dayMs);
  const parts = { database, store, datasets, data: origin, clock, program: "1.0.0" } as const;
  const days = writeDays(dataset, { from: testTime.toISOString().slice(0, 10) }, parts);
  let day = await days.next();
  while (!day.done) day = await days.next();
}

/** Days that a reader of the archive finds broken. A day with a manifest must be whole. */
async function brokenDays(store: ArchiveStore, isDone: boolean): Promise<readonly string[]> {
  const days = await archivedDays(store, archived, origin);
  const found = isDone && days.length === 0 ? ["the day is not in the archive"] : [];
  for (const day of days)
    found.push(
      ...(await brokenFiles(store, await readManifest(store, { dataset: archived, day, data: origin }), origin)),
    );
  return found;
}

export const archiveDay: Scenario<Archived> = {
  name: "archive a day",
  async prepare({ app }) {
    await app.refresh(archived);
    return { store: folderStore(mkdtempSync(join(tmpdir(), "ids-faults-archive-"))) };
  },
  act: ({ faulty }, { store }) => attemptAt(() => archive(faulty.database, store)),
  broken: (_, { store }, isDone) => brokenDays(store, isDone),
};

const files = faultyStore();

/** The same, and what fails are the files. */
export const archiveFiles: Scenario<Archived> = {
  ...archiveDay,
  name: "archive a day, its files failing",
  source: files,
  act: ({ database }, { store }) =>
    attemptAt(
      () => archive(database, files.through(store)),
      (error) => error instanceof ArchiveError || (error instanceof Error && "code" in error),
    ),
};

export const backup: Scenario<string> = {
  name: "backup",
  prepare: async () => join(mkdtempSync(join(tmpdir(), "ids-faults-backup-")), "ids.backup"),
  act: ({ faulty }, file) =>
    attemptAt(() =>
      writeBackup(faulty.database, file, { program: "1.0.0", at: testTime.toISOString(), secret: { keys: [] } }),
    ),
  async broken(_, file, isDone) {
    if (existsSync(`${file}.partial`)) return ["half a backup is left"];
    if (!existsSync(file)) return isDone ? ["the backup is not there"] : [];
    return verifiedHeader(file).then(
      () => [],
      (error) => [`the backup cannot be read: ${error}`],
    );
  },
};

/** Reads of three kinds in one request: of rows, of a prepared message, of the account. */
export const batch: Scenario<string> = {
  name: "batch",
  async prepare({ app, database }) {
    await app.refresh("mineral-production");
    await outagesOf(database).refresh([outage("always")], { origin });
    await app.settled();
    return app.key("pro_monthly");
  },
  async act({ app }, key) {
    const paths = ["/api/changes/v1/list-changes?limit=5", outagesPath, "/api/account/v1/get-usage"];
    const body = JSON.stringify({ requests: paths.map((path) => ({ path })) });
    const response = await app.get("/api/batch/v1/run-batch", { key, method: "POST", body });
    if (response.status === 503) return { rejected: await response.text() };
    const { responses } = (await response.json()) as { responses: readonly { status: number; body: object }[] };
    const bad = responses.filter(({ status }) => status !== 200 && status !== 503);
    if (bad.length > 0 || responses.length !== paths.length) return { broken: JSON.stringify(responses).slice(0, 300) };
    const [changes, outages] = responses;
    if (changes?.status === 200 && Object(changes.body).changes.length === 0) return { broken: "no changes" };
    if (outages?.status === 200 && Object(outages.body).outages.length === 0) return { broken: "no outages" };
    return responses.every(({ status }) => status === 200) ? "done" : { rejected: JSON.stringify(responses) };
  },
  broken: async () => [],
};

export const start: Scenario<undefined> = {
  name: "start",
  prepare: async () => undefined,
  act: ({ faulty }) =>
    attemptAt(async () => {
      await using app = await startApp(faulty.database);
      const response = await app.get(outagesPath);
      if (response.status !== 200 && response.status !== 503) throw new Error(`answered ${response.status}`);
      await response.text();
    }),
  broken: async () => [],
};
