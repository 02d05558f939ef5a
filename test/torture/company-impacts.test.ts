import { describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openAccount } from "../support/accounts.ts";
import { startApp, testTime } from "../support/app.ts";
import { type ImpactPage, type Monitoring, monitoring, scopes } from "../support/monitoring.ts";
import { hasPostgres, startPostgres } from "../support/postgres-server.ts";
import { randomOf } from "../support/synthetic-bases.ts";

const accounts = 1_000;
const many = 1_000_000;
/** Of the first account: more than all others have on average together with what they replaced. */
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
      await using app = await startApp(database, { environment: { IDS_PLAN_LIMITS: "enterprise=-/-" } });
      const api = monitoring(app, database);
      const random = randomOf(11);
      const someone = () => opened[Math.floor(random() ** 3 * opened.length)]!;
      const largest = opened[0]!;
      const company = (account: Account) => companyOf(account.id, Math.floor(random() * 20));

      await ask(api, someone(), "list-company-event-impacts", {});
      const shown = { first: [], deep: [], filtered: [], polled: [] } as Record<string, number[]>;
      const revising = new AbortController();
      const revised = revise(api, opened, revising.signal);
      for (let round = 0; round < 1_500; round++) {
        const account = someone();
        const page = { page_size: String(1 + (round % 100)) };
        shown.first!.push((await ask(api, account, "list-company-event-impacts", page)).milliseconds);
        const filter = { company_id: company(account), direction: round % 2 ? "negative" : "positive" };
        const { milliseconds, body } = await ask(api, account, "list-company-event-impacts", { ...filter, ...page });
        shown.filtered!.push(milliseconds);
        const poll = { ...filter, cursor: body.snapshot.pollCursor };
        shown.polled!.push((await ask(api, account, "list-company-event-changes", poll)).milliseconds);
      }
      let cursor = "";
      let seen = 0;
      do {
        const query = { page_size: "100", ...(cursor ? { cursor } : {}) };
        const { milliseconds, body } = await ask(api, largest, "list-company-event-impacts", query);
        shown.deep!.push(milliseconds);
        seen += body.impacts.length;
        cursor = body.nextCursor;
      } while (cursor !== "");
      revising.abort();
      console.log(`${await revised} revisions were made meanwhile`);
      // Those that were admitted before the walk began, each once.
      expect(seen).toBeGreaterThanOrEqual(ofLargest);
      for (const [what, times] of Object.entries(shown)) {
        const [median, p99] = [0.5, 0.99].map((share) => times.toSorted((a, b) => a - b)[Math.floor(share * times.length)]!);
        console.log(`${what}: ${times.length} pages, median ${median!.toFixed(1)} ms, p99 ${p99!.toFixed(1)} ms`);
        expect(p99, what).toBeLessThanOrEqual(20);
      }
    } finally {
      await database.close();
    }
  });
});

async function ask(api: Monitoring, { key }: Account, operation: string, query: Record<string, string>) {
  const started = performance.now();
  const { status, body } = await api.get<ImpactPage>(operation, query, key);
  expect(status, JSON.stringify(body)).toBe(200);
  return { milliseconds: performance.now() - started, body };
}

/** Corrects and retracts impacts of all accounts until it is told to stop. */
async function revise(api: Monitoring, opened: readonly Account[], until: AbortSignal): Promise<number> {
  let made = 0;
  for (; !until.aborted; made++) {
    const { id } = opened[(made * 7) % opened.length]!;
    await api.correct(id, impactOf(id, 1 + (made % 50)));
    // What the operator's feed leaves of the machine.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return made;
}

const idDigits = (text: string) => text.toUpperCase().replaceAll(/[^0-9A-F]/g, "0").slice(-12).padStart(12, "0");
const companyOf = (account: string, index: number) =>
  `cm_company_${idDigits(account)}${String(index).padStart(14, "0")}`;
const impactOf = (account: string, index: number) => `cm_impact_${idDigits(account)}${String(index).padStart(14, "0")}`;

/** Accounts with 20 companies each, and impacts that arrived over 30 days. */
async function fill(database: Database): Promise<readonly Account[]> {
  const started = performance.now();
  const opened: Account[] = [];
  for (let index = 0; index < accounts; index++)
    opened.push(await openAccount(database, { subscriptions: [{ plan: "enterprise" }], scopes }));
  const client = database;
  await client.query("create unlogged table filling (account text, digits text, impacts int)");
  for (const [index, { id }] of opened.entries()) {
    const impacts = index === 0 ? ofLargest : Math.floor((many - ofLargest) / (accounts - 1));
    await client.query("insert into filling values ($1, $2, $3)", [id, idDigits(id), impacts]);
  }
  await client.query(`
    insert into monitoring_account select account, impacts + 1, 0 from filling`);
  await client.query(
    `insert into monitored_company
     select account, 'cm_company_' || digits || lpad(n::text, 14, '0'), 1, $1::timestamptz - interval '31 days', 1, null, null,
       'Company ' || n, 'GB', '', '', '', 1, $1::timestamptz - interval '31 days'
     from filling, generate_series(0, 19) n`,
    [testTime],
  );
  await database.kysely.connection().execute(async (connection) => {
    const run = (text: string) => connection.executeQuery({ sql: text, parameters: [] } as never);
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
    await run("vacuum analyze company_impact");
    await run("vacuum analyze monitoring_account");
  });
  console.log(`${many} impacts: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  return opened;
}
