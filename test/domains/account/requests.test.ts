import { beforeAll, expect, test } from "vitest";
import { createRequestLog } from "../../../src/access/request-log.ts";
import { retentions } from "../../../src/runtime/work/retention.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

interface Logged {
  readonly id: string;
  readonly requestId: string;
  readonly account: string;
  readonly keyId: string;
  readonly operation: string;
  readonly status: number;
  readonly cost: number;
  readonly notListed: number;
}

const path = "/api/account/v1/list-requests";
const free = "/api/account/v1/get-limits";

describeEachDatabase("the log of requests", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_PLAN_LIMITS: "free=3" } });
    return app[Symbol.asyncDispose];
  });

  const read = async (key: string, query = "") => {
    await app.settled();
    const response = await app.get(`${path}?${query}`, { key });
    return (await response.json()) as { requests: Logged[]; nextCursor: string };
  };
  const reported = ({ requests }: { readonly requests: readonly Logged[] }) =>
    requests.map(({ requestId, operation, status, cost }) => `${requestId} ${operation} ${status} ${cost}`);

  test("each request with a key is listed with its operation, status, and cost, and only its account finds it by id", async () => {
    const key = await app.key("pro_monthly");
    const as = (id: string, headers: Record<string, string> = {}) => ({
      key,
      headers: { "X-Request-Id": id, ...headers },
    });
    await app.get(free, as("limits"));
    await app.get("/api/catalog/v1/list-datasets", as("public"));
    await app.get("/api/infrastructure/v1/list-internet-outages", as("unloaded"));
    await app.get("/api/account/v1/create-account", { method: "POST", body: "{}", ...as("refused") });
    await app.get("/ids.account.v1.AccountService/GetLimits", {
      ...{ method: "POST", body: "{}", ...as("rpc", { "Content-Type": "application/json" }) },
    });
    await app.get("/api/batch/v1/run-batch", {
      ...{ method: "POST", ...as("batch", { "Content-Type": "application/json" }) },
      body: JSON.stringify({ requests: [{ path: free }, { path: free }] }),
    });
    const pasted = `ids_${"1".repeat(40)}`;
    await app.get(free, as(pasted));
    await app.get(free, { key: null, headers: { "X-Request-Id": "nobody" } });
    await app.get(free, { key: pasted, headers: { "X-Request-Id": "unknown" } });
    const all = await read(key);
    expect(reported(all).slice(1)).toEqual([
      "batch RunBatch 200 0",
      "batch GetLimits 200 0",
      "batch GetLimits 200 0",
      "rpc GetLimits 200 0",
      "refused CreateAccount 403 0",
      "unloaded ListInternetOutages 503 1",
      "public ListDatasets 200 0",
      "limits GetLimits 200 0",
    ]);
    expect(JSON.stringify(all)).not.toContain(pasted);
    expect(JSON.stringify(all)).not.toContain(key);
    const [own] = all.requests;
    const found = await read(key, "request_id=refused");
    expect(found.requests).toHaveLength(1);
    expect(found.requests[0]).toMatchObject({ account: own?.account, keyId: own?.keyId, status: 403 });
    const stranger = await app.key("pro_monthly");
    expect((await read(stranger, "request_id=refused")).requests).toEqual([]);
    expect((await app.get(`${path}?account=${encodeURIComponent(own?.account ?? "")}`, { key: stranger })).status).toBe(
      403,
    );
    const operator = await app.key("operator");
    expect(reported(await read(operator, "request_id=refused"))).toEqual(reported(found));
    expect((await app.rejected(`${path}?request_id=a%20b`)).length).toBe(1);
    const first = await read(key, "page_size=2");
    expect(first.requests).toHaveLength(2);
    const [second] = (await read(key, `page_size=2&cursor=${first.nextCursor}`)).requests;
    expect(Number(second?.id)).toBeLessThan(Number(first.requests[1]?.id));
  });

  test("a rate-limited request is free, and a burst is listed up to a limit, with failures next to successes, and then counted", async () => {
    const key = await app.key("free");
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1)
      statuses.push((await app.get("/api/infrastructure/v1/list-internet-outages", { key })).status);
    const { requests } = await read(key);
    expect(requests.map(({ status, cost }) => `${status} ${cost}`)).toEqual(
      statuses.toReversed().map((status) => `${status} ${status === 429 ? 0 : 1}`),
    );
    expect(statuses).toContain(429);
    const log = createRequestLog(database.kysely, () => undefined);
    const at = testTime.getTime();
    const note = (account: string, status: number) =>
      log.note(
        { account, keyId: "key_1" },
        { id: "burst", at, operation: "GetQuote", status, cost: 1, milliseconds: 1.2 },
      );
    for (let count = 0; count < 250; count += 1) note("busy", 200);
    for (let count = 0; count < 20; count += 1) note("busy", 503);
    note("calm", 200);
    await log.flush();
    const listed = (account: string) =>
      log.list({ account, id: "", before: undefined, limit: 500, since: new Date(at - 1) });
    const busy = (await listed("busy")).requests;
    expect(busy.filter(({ status }) => status === 503)).toHaveLength(20);
    expect(busy.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(busy.reduce((sum, row) => sum + 1 + row.not_listed, 0)).toBe(270);
    expect((await listed("calm")).requests).toHaveLength(1);
    await log.close();
  });

  test("an account has the newest 10,000, for seven days", async () => {
    const insert = (account: string, rows: number, at: Date) =>
      database.query(`
        insert into request_log (account, key_id, request_id, operation, status, cost, at, milliseconds, not_listed)
        select '${account}', 'key_1', 'x', 'GetQuote', 200, 1, '${at.toISOString()}', 1, 0 from generate_series(1, ${rows})`);
    const count = async (account: string) =>
      Number(
        (
          (await database.query(`select count(*) as rows from request_log where account = '${account}'`)).rows as {
            rows: string;
          }[]
        )[0]?.rows,
      );
    await insert("much", 10_500, testTime);
    const log = createRequestLog(database.kysely, () => undefined);
    for (let flush = 0; flush < 10; flush += 1) {
      for (let each = 0; each < 100; each += 1)
        log.note(
          { account: "much", keyId: "key_1" },
          { id: "new", at: testTime.getTime(), operation: "GetQuote", status: 200, cost: 1, milliseconds: 1 },
        );
      await log.flush();
    }
    expect(await count("much")).toBe(10_000);
    await log.close();
    await insert("old", 3, new Date(testTime.getTime() - 8 * 86_400_000));
    await insert("old", 2, testTime);
    const operator = await app.key("operator");
    expect((await read(operator, "account=old")).requests).toHaveLength(2);
    const ending = retentions.find(({ table }) => table === "request_log");
    const before = new Date(testTime.getTime() - 7 * 86_400_000);
    expect(await ending?.forget(database.kysely, before, { max: 2, now: testTime })).toBe(2);
    expect(await ending?.forget(database.kysely, before, { max: 2, now: testTime })).toBe(1);
    expect(await count("old")).toBe(2);
  });
});
