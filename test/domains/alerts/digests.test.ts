import { setTimeout as wait } from "node:timers/promises";
import type { KyselyPlugin } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { retainPoints } from "../../../src/store/history/series-points.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { signedIn } from "../../support/console/signed-in.ts";
import { openOnce } from "../../support/databases.ts";
import { alertCalls } from "../../support/domains/alerts.ts";

interface Digests {
  readonly digests: readonly {
    readonly ruleId: string;
    readonly items: readonly { readonly item: string; readonly valueNow?: number; readonly emptyReason?: string }[];
  }[];
  readonly nextCursor: string;
}

const path = "/api/alerts/v1/list-digests";
const everything = { countries: ["MM", "SD"], series: ["risk.score/MM", "risk.score/SD"], chokepoints: ["suez"] };

/** Starts an app that waits for `reading` after each read of a series. */
async function started(reading: () => unknown = () => undefined) {
  const database = await openOnce();
  onTestFinished(database.close);
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.some((row) => "basis" in row && "key" in row)) await reading();
      return result;
    },
  };
  const basis = { methodology: "v8", sources: "a" };
  const points = ["MM", "SD"].map((key) => ({ key, at: testTime, value: 60 }));
  await database.kysely.transaction().execute((transaction) =>
    retainPoints(
      transaction,
      ["risk.score", "risk.unrest", "risk.conflict"].map((series) => ({
        ...{ series, origin: "live", basis, areSampled: true, points },
      })),
      testTime,
    ),
  );
  const observed = { ...database, kysely: database.kysely.withPlugin(plugin), close: () => database.close() };
  const app = await startApp(observed, {
    environment: { IDS_DATA: "live", IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

async function listed(app: TestApp, key: string, query = ""): Promise<Digests> {
  const response = await app.get(path + query, { key });
  expect(response.status).toBe(200);
  return (await response.json()) as Digests;
}

/** Sets the plan of the account of a key to `free`. */
async function downgrade(app: TestApp, key: string): Promise<void> {
  const caller = (await (await app.get("/api/account/v1/get-caller", { key })).json()) as { account: { id: string } };
  const body = JSON.stringify({ account: caller.account.id, plan: "free" });
  const set = await app.get("/api/account/v1/set-subscription", { method: "POST", body });
  expect(set.status).toBe(200);
}

test("a response has at most five watchlists, and cursors lead to all of them once", async () => {
  const app = await started();
  const key = await app.key("pro_monthly");
  const { rule, call } = alertCalls(app, key);
  const ids: string[] = [];
  for (let count = 0; count < 7; count++) ids.push(await rule({ watchlist: { chokepoints: ["suez"] } }));
  const first = await listed(app, key);
  expect(first.digests).toHaveLength(5);
  const second = await listed(app, key, `?cursor=${first.nextCursor}`);
  const all = [...first.digests, ...second.digests].map(({ ruleId }) => ruleId);
  expect([new Set(all), all.length, second.nextCursor]).toEqual([new Set(ids), 7, ""]);
  // A cursor stays valid after the deletion of its rule.
  await call("delete-rule", { ruleId: all[4] });
  expect(await listed(app, key, `?cursor=${first.nextCursor}`)).toEqual(second);
  expect((await listed(app, key, "?page_size=2")).digests.map(({ ruleId }) => ruleId)).toEqual(all.slice(0, 2));
  expect(await app.rejected(`${path}?page_size=6`)).toEqual(["page_size"]);
});

test("a digest reads only the rules that the plan includes, and leaves out no item without a reason", async () => {
  const app = await started();
  const key = await app.key("pro_monthly");
  const { rule } = alertCalls(app, key);
  const watchlist = { series: ["risk.score/MM", "resilience.score/SD"], searches: ["cyber"] };
  for (let count = 0; count < 4; count++) await rule({ watchlist });
  const paid = await listed(app, key);
  expect(paid.digests).toHaveLength(4);
  expect(paid.digests[0]?.items.at(-1)).toMatchObject({ item: "cyber", valueNow: 0 });
  await downgrade(app, key);
  const free = await listed(app, key);
  expect(free.digests).toHaveLength(3);
  expect(free.nextCursor).toBe("");
  expect(free.digests[0]?.items.map(({ item, valueNow, emptyReason }) => [item, valueNow, emptyReason])).toEqual([
    ["risk.score/MM", 60, undefined],
    ["resilience.score/SD", undefined, "not_in_plan"],
    ["cyber", undefined, "not_in_plan"],
  ]);
});

test("watchlists share the reads of their series", async () => {
  let reads = 0;
  const app = await started(() => {
    reads += 1;
  });
  const key = await app.key("pro_monthly");
  const { rule } = alertCalls(app, key);
  const readsOf = async () => {
    const before = reads;
    await listed(app, key);
    return reads - before;
  };
  await rule({ watchlist: everything });
  const one = await readsOf();
  for (let count = 0; count < 4; count++) await rule({ watchlist: everything });
  expect([one, await readsOf()]).toEqual([3, 3]);
});

test.each([path, "/watchlist"])("%s reads nothing more after its client has disconnected", async (address) => {
  const client = new AbortController();
  let reads = 0;
  const app = await started(async () => {
    reads += 1;
    client.abort();
    // The service learns of it within milliseconds.
    await wait(200);
  });
  const { key, cookie } = await signedIn(app, "/account", { plan: "pro_monthly" });
  await alertCalls(app, key).rule({ watchlist: everything });
  const headers = { ...(address === path ? { "X-Service-Key": key } : { Cookie: cookie }) };
  await expect(fetch(app.url + address, { headers, signal: client.signal })).rejects.toThrow("aborted");
  await wait(1_000);
  expect(reads).toBe(1);
});
