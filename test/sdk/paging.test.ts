import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "../../sdk/typescript/src/client.ts";
import { paging } from "../../sdk/typescript/src/gen/paging.ts";
import type { PagedOperations, PageOptions, Pages } from "../../sdk/typescript/src/pages.ts";
import { createPlainClient, IdsError, type PlainClient } from "../../sdk/typescript/src/plain.ts";
import { catalog } from "../../src/contract/catalog.ts";
import { pagingOf } from "../../src/contract/paging.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { monitoring } from "../support/domains/monitoring.ts";
import { failureOf } from "./both-modes.ts";
import { type Script, startScriptedServer } from "./scripted-server.ts";

const start = testTime.getTime() - 66 * 86_400_000;
/** The parameters of one operation's walk, in either mode. */
interface Walk {
  readonly size: number;
  readonly connect: (client: Client, size: number, from: string, options?: PageOptions) => Pages<object, object>;
  readonly plain: (client: PlainClient, size: number, from: string, options?: PageOptions) => Pages<object, object>;
}

const impacts = "/api/company-monitoring/v1/list-company-event-impacts";
const changes = "/api/company-monitoring/v1/list-company-event-changes";
const companies = "/api/company-monitoring/v1/list-monitored-companies";
const events = "/api/conflict/v1/list-conflict-events";
const tenders = "/api/economic/v1/list-global-tenders";
const accounts = "/api/account/v1/list-accounts";
const audit = "/api/account/v1/list-audit-events";
const requests = "/api/account/v1/list-requests";
const log = "/api/changes/v1/list-changes";
const digests = "/api/alerts/v1/list-digests";

const walks: Readonly<Record<keyof PagedOperations, Walk>> = {
  "account.listAccounts": {
    size: 2,
    connect: (ids, pageSize, _from, options) => ids.pages(ids.account.listAccounts, { pageSize }, options),
    plain: (ids, page_size, _from, options) => ids.pages(accounts, { page_size }, options),
  },
  "account.listAuditEvents": {
    size: 2,
    connect: (ids, pageSize, _from, options) => ids.pages(ids.account.listAuditEvents, { pageSize }, options),
    plain: (ids, page_size, _from, options) => ids.pages(audit, { page_size }, options),
  },
  "account.listRequests": {
    size: 2,
    connect: (ids, pageSize, _from, options) =>
      ids.pages(ids.account.listRequests, { pageSize, account: logged }, options),
    plain: (ids, page_size, _from, options) => ids.pages(requests, { page_size, account: logged }, options),
  },
  "alerts.listDigests": {
    size: 1,
    connect: (ids, pageSize, _from, options) => ids.pages(ids.alerts.listDigests, { pageSize }, options),
    plain: (ids, page_size, _from, options) => ids.pages(digests, { page_size }, options),
  },
  "changes.listChanges": {
    size: 1,
    connect: (ids, limit, _from, options) => ids.pages(ids.changes.listChanges, { limit }, options),
    plain: (ids, limit, _from, options) => ids.pages(log, { limit }, options),
  },
  "companyMonitoring.listCompanyEventImpacts": {
    size: 2,
    connect: (ids, pageSize, _from, options) =>
      ids.pages(ids.companyMonitoring.listCompanyEventImpacts, { pageSize }, options),
    plain: (ids, page_size, _from, options) => ids.pages(impacts, { page_size }, options),
  },
  "companyMonitoring.listCompanyEventChanges": {
    size: 2,
    connect: (ids, pageSize, cursor, options) =>
      ids.pages(ids.companyMonitoring.listCompanyEventChanges, { pageSize, cursor }, options),
    plain: (ids, page_size, cursor, options) => ids.pages(changes, { page_size, cursor }, options),
  },
  "companyMonitoring.listMonitoredCompanies": {
    size: 1,
    connect: (ids, pageSize, _from, options) =>
      ids.pages(ids.companyMonitoring.listMonitoredCompanies, { pageSize }, options),
    plain: (ids, page_size, _from, options) => ids.pages(companies, { page_size }, options),
  },
  "conflict.listConflictEvents": {
    size: 400,
    connect: (ids, limit, _from, options) =>
      ids.pages(ids.conflict.listConflictEvents, { limit, start: BigInt(start) }, options),
    plain: (ids, limit, _from, options) => ids.pages(events, { limit, start }, options),
  },
  "economic.listGlobalTenders": {
    size: 50,
    connect: (ids, pageSize, _from, options) => ids.pages(ids.economic.listGlobalTenders, { pageSize }, options),
    plain: (ids, page_size, _from, options) => ids.pages(tenders, { page_size }, options),
  },
};

let database: Database;
let app: TestApp;
let key: string;
let watching: string;
let audited: string;
/** An account whose requests are listed by another one: those of a walk are requests too. */
let logged: string;
/** Where the changes of company monitoring begin. */
let since: string;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { environment: { IDS_PLAN_LIMITS: "enterprise=100000" } });
  await app.refresh("conflict-events");
  await app.refresh("global-tenders");
  key = await app.key("operator");
  const operator = createPlainClient({ baseUrl: app.url, apiKey: key });
  for (let number = 0; number < 5; number++)
    await operator.post("/api/account/v1/create-account", { id: `paged${number}` });
  const trigger = { watchlist: { chokepoints: ["suez"] } };
  for (const name of ["a", "b", "c"]) await operator.post("/api/alerts/v1/create-rule", { name, trigger });
  const api = monitoring(app, database);
  const { id, key: own, companies: watched } = await api.open("Harrowgate Pumps plc", "Ferrybridge Freight Ltd");
  watching = own;
  const [company = ""] = watched;
  const first = await api.admit(id, company);
  const { snapshot } = await createPlainClient({ baseUrl: app.url, apiKey: own }).get(impacts);
  since = snapshot?.pollCursor ?? "";
  for (let index = 0; index < 4; index++) await api.admit(id, company);
  await api.correct(id, first.impactId);
  audited = await app.key("enterprise");
  const owner = createPlainClient({ baseUrl: app.url, apiKey: audited });
  for (let number = 0; number < 4; number++) await owner.post("/api/account/v1/create-api-key", { name: `${number}` });
  logged = (await owner.get("/api/account/v1/get-caller")).account?.id ?? "";
  await app.settled();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

function keyFor(name: keyof PagedOperations): string {
  if (name === "account.listAuditEvents") return audited;
  return name.startsWith("company") ? watching : key;
}

/** The whole list by plain requests of one page after another. */
async function listed({ path, cursor, next, items, ...rest }: PagedOperations[keyof PagedOperations], apiKey: string) {
  const rows: object[] = [];
  for (let at = path === changes ? since : ""; ; ) {
    const url = new URL(path, app.url);
    if (at !== "") url.searchParams.set(cursor, String(at));
    if (path === requests) url.searchParams.set("account", logged);
    if (path === events) url.searchParams.set("start", String(start));
    const page = (await (await fetch(url, { headers: { "X-Service-Key": apiKey } })).json()) as object;
    rows.push(...Reflect.get(page, items));
    at = next.reduce<string>((value, name) => Reflect.get(Object(value), name), page as unknown as string);
    if ("more" in rest ? !Reflect.get(page, rest.more) : at === "") return rows;
  }
}

const counted =
  (urls: string[]): typeof fetch =>
  (input, init) => {
    urls.push(String(input));
    return fetch(input, init);
  };

test("every operation that the contract pages is walked here", () => {
  const paged = catalog.filter(pagingOf).map(({ path }) => path);
  expect(new Set(Object.values(paging).map(({ path }) => path))).toEqual(new Set(paged));
  expect(new Set(Object.keys(walks))).toEqual(new Set(Object.keys(paging)));
});

describe.each(Object.entries(walks) as [keyof PagedOperations, Walk][])("%s", (name, walk) => {
  const modes: Readonly<
    Record<string, (fetched: string[], size: number, options?: PageOptions) => Pages<object, object>>
  > = {
    Connect: (fetched, size, options) => {
      const apiKey = keyFor(name);
      const ids = createClient({ baseUrl: app.url, apiKey, fetch: counted(fetched), int64: "string" });
      return walk.connect(ids as unknown as Client, size, since, options);
    },
    "plain JSON": (fetched, size, options) => {
      const apiKey = keyFor(name);
      const ids = createPlainClient({ baseUrl: app.url, apiKey, fetch: counted(fetched) });
      return walk.plain(ids, size, since, options);
    },
  };

  test.each(Object.entries(modes))(
    "over %s gives every row once, in order, page by page as well",
    async (_mode, pages) => {
      const rows = await listed(paging[name], keyFor(name));
      expect(rows.length).toBeGreaterThan(walk.size);
      const fetched: string[] = [];
      const identities = (list: readonly object[]) => list.map(identity);
      expect(identities(await pages(fetched, walk.size).toArray())).toEqual(identities(rows));
      expect(fetched.length).toBe(Math.ceil(rows.length / walk.size));
      const lengths: number[] = [];
      for await (const page of pages([], walk.size).byPage()) lengths.push(itemsOf(page, name).length);
      expect(lengths.slice(0, -1)).toEqual(lengths.slice(0, -1).map(() => walk.size));
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(rows.length);
      for await (const { response, data } of pages([], walk.size).withResponse()) {
        expect([response.status, response.requestId]).toEqual([200, response.headers.get("X-Request-Id")]);
        expect(itemsOf(data, name).length).toBeGreaterThan(0);
      }
    },
  );

  test.each(Object.entries(modes))("over %s ends after as many items as are wanted", async (_mode, pages) => {
    const fetched: string[] = [];
    expect(await pages(fetched, walk.size, { maxItems: walk.size }).toArray()).toHaveLength(walk.size);
    expect(fetched).toHaveLength(1);
    const more = await pages(fetched, walk.size, { maxItems: walk.size + 1 }).toArray();
    expect([more.length, fetched.length]).toEqual([walk.size + 1, 3]);
    const whole = [];
    for await (const page of pages(fetched, walk.size, { maxItems: walk.size }).byPage()) whole.push(page);
    expect(whole).toHaveLength(1);
    expect(() => pages([], walk.size, { maxItems: 0 })).toThrow("maxItems");
  });
});

function itemsOf(page: object, name: keyof PagedOperations): readonly object[] {
  return Reflect.get(page, paging[name].items);
}

/** The id of a row in both modes. */
function identity(row: object): unknown {
  const { id, impactId, companyId, position } = row as Record<string, unknown>;
  return id ?? impactId ?? companyId ?? Number(position);
}

describe("a response without a page", () => {
  async function scripted(...scripts: Script[]) {
    const server = await startScriptedServer(...scripts);
    onTestFinished(() => server[Symbol.asyncDispose]());
    return { server, ids: createPlainClient({ baseUrl: server.url }) };
  }

  test.each([{ accounts: [{ id: "a" }] }, { accounts: [], pagination: {} }, { accounts: [], pagination: null }, []])(
    "ends the walk with an error, because it is unknown whether there is more: %j",
    async (body) => {
      const { ids } = await scripted({ status: 200, body });
      const error = await failureOf(ids.pages(accounts).toArray());
      expect(error).toBeInstanceOf(IdsError);
      expect(error).toMatchObject({ message: "The response has no pagination.nextCursor", status: 200, body });
    },
  );

  test.each([
    { changes: [], nextPosition: 4 },
    { changes: [], more: true },
    { changes: [], nextPosition: {}, more: false },
  ])("ends the walk with an error also where cursors are positions: %j", async (body) => {
    const { ids } = await scripted({ status: 200, body });
    expect(await failureOf(ids.pages(log).toArray())).toMatchObject({
      message: expect.stringMatching(/^The response has no (more|nextPosition)$/),
    });
  });

  test("is refused where its position does not move on, and is the last where nothing follows", async () => {
    const { ids, server } = await scripted({ status: 200, body: { changes: [], nextPosition: 4, more: true } });
    const walk = ids.pages(log, { after: 4 }).toArray();
    expect(await failureOf(walk)).toMatchObject({ message: "The next page is the same page" });
    const { ids: still } = await scripted({ status: 200, body: { changes: [], nextPosition: 4, more: false } });
    expect(await still.pages(log, { after: 4 }).toArray()).toEqual([]);
    expect(server.requests.length).toBe(1);
  });

  test("is refused where its next page is itself", async () => {
    const { ids, server } = await scripted({ status: 200, body: { tenders: [{ id: "a" }], nextCursor: "x" } });
    expect(await failureOf(ids.pages(tenders).toArray())).toMatchObject({
      message: "The next page is the same page",
    });
    expect(server.requests.length).toBe(2);
  });

  test("over Connect has no pagination, and ends the walk as well", async () => {
    await using server = await startScriptedServer({ status: 200, body: { accounts: [{ id: "a" }] } });
    const ids = createClient({ baseUrl: server.url });
    expect(await failureOf(ids.pages(ids.account.listAccounts).toArray())).toMatchObject({
      message: "The response has no pagination.nextCursor",
    });
  });

  test("is not even asked of an operation that has no pages, by a program without types", async () => {
    const { ids, server } = await scripted({ status: 200 });
    const pages: (operation: unknown) => unknown = ids.pages as never;
    expect(() => pages("/api/infrastructure/v1/list-internet-outages")).toThrow("has no pages");
    const connect = createClient({ baseUrl: server.url });
    expect(() => connect.pages(connect.infrastructure.getIpGeo as never)).toThrow("has no pages");
    expect(server.requests.length).toBe(0);
  });

  test("a page that fails in the middle fails the walk, its items before it given", async () => {
    const { ids } = await scripted(
      { status: 200, body: { tenders: [{ id: "a" }], nextCursor: "x" } },
      { status: 404, body: { message: "gone" } },
    );
    const seen: string[] = [];
    const walk = async () => {
      for await (const { id } of ids.pages(tenders)) seen.push(id);
    };
    expect(await failureOf(walk())).toMatchObject({ status: 404 });
    expect(seen).toEqual(["a"]);
  });
});
