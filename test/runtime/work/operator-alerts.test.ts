import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Response } from "undici";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { datasets } from "../../../src/domains/index.ts";
import { operatorAlertJob } from "../../../src/runtime/work/operator-alerts.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

interface Report {
  readonly type: string;
  readonly text: string;
  readonly started: readonly { key: string; text: string }[];
  readonly ended: readonly { key: string }[];
}

const hourMs = 3_600_000;
const gib = 1024 ** 3;

describeEachDatabase("reports to the operator", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let receiver: Server;
  let reports: Report[] = [];
  let status = 204;
  let free = 10 * gib;
  let now = testTime;
  const warnings: object[] = [];
  let isReachable = false;
  beforeAll(async () => {
    database = await openFresh();
    const transport = () =>
      isReachable
        ? Promise.resolve(Response.json({ result: { annotations: [] }, success: true }))
        : Promise.reject(new TypeError("fetch failed"));
    const environment = { IDS_DATA: "live", CLOUDFLARE_API_TOKEN: "token" };
    app = await startApp(database, { environment, outside: { transport, wait: async () => undefined } });
    receiver = createServer(async (request, response) => {
      if (status < 300) reports.push(JSON.parse(await text(request)));
      response.writeHead(status).end();
    }).listen(0, "127.0.0.1");
  });
  beforeEach(async () => {
    await database.query("truncate operator_problem, backup_run");
    [status, free, now, isReachable, reports] = [204, 10 * gib, testTime, false, []];
  });
  afterAll(async () => {
    receiver.close();
    await app[Symbol.asyncDispose]();
    await database.close();
  });

  const run = async (targets = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks/secret`) => {
    const config = readConfig({ IDS_DATA: "live", IDS_OPERATOR_ALERTS: targets });
    const job = operatorAlertJob({
      ...{ config, database: database.kysely, datasets, missingOf: () => [], data: "live" },
      ...{ clock: () => now, freeBytes: async () => free, log: { warn: (line: object) => void warnings.push(line) } },
    });
    await job.work({}, { signal: new AbortController().signal } as never);
  };
  const keys = () => reports.map(({ started, ended }) => [started.map(({ key }) => key), ended.map(({ key }) => key)]);

  test("a full disk is reported once, and its end once", async () => {
    await run();
    free = gib - 1;
    await run();
    await run();
    free = 2 * gib;
    await run();
    await run();
    expect(keys()).toEqual([
      [["disk"], []],
      [[], ["disk"]],
    ]);
    expect(reports[0]).toMatchObject({
      type: "operator.problems",
      text: expect.stringContaining("The disk of the data folder has 1023 MiB left"),
    });
  });

  test("without a data folder, the other problems are still reported", async () => {
    await database.query("insert into backup_run (at, error) values ($1, 'disk full')", [now]);
    const { port } = receiver.address() as AddressInfo;
    const config = readConfig({ IDS_DATA_DIR: "/nowhere/at/all", IDS_OPERATOR_ALERTS: `http://127.0.0.1:${port}/` });
    const job = operatorAlertJob({
      ...{ config, database: database.kysely, datasets, missingOf: () => [], data: "live", clock: () => now },
      log: { warn: (line: object) => void warnings.push(line) },
    });
    await job.work({}, { signal: new AbortController().signal } as never);
    expect(keys()).toEqual([[["backup"], []]]);
  });

  test("a source that fails for an hour is reported with its reason until it is read again", async () => {
    const source = "source internet-outages/cloudflare-radar";
    await app.refresh("internet-outages").catch(() => undefined);
    await run();
    expect(keys()).toEqual([]);
    now = new Date(testTime.getTime() + hourMs);
    await run();
    expect(keys()).toEqual([[[source], []]]);
    expect(reports[0]?.started[0]?.text).toMatch(/^cloudflare-radar of internet-outages fails and was never read: \S/);
    isReachable = true;
    await app.refresh("internet-outages");
    await run();
    expect(keys()[1]).toEqual([[], [source]]);
    isReachable = false;
    await app.refresh("internet-outages").catch(() => undefined);
    await run();
    isReachable = true;
    await app.refresh("internet-outages");
    await run();
    expect(keys()).toHaveLength(2);
  });

  test("a report that no endpoint accepted is sent again, and its address is not logged", async () => {
    free = 0;
    status = 500;
    await run();
    status = 204;
    await run();
    expect(reports.flatMap(({ started }) => started.map(({ key }) => key))).toContain("disk");
    expect(reports).toHaveLength(1);
    expect(JSON.stringify(warnings)).toContain("status 500");
    expect(JSON.stringify(warnings)).not.toContain("/hooks/secret");
  });

  test("an endpoint that fails does not repeat the report for the others", async () => {
    free = 0;
    const { port } = receiver.address() as AddressInfo;
    const targets = `http://127.0.0.1:1/,http://127.0.0.1:${port}/`;
    await run(targets);
    await run(targets);
    expect(reports).toHaveLength(1);
  });

  test.each([
    ["failed", "'2026-11-18T00:00:00Z', 'no space left'", "failed: no space left"],
    ["is older than 8 days", "'2026-11-01T00:00:00Z', null", "The last backup is of 2026-11-01T00:00:00.000Z"],
  ])("a backup that %s is reported", async (_, values, expected) => {
    await database.query(`insert into backup_run (at, error) values (${values})`);
    await run();
    const backup = reports.flatMap(({ started }) => started).find(({ key }) => key === "backup");
    expect(backup?.text).toContain(expected);
  });

  test("nothing is read or sent without an endpoint", async () => {
    free = 0;
    await run("");
    expect(reports).toEqual([]);
    expect(await database.kysely.selectFrom("operator_problem").selectAll().execute()).toEqual([]);
  });
});
