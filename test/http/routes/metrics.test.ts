import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, expect, test } from "vitest";
import { deliveryJob } from "../../../src/delivery/delivery-kinds.ts";
import { NothingToServe } from "../../../src/errors.ts";
import { openQueue } from "../../../src/jobs/queue.ts";
import type { Database } from "../../../src/store/database.ts";
import { AccessService } from "../../gen/access_pb.ts";
import { openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { accessService } from "../../support/servers/access-service.ts";

const at = (seconds: number) => new Date(testTime.getTime() + seconds * 1_000);

describeEachDatabase("the metrics", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openFresh();
    const implementation = {
      ...accessService.implementation,
      getTierOne() {
        throw new NothingToServe("Nothing was read yet");
      },
      getTierTwo() {
        throw new Error("broken");
      },
    };
    app = await startApp(database, {
      environment: { IDS_PLAN_LIMITS: "free=3", BLS_API_KEY: "b".repeat(32) },
      services: [{ service: AccessService, implementation: implementation as never }],
    });
    return app[Symbol.asyncDispose];
  });

  /** The lines of a metric, without its name; `from` is an app that has not been asked yet. */
  async function lines(name: string, from = app): Promise<string[]> {
    const text = await (await from.get("/metrics")).text();
    return text.split("\n").flatMap((line) => (new RegExp(`^${name}[{ ]`).test(line) ? line.slice(name.length) : []));
  }
  const failuresOf = async (operation: string) =>
    Object.fromEntries(
      (await lines("ids_request_failures_total")).flatMap((line) => {
        const found = new RegExp(`operation="${operation}",protocol="(\\w+)",cause="(\\w+)"\\} (\\d+)`).exec(line);
        return found ? [[`${found[1]} ${found[2]}`, Number(found[3])]] : [];
      }),
    );
  const requestsOf = async (operation: string) =>
    Object.fromEntries(
      (await lines("ids_request_duration_seconds_count")).flatMap((line) => {
        const found = new RegExp(`operation="${operation}",protocol="(\\w+)",status="(\\w+)"\\} (\\d+)`).exec(line);
        return found ? [[`${found[1]} ${found[2]}`, Number(found[3])]] : [];
      }),
    );

  test("only counters have names that end in _total", async () => {
    const types = [...(await (await app.get("/metrics")).text()).matchAll(/^# TYPE (\w+_total) (\w+)$/gm)];
    expect(types.length).toBeGreaterThan(5);
    expect(types.filter(([, , type]) => type !== "counter").map(([, name]) => name)).toEqual([]);
  });

  test("a good answer is a request and no failure, over every protocol", async () => {
    const operation = "GetScoped";
    await app.get("/api/test/v1/get-scoped");
    for (const transport of [createConnectTransport, createGrpcTransport]) {
      const headers = { "X-Service-Key": await app.key("operator") };
      const client = createClient(AccessService, transport({ baseUrl: app.url, httpVersion: "2" } as never));
      await client.getScoped({}, { headers });
    }
    await expect.poll(() => requestsOf(operation)).toEqual({ "rest 2xx": 1, "rpc 2xx": 2 });
    expect(await failuresOf(operation)).toEqual({});
  });

  test("failures are reported by cause: caller, limit, source, or service", async () => {
    await app.get("/api/test/v1/get-plain", { key: null });
    await app.get("/api/test/v1/get-plain?count=x");
    await app.get("/api/test/v1/get-plain?count=1");
    expect(await failuresOf("GetPlain")).toEqual({ "rest caller": 2 });
    expect(await requestsOf("GetPlain")).toEqual({ "rest 2xx": 1, "rest 4xx": 2 });

    const key = await app.key("free");
    for (const _ of [1, 2, 3, 4, 5]) await app.get("/api/test/v1/get-aliased", { key });
    expect(await failuresOf("GetAliased")).toEqual({ "rest limit": 2 });

    expect((await app.get("/api/test/v1/get-tier-one")).status).toBe(503);
    expect(await failuresOf("GetTierOne")).toEqual({ "rest source": 1 });
    expect((await app.get("/api/test/v1/get-tier-two")).status).toBe(500);
    expect(await failuresOf("GetTierTwo")).toEqual({ "rest service": 1 });
    expect(await app.json("/api/test/v1/get-unavailable")).toEqual({ unavailable: true });
    expect(await failuresOf("GetUnavailable")).toEqual({ "rest flagged": 1 });
    expect(await requestsOf("GetUnavailable")).toEqual({ "rest 2xx": 1 });
  });

  test("gRPC failures with status 200 do not count as good requests", async () => {
    const client = createClient(AccessService, createGrpcTransport({ baseUrl: app.url }));
    const headers = { "X-Service-Key": await app.key("operator") };
    const codeOf = (call: Promise<unknown>) => call.catch((error: unknown) => ConnectError.from(error).code);
    expect(await codeOf(client.getActivePro({}))).toBe(Code.Unauthenticated);
    expect(await codeOf(client.getTierOne({}, { headers }))).toBe(Code.Unavailable);
    expect(await codeOf(client.getTierTwo({}, { headers }))).toBe(Code.Internal);
    await client.getUnavailable({}, { headers });
    await expect.poll(() => failuresOf("GetActivePro")).toEqual({ "rpc caller": 1 });
    await expect.poll(() => failuresOf("GetTierOne")).toMatchObject({ "rpc source": 1 });
    await expect.poll(() => failuresOf("GetTierTwo")).toMatchObject({ "rpc service": 1 });
    await expect.poll(() => failuresOf("GetUnavailable")).toMatchObject({ "rpc flagged": 1 });
    expect(await requestsOf("GetActivePro")).toEqual({ "rpc 4xx": 1 });
    expect(await requestsOf("GetTierTwo")).toMatchObject({ "rpc 5xx": 1 });
  });

  test("datasets and sources stand as the catalog says", async () => {
    await app.refresh("internet-outages");
    await using fresh = await startApp(database);
    const { datasets } = await fresh.json<{
      datasets: { name: string; state: string; rows?: number; sources: { name: string; state: string }[] }[];
    }>("/api/catalog/v1/list-datasets");
    expect(new Set(await lines("ids_dataset_state", fresh))).toEqual(
      new Set(datasets.map(({ name, state }) => `{dataset="${name}",state="${state}"} 1`)),
    );
    expect(await lines("ids_dataset_rows", fresh)).toEqual(
      datasets.flatMap(({ name, rows }) => (rows === undefined ? [] : [`{dataset="${name}"} ${rows}`])),
    );
    expect(new Set(await lines("ids_source_state", fresh))).toEqual(
      new Set(
        datasets.flatMap(({ name, sources }) =>
          sources.map((source) => `{dataset="${name}",source="${source.name}",state="${source.state}"} 1`),
        ),
      ),
    );
    expect(await lines("ids_source_up", fresh)).toContain('{dataset="internet-outages",source="cloudflare-radar"} 1');
    expect(await lines("ids_store_reachable", fresh)).toEqual([" 1"]);
  });

  test("a source without its settings counts no refreshes and no failures", async () => {
    const live = { transport: () => Promise.reject(new TypeError("fetch failed")), wait: async () => undefined };
    await using fresh = await startApp(database, { outside: live });
    await fresh.refresh("trade-tariffs").catch(() => undefined);
    const ofSource = async (name: string) => (await lines(name, fresh)).filter((line) => line.includes("wto-tariffs"));
    expect(await ofSource("ids_source_state")).toEqual([expect.stringContaining('state="unconfigured"} 1')]);
    for (const name of ["ids_ingest_runs_total", "ids_ingest_failures_total"])
      expect(await ofSource(name)).toEqual([expect.stringMatching(/\} 0$/)]);
  });

  test("requests of the day are reported next to the configured budget", async () => {
    const day = testTime.toISOString().slice(0, 10);
    for (const [source, requests] of [
      ["bls", 12],
      ["nobody", 9],
    ] as const)
      await database.kysely.insertInto("source_request").values({ source, day, requests }).execute();
    await using fresh = await startApp(database, { environment: { BLS_API_KEY: "b".repeat(32) } });
    expect(await lines("ids_source_budget_used", fresh)).toContain('{budget="bls"} 12');
    expect(await lines("ids_source_budget_limit", fresh)).toContain('{budget="bls"} 500');
    expect((await lines("ids_source_budget_used", fresh)).join()).not.toContain("nobody");
  });

  test("webhooks are counted by state, and only the ten that wait longest are named", async () => {
    const { id: account } = await openAccount(database, { subscriptions: [{ plan: "enterprise" }] });
    for (let index = 0; index < 14; index += 1) {
      const id = `wh_${String(index).padStart(2, "0")}`;
      const inactive = index === 13 ? "gone" : index === 12 ? "exhausted" : null;
      await database.query(
        `insert into webhook (id, account, callback_url, chokepoint_ids, alert_threshold, created_at, secret, inactive_reason)
         values ($1, $2, 'https://hooks.example.org/', '{}', 50, $3, '', $4)`,
        [id, account, at(-9_000), inactive],
      );
      if (inactive) continue;
      for (const [place, age] of [1_000 + index, 5].entries())
        await database.query(
          `insert into webhook_delivery (id, webhook, type, body, state, failures, created_at, next_attempt_at)
           values ($1, $2, 'test', '{}', 'pending', $3, $4, $5)`,
          [`${id}_${place}`, id, place === 0 && index % 2 === 1 ? 3 : 0, at(-age), at(index === 4 ? -70 : 60)],
        );
    }
    await using fresh = await startApp(database);
    const states = ['{state="active"} 6', '{state="failing"} 6', '{state="gone"} 1', '{state="exhausted"} 1'];
    expect(await lines("ids_webhooks", fresh)).toEqual(states);
    expect(await lines("ids_webhook_deliveries_waiting", fresh)).toEqual([" 24"]);
    expect(await lines("ids_webhook_oldest_waiting_seconds", fresh)).toEqual([" 1011"]);
    expect(await lines("ids_webhook_overdue_seconds", fresh)).toEqual([" 70"]);
    const named = await lines("ids_webhook_lag_seconds", fresh);
    expect(named).toHaveLength(10);
    expect(named[0]).toBe(`{account="${account}",webhook="wh_11"} 1011`);
    expect(await lines("ids_webhook_failed_attempts", fresh)).toContain(`{account="${account}",webhook="wh_11"} 3`);
    // Read once in ten seconds, however often they are asked for.
    await database.query("delete from webhook_delivery");
    fresh.setTime(at(9));
    expect(await lines("ids_webhook_deliveries_waiting", fresh)).toEqual([" 24"]);
    fresh.setTime(at(10));
    expect(await lines("ids_webhook_deliveries_waiting", fresh)).toEqual([" 0"]);
    expect(await lines("ids_webhook_lag_seconds", fresh)).toEqual([]);
  });

  test("the queue reports due, running, and failed jobs of each kind", async () => {
    const queue = await openQueue(database, { kinds: [deliveryJob], role: "send", log: () => undefined });
    for (const day of ["2020-01-01", "2020-01-02", "2099-01-01"])
      await queue.send(deliveryJob, {}, { startAfter: new Date(day) });
    await queue.close(0);
    await database.query(
      `update pgboss.job set state = 'failed' where id = (select id from pgboss.job where name = '${deliveryJob.name}'
       order by start_after limit 1)`,
    );
    await using fresh = await startApp(database);
    const kind = `{kind="${deliveryJob.name}"}`;
    expect(await lines("ids_jobs_waiting", fresh)).toContain(`${kind} 1`);
    expect(await lines("ids_jobs_running", fresh)).toContain(`${kind} 0`);
    expect(await lines("ids_jobs_failed", fresh)).toContain(`${kind} 1`);
    const oldest = (await lines("ids_jobs_oldest_waiting_seconds", fresh)).find((line) => line.startsWith(kind));
    expect(Number(oldest?.slice(kind.length))).toBeGreaterThan(86_400);
  });
});
