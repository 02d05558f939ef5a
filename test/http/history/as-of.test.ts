import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { InfrastructureService } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { readConfig } from "../../../src/config/config.ts";
import { catalog } from "../../../src/contract/catalog.ts";
import { createLog } from "../../../src/log/log.ts";
import { dayMs, minuteMs } from "../../../src/reference/duration.ts";
import { hasPast } from "../../../src/runtime/past-reads.ts";
import { retentionJob } from "../../../src/runtime/work/retention.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const outages = "/api/infrastructure/v1/list-internet-outages";
const inMinutes = (minutes: number) => new Date(testTime.getTime() + minutes * minuteMs);

const macro = "/api/economic/v1/get-country-macro?countries=DE";

/** Refreshes at a given time and returns the response of a minute later. */
async function refreshAt(at: Date): Promise<{ readonly requested: Date; readonly body: string }> {
  app.setTime(at);
  await app.refresh("country-macro");
  const requested = new Date(at.getTime() + minuteMs);
  app.setTime(requested);
  return { requested, body: await (await app.get(macro)).text() };
}

/** Ends old versions, as the hourly job does. */
async function prune(now: Date, environment: Record<string, string> = {}): Promise<void> {
  const { retain } = readConfig({ IDS_DATA: "sample", ...environment });
  const log = createLog("silent", process.stderr, (text) => text);
  const job = retentionJob({ database: database.kysely, retain, clock: () => now, log });
  await job.work({}, { id: "test", attempt: 1, signal: new AbortController().signal });
}

describe("an answer as of an earlier moment", () => {
  test("is the last version of a time or a day, and is rejected before the first version", async () => {
    const midday = await refreshAt(testTime);
    const evening = await refreshAt(inMinutes(8 * 60));
    const next = await refreshAt(inMinutes(24 * 60));
    expect(new Set([midday.body, evening.body, next.body]).size).toBe(3);
    const asOf = async (text: string) => {
      const response = await app.get(`${macro}&as_of=${encodeURIComponent(text)}`);
      return { status: response.status, at: response.headers.get("X-As-Of"), body: await response.text() };
    };

    expect(await asOf(midday.requested.toISOString())).toMatchObject({
      at: midday.requested.toISOString(),
      body: midday.body,
    });
    expect((await asOf("2026-11-18T14:01:00+02:00")).body).toBe(midday.body);
    expect(await asOf("2026-11-18")).toMatchObject({ at: "2026-11-18T23:59:59.999Z", body: evening.body });
    // Of today: now.
    expect((await asOf("2026-11-19")).body).toBe(next.body);

    const later = new Date(testTime.getTime() + 20 * dayMs);
    app.setTime(later);
    await prune(later);
    expect(await asOf("2026-11-18")).toMatchObject({ at: "2026-11-18T23:59:59.999Z", body: evening.body });
    expect(await asOf(next.requested.toISOString())).toMatchObject({
      at: "2026-11-18T23:59:59.999Z",
      body: evening.body,
    });
    const { rows } = await database.query("select from snapshot_version where type like '%CountryMacro'");
    expect(rows).toHaveLength(2);
    for (const before of ["2026-11-17", midday.requested.toISOString()])
      expect(await asOf(before)).toMatchObject({
        status: 400,
        body: expect.stringContaining("value must be 2026-11-18T20:00:00.000Z or later"),
      });

    await prune(later, { IDS_KEEP_HISTORY_DAYS: "7" });
    // A past response is cached for ten seconds.
    app.setTime(new Date(later.getTime() + 11_000));
    expect(await asOf("2026-11-18")).toMatchObject({ status: 400 });
    expect((await asOf("2026-11-19")).body).toBe(next.body);
  });

  test("is a 400 that names the field and the rule if it isn't a timestamp, is in the future, or has no past", async () => {
    app.setTime(inMinutes(24 * 60));
    const rejection = async (path: string) =>
      ((await (await app.get(path)).json()) as { violations?: unknown[] }).violations?.[0];
    for (const text of ["yesterday", "2026-02-30", "1795003200000", "2026-11-18T25:00", "2026-13-01", "-1"])
      expect(await rejection(`${outages}?as_of=${text}`), text).toEqual({
        field: "as_of",
        description: "value must be a day such as 2026-03-01, or an RFC 3339 time such as 2026-03-01T12:00:00Z",
      });
    for (const text of ["2026-11-20", "2027-01-01T00:00:00Z"])
      expect(await rejection(`${outages}?as_of=${text}`), text).toEqual({
        field: "as_of",
        description: "value must not be in the future",
      });
    expect(await rejection("/api/economic/v1/list-global-tenders?as_of=2026-11-18")).toEqual({
      field: "as_of",
      description: "value must be absent: earlier versions of global-tenders are not stored",
    });
    expect(await rejection("/api/military/v1/get-provider-live-flight?icao24=4ca7b4&as_of=2026-11-18")).toMatchObject({
      description: expect.stringMatching(/^value must be absent: .+ is called during the request$/),
    });
    expect(await rejection("/api/account/v1/get-caller?as_of=2026-11-18")).toMatchObject({ field: "as_of" });
    expect(await rejection(`/api/conflict/v1/list-conflict-events?as_of=2026-11-18&format=csv&all=true`)).toEqual({
      field: "all",
      description: "value must be absent with as_of",
    });
    const past = `${outages}?as_of=2026-11-18T12:00:00Z`;
    for (const step of ["before", "after"]) {
      const both = `${past}&updated_after=2026-11-18T11:00:00Z`;
      expect(await rejection(both), `${step} the same past is cached`).toMatchObject({ field: "updated_after" });
      await app.get(past);
    }
    expect(await rejection(`${outages}?updated_after=2026-11-18T11:00:00Z&cite=text`)).toEqual({
      field: "updated_after",
      description: "value must be absent with cite",
    });
  });

  test("of a country is computed once for all times between two refreshes, and counts as five requests then", async () => {
    await refreshAt(inMinutes(30 * 24 * 60));
    app.setTime(inMinutes(30 * 24 * 60 + 9));
    const key = await app.key("pro_monthly");
    const brief = async (country: string, minutes: number) => {
      const at = inMinutes(30 * 24 * 60 + minutes).toISOString();
      const response = await app.get(`/api/country/v1/get-country-brief?country=${country}&as_of=${at}`, { key });
      expect([response.status, response.headers.get("X-As-Of")]).toEqual([200, at]);
      return { left: Number(response.headers.get("X-RateLimit-Remaining")), body: await response.text() };
    };
    const requests = [
      ["UA", 2],
      ["UA", 2],
      ["UA", 3],
      ["SD", 3],
      ["SD", 4],
      ["SD", 1],
    ] as const;
    const responses = [];
    for (const [country, minutes] of requests) responses.push(await brief(country, minutes));
    const [first, , , other] = responses;
    expect(responses.map(({ left }) => (first?.left ?? 0) - left)).toEqual([0, 5, 6, 7, 12, 13]);
    expect(responses.map(({ body }) => body)).toEqual(
      [0, 1, 2].map(() => first?.body).concat([0, 1, 2].map(() => other?.body)),
    );
  });

  test("goes back as far as the caller's plan, without a key as far as the free one", async () => {
    app.setTime(new Date(testTime.getTime() + 60 * dayMs));
    const path = "/api/conflict/v1/list-conflict-events?as_of=2026-11-20";
    const rejected = await app.get(path, { key: null });
    expect(rejected.status).toBe(403);
    expect(await rejected.json()).toMatchObject({ message: "as_of: the plan free goes back 30 days" });
    // Nothing of it was ever loaded: what a plan allows is not refused.
    for (const plan of ["pro_monthly", "enterprise"])
      expect((await app.get(path, { key: await app.key(plan) })).status, plan).toBe(503);
  });

  test("a time before the first version is named whatever the plan allows, since a larger plan has no version either", async () => {
    app.setTime(testTime);
    const before = `${macro}&as_of=2020-01-01`;
    for (const plan of ["pro_monthly", "enterprise"]) {
      const response = await app.get(before, { key: await app.key(plan) });
      expect([response.status, await response.text()], plan).toEqual([
        400,
        expect.stringContaining("no earlier versions of country-macro are stored"),
      ]);
    }
    const series = "/api/history/v1/get-series?series=outages.count&keys=SY&as_of=2020-01-01";
    expect((await app.get(series, { key: await app.key("pro_monthly") })).status).toBe(403);
  });

  test("comes as a file, in a batch, over RPC and of a whole country too", async () => {
    app.setTime(testTime);
    for (const dataset of ["conflict-events", "internet-outages"] as const) await app.refresh(dataset);
    app.setTime(inMinutes(5));
    const then = await (await app.get(`${outages}?format=csv`)).text();
    const listed = await (await app.get(outages)).json();
    const brief = (await app.json("/api/country/v1/get-country-brief?country=UA")) as Record<string, unknown>;
    app.setTime(inMinutes(6 * 24 * 60));
    for (const dataset of ["conflict-events", "internet-outages"] as const) await app.refresh(dataset);
    const at = inMinutes(5).toISOString();

    expect(await (await app.get(`${outages}?format=csv`)).text()).not.toBe(then);
    expect(await (await app.get(`${outages}?format=csv&as_of=${at}`)).text()).toBe(then);
    const batch = await app.get("/api/batch/v1/run-batch", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ requests: [{ path: `${outages}?as_of=${at}` }] }),
    });
    expect(await batch.json()).toMatchObject({ responses: [{ status: 200, body: listed }] });
    const key = await app.key("enterprise");
    for (const transport of [
      createConnectTransport({ baseUrl: app.url, httpVersion: "1.1" }),
      createGrpcTransport({ baseUrl: app.url }),
    ]) {
      const client = createClient(InfrastructureService, transport);
      const answer = await client.listInternetOutages({}, { headers: { "X-Service-Key": key, "X-As-Of": at } });
      expect(answer.outages.map(({ id }) => id)).toEqual(
        (listed as { outages: { id: string }[] }).outages.map(({ id }) => id),
      );
    }
    const past = (await app.json(`/api/country/v1/get-country-brief?country=UA&as_of=${at}`)) as Record<
      string,
      unknown
    >;
    for (const part of ["conflict", "outages"]) expect(past[part], part).toEqual(brief[part]);
    expect(past.tenders).toMatchObject({
      state: {
        availability: "PART_AVAILABILITY_UNAVAILABLE",
        reason: expect.stringContaining("earlier versions of global-tenders are not stored"),
      },
    });
    // Of which nothing is kept says nothing about the country.
    const { conflict } = await app.json<{ conflict: { state: object } }>(
      "/api/country/v1/get-country-brief?country=UA&as_of=1969-01-01",
    );
    expect(conflict.state).toMatchObject({
      availability: "PART_AVAILABILITY_UNAVAILABLE",
      reason: expect.stringContaining("or later"),
    });
  });

  test("is a 503 without Retry-After if the data was too old then, because a repetition would not help", async () => {
    const events = "/api/conflict/v1/list-conflict-events";
    app.setTime(testTime);
    await app.refresh("conflict-events");
    app.setTime(inMinutes(5 * 24 * 60));
    const now = await app.get(events);
    expect([now.status, now.headers.get("Retry-After")]).toEqual([503, "30"]);
    // The end of today is not in the past.
    const today = await app.get(
      `${events}?as_of=${inMinutes(5 * 24 * 60)
        .toISOString()
        .slice(0, 10)}`,
    );
    expect([today.status, today.headers.get("Retry-After")]).toEqual([503, "30"]);
    const at = inMinutes(4 * 24 * 60).toISOString();
    for (const query of [`as_of=${at}`, `as_of=${at}&format=csv`, `as_of=${at}&format=geojson`]) {
      const past = await app.get(`${events}?${query}`);
      expect([query, past.status, past.headers.get("Retry-After")]).toEqual([query, 503, null]);
      expect(await past.text()).toContain("conflict-events is too old to be served: it was last read at");
    }
    const client = createClient(ConflictService, createConnectTransport({ baseUrl: app.url, httpVersion: "1.1" }));
    const error = await client.listConflictEvents({}, { headers: { "X-As-Of": at } }).catch(ConnectError.from);
    if (!(error instanceof ConnectError)) throw new Error("The read must be rejected");
    expect([error.code, error.metadata.get("Retry-After")]).toEqual([Code.Unavailable, null]);
  });

  test("is offered by the contract of each read that has one, and not by others", async () => {
    const { paths } = (await app.json("/openapi.json")) as {
      paths: Record<string, Record<string, { operationId: string; parameters: { $ref?: string }[] }>>;
    };
    const offering = Object.values(paths)
      .flatMap((verbs) => Object.values(verbs))
      .filter(({ parameters }) => parameters.some(({ $ref }) => $ref === "#/components/parameters/as_of"))
      .map(({ operationId }) => operationId)
      .filter((id) => !id.endsWith("Alias"));
    expect(new Set(offering)).toEqual(new Set(catalog.filter(hasPast).map(({ name }) => name)));
    expect(offering.length).toBeGreaterThan(30);
  });
});

test("a program in live mode does not reveal samples that were visible", async () => {
  await using live = await startApp(database, { environment: { IDS_DATA: "live" }, now: inMinutes(60 * 24 * 7) });
  const response = await live.get(`${outages}?as_of=${inMinutes(5).toISOString()}`);
  expect(response.status).toBe(503);
});

test("data that only the current terms of a source permit is not returned as of an earlier time", async () => {
  const environment = { IDS_DATA: "live", IDS_SGE: "on", IDS_SOURCE_VIXCLS: "on" };
  await using live = await startApp(database, { environment });
  for (const [path, source] of [
    ["/api/market/v1/get-physical-premiums", "sge"],
    ["/api/economic/v1/get-economic-stress", "fred-stress"],
  ] as const) {
    const response = await live.get(`${path}?as_of=2026-11-18`);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: `as_of: the terms of ${source} permit only current data` });
  }
});

test("rows of a table that holds two generations are kept once, and not again where they stay", async () => {
  const count = async (where: string) =>
    (
      (await database.query(`select count(*)::int4 as n from military_base_version where ${where}`)).rows as {
        n: number;
      }[]
    )[0]?.n;
  for (const minutes of [0, 10, 20]) {
    app.setTime(inMinutes(minutes));
    await app.refresh("military-bases");
  }
  const { rows } = await database.query(
    "select count(*)::int4 as n from military_base where generation = (select max(generation) from military_base)",
  );
  expect(rows).toEqual([{ n: await count("valid_to = 'infinity'") }]);
  expect(await count("valid_to < 'infinity'")).toBe(0);
});
