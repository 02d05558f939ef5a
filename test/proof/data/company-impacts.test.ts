import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { openAccount } from "../../support/accounts.ts";
import { testTime } from "../../support/app.ts";
import { assessment, scopes } from "../../support/domains/monitoring.ts";
import { hasPostgres, startPostgres } from "../../support/servers/postgres-server.ts";

const accounts = 1_000;
const many = 1_000_000;
const readers = 400;
/** The impacts of the first account. The others share the rest. */
const ofLargest = 100_000;

interface Account {
  readonly id: string;
  readonly key: string;
}

describe.skipIf(!hasPostgres)("1,000,000 impacts of 1,000 accounts on Postgres", () => {
  test("are paged, filtered and polled in time, while they change", async () => {
    await using server = await startPostgres("shared_buffers=512MB", "max_wal_size=4GB");
    const database = await openDatabase({ url: server.url, directory: "/nowhere", name: "test", log: () => undefined });
    try {
      await migrate(database, () => testTime);
      const opened = await fill(database);
      await using app = await serve(server.url);
      await using _revising = await revise(app, opened);
      const { walked, times } = await read(app, opened.slice(0, readers));
      expect(walked).toBe(ofLargest);
      const pages = Object.entries(times).flatMap(([what, taken]) => (what === "polls" ? [] : taken));
      for (const [what, taken] of [...Object.entries(times), ["all pages", pages] as const])
        console.log(
          `${what}: ${taken.length}, median ${at(taken, 0.5).toFixed(1)} ms, p99 ${at(taken, 0.99).toFixed(1)} ms`,
        );
      for (const [what, taken] of Object.entries(times)) expect(at(taken, 0.99), what).toBeLessThanOrEqual(20);
    } finally {
      await database.close();
    }
  });
});

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(share * times.length)] ?? 0;
}

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly operator: string;
}

/** A process of its own: a test's costs are not to be the service's. */
async function serve(database: string): Promise<Served> {
  const server = spawn(process.execPath, [scripts.serve, database], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "exit");
  const [line] = await once(createInterface(server.stdout), "line");
  return {
    ...(JSON.parse(line) as { url: string; operator: string }),
    async [Symbol.asyncDispose]() {
      server.kill();
      expect(await ended).toEqual([0, null]);
    },
  };
}

/** Callers have machines of their own: here they are not to collect garbage on the service's second core. */
const caller = ["--single-threaded-gc"];

/** What callers see from a process of their own: which pages took how many milliseconds. */
async function read(app: Served, opened: readonly Account[]) {
  const readers = opened.map(({ id, key }) => ({
    ...{ key, companies: Array.from({ length: 20 }, (_, index) => companyOf(id, index)) },
  }));
  const task = JSON.stringify({ url: `${app.url}/api/company-monitoring/v1/`, readers });
  const reader = spawn(process.execPath, [...caller, scripts.read], { stdio: ["pipe", "pipe", "inherit"] });
  reader.stdin.end(task);
  const reported = await text(reader.stdout);
  return JSON.parse(reported) as { readonly walked: number; readonly times: Readonly<Record<string, number[]>> };
}

const scripts = {
  serve: fileURLToPath(new URL("../../support/processes/impact-server.ts", import.meta.url)),
  read: fileURLToPath(new URL("../../support/processes/impact-reader.ts", import.meta.url)),
  revise: fileURLToPath(new URL("../../support/processes/impact-writer.ts", import.meta.url)),
};

/** Corrects impacts of all accounts until it is disposed of, from a process of its own as any writer's would be. */
async function revise(app: Served, opened: readonly Account[]): Promise<AsyncDisposable> {
  const url = `${app.url}/api/company-monitoring/v1/correct-impact`;
  const impacts = Array.from({ length: 350 }, (_, made) => {
    const { id } = opened[(made * 7) % opened.length]!;
    return { account: id, impactId: impactOf(id, 1 + (made % 50)) };
  });
  const task = JSON.stringify({ url, key: app.operator, impacts, assessment: assessment() });
  const writer = spawn(process.execPath, [...caller, scripts.revise, task], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = once(writer, "exit");
  return {
    async [Symbol.asyncDispose]() {
      writer.kill();
      expect(await ended).toEqual([0, null]);
    },
  };
}

const idDigits = (text: string) =>
  text
    .toUpperCase()
    .replaceAll(/[^0-9A-F]/g, "0")
    .slice(-12)
    .padStart(12, "0");
const companyOf = (account: string, index: number) =>
  `cm_company_${idDigits(account)}${String(index).padStart(14, "0")}`;
const impactOf = (account: string, index: number) => `cm_impact_${idDigits(account)}${String(index).padStart(14, "0")}`;

/** Accounts with 20 companies each, and impacts that arrived over 30 days. */
async function fill(database: Database): Promise<readonly Account[]> {
  const started = performance.now();
  const opened: Account[] = [];
  for (let index = 0; index < accounts; index++)
    opened.push(await openAccount(database, { subscriptions: [{ plan: "enterprise" }], scopes }));
  await database.query("create unlogged table filling (account text, digits text, impacts int)");
  for (const [index, { id }] of opened.entries()) {
    const impacts = index === 0 ? ofLargest : Math.floor((many - ofLargest) / (accounts - 1));
    await database.query("insert into filling values ($1, $2, $3)", [id, idDigits(id), impacts]);
  }
  await database.query(`
    insert into monitoring_account select account, impacts + 1, 0 from filling`);
  await database.query(
    `insert into monitored_company
     select account, 'cm_company_' || digits || lpad(n::text, 14, '0'), 1, $1::timestamptz - interval '31 days', 1, null, null,
       'Company ' || n, 'GB', '', '', '', 1, $1::timestamptz - interval '31 days'
     from filling, generate_series(0, 19) n`,
    [testTime],
  );
  await database.kysely.connection().execute(async (connection) => {
    const run = (text: string) => sql.raw(text).execute(connection);
    await run("set statement_timeout = 0");
    await run(`
      insert into company_impact
      select account, 'cm_impact_' || digits || lpad(n::text, 14, '0'), 1,
        '${testTime.toISOString()}'::timestamptz - interval '30 days' * (1 - n::float8 / impacts), n + 1, null, null,
        'cm_event_' || digits || lpad(n::text, 14, '0'), 1, 'cm_company_' || digits || lpad((n % 20)::text, 14, '0'),
        1, 1 + n % 3, '{2}', 1 + n % 3, 0.95, 0.9, 0.8, repeat('What the event means for the company. ', 8),
        '${testTime.toISOString()}'::timestamptz - interval '31 days', 'https://news.example/' || n,
        '[{"url":"https://news.example/1","tier":2,"title":"A report","published":""}]', 3
      from filling, generate_series(1, impacts) n`);
    // What filling leaves to be done is done before the clock starts.
    await run("vacuum analyze");
    await run("checkpoint");
  });
  console.log(`${many} impacts: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  return opened;
}
