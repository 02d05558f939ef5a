import { isDeepStrictEqual } from "node:util";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, onTestFinished, test } from "vitest";
import { InfrastructureService } from "../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { maskOf } from "../../src/config/masking.ts";
import { catalog, type Operation } from "../../src/contract/catalog.ts";
import type { Place } from "../../src/contract/columns.ts";
import type { JsonObject as Answer } from "../../src/contract/request/body.ts";
import type { Table } from "../../src/contract/tables.ts";
import { selectsUpdates } from "../../src/contract/updated-after.ts";
import { datasets } from "../../src/domains/index.ts";
import { isReadTime, subjectOf } from "../../src/ingest/changes/followed-tables.ts";
import type { Dataset } from "../../src/ingest/dataset.ts";
import { refresh } from "../../src/ingest/refresh/refresh.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import { exampleAddress, exampleRequest } from "../../src/pages/reference/example-request.ts";
import { minuteMs } from "../../src/reference/duration.ts";
import { followedRead, hasUpdates } from "../../src/runtime/updates/followed-reads.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase, describeOnce } from "../support/databases.ts";
import { openLoaded } from "../support/loaded.ts";
import { neededQuery, needsOwn } from "../support/needed-query.ts";
import { isThorough } from "../support/thoroughness.ts";
import { changesOf, type ListedChange } from "./listed-changes.ts";

type Rows = Map<string, unknown>;

const reads = catalog.filter(hasUpdates);

/** As the documentation asks, but for what would leave rows out of the list that are as they were. */
const wholeLists: Readonly<Record<string, string>> = {
  ListMilitaryBases: "sw_lat=-90&sw_lon=-180&ne_lat=90&ne_lon=180&zoom=18",
  ListTechEvents: "limit=200&days=365",
  GetLaborStatsSeries: "series_id=USPRIV&limit=500",
  GetEuHousingCycle: "",
  GetEuQuarterlyGovDebt: "",
  GetEuIndustrialProduction: "",
};

function addressOf(operation: Operation): string {
  const query = wholeLists[operation.name];
  if (query !== undefined) return `${operation.path}?${query}`;
  return exampleAddress(operation, exampleRequest(operation));
}

/** The columns of a row that count as a change: no time of reading, and no list. */
function comparedOf({ columns }: Table, place: Place): unknown {
  const compared = columns.filter((column) => !isReadTime(column) && column.type !== "json");
  return Object.fromEntries(compared.map(({ name, read }) => [name, read(place)]));
}

/** Every list of a response that is followed, each row by its key. */
function listsOf({ method }: Operation, response: Answer): Map<string, Rows> {
  const read = followedRead(method);
  if (!("lists" in read)) throw new Error(`${method.name} has no rows that are followed`);
  return new Map(
    read.lists.map(({ table, key }) => [
      table.name,
      new Map(table.rowsIn(response, {}).map((place) => [subjectOf({ key }, place), comparedOf(table, place)])),
    ]),
  );
}

/** A copy of a read that asks for what is new since it asked last. */
function copyOf(app: TestApp, operation: Operation) {
  const address = addressOf(operation);
  const held = new Map<string, Rows>();
  let since = "";
  return {
    address,
    held,
    async poll(vanished: readonly ListedChange[]) {
      const response = await app.get(
        since === "" ? address : `${address}${address.includes("?") ? "&" : "?"}updated_after=${since}`,
      );
      const answer = (await response.json()) as Answer;
      expect(response.status, `${address}: ${JSON.stringify(answer)}`).toBe(200);
      since = response.headers.get("X-Updated-At") ?? "";
      expect(since, address).not.toBe("");
      const reported = listsOf(operation, answer);
      for (const { rows, subject } of vanished) held.get(rows)?.delete(subject);
      for (const [name, rows] of reported) held.set(name, new Map([...(held.get(name) ?? []), ...rows]));
      return [...reported.values()].reduce((sum, rows) => sum + rows.size, 0);
    },
  };
}

/** Some are left out, and of others a figure is another. */
function otherRows<Row>(rows: readonly Row[], step: number): readonly Row[] {
  return rows.flatMap((row, index) => {
    if (index % 19 === step) return [];
    return index % 2 === step % 2 ? [moved(row) as Row] : [row];
  });
}

/** With the first value that isn't a count made a little smaller. */
function moved(value: unknown): unknown {
  let isMoved = false;
  const copy = (each: unknown): unknown => {
    if (!isMoved && typeof each === "number" && !Number.isInteger(each)) {
      isMoved = true;
      return each * 0.97;
    }
    if (Array.isArray(each)) return each.map(copy);
    if (typeof each !== "object" || each === null || each instanceof Date) return each;
    return Object.assign(
      Object.create(Object.getPrototypeOf(each)),
      Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, copy(inner)])),
    );
  };
  return copy(value);
}

describeOnce("rows that were updated since an earlier answer, of every read", () => {
  test("make with those that vanished the list, whatever refreshes bring", async () => {
    const database = await openLoaded();
    onTestFinished(database.close);
    await using app = await startApp(database);
    let now = testTime;
    const upstreams = createUpstreams(
      { data: "sample", variable: () => undefined, mask: maskOf({}) },
      () => now,
      () => 0.5,
    );
    /** Each step leaves out other rows of each source. */
    const refreshAll = async (step: number) => {
      for (const scheduled of datasets) {
        const dataset = scheduled as unknown as Dataset;
        const sources = dataset.sources.map((source) => ({
          ...source,
          parse: (...given: Parameters<typeof source.parse>) => {
            const parsed = source.parse(...given);
            return { ...parsed, rows: otherRows(parsed.rows, step) };
          },
        }));
        await refresh({ ...dataset, sources } as Dataset, {
          database: database.kysely,
          upstreams,
          acceptShrunk: true,
        }).catch((error: unknown) => console.log(dataset.name, String(error)));
      }
      await app.settled();
    };
    const copies = reads.map((operation) => ({ operation, copy: copyOf(app, operation) }));
    for (const { copy } of copies) await copy.poll([]);
    let position = (await changesOf(app, "after=0")).nextPosition;
    const updated = new Map<string, number>();
    // The second step brings back what the first one left out.
    for (const step of isThorough ? [1, 2] : [1]) {
      now = new Date(testTime.getTime() + step * 61 * minuteMs);
      app.setTime(now);
      await refreshAll(step);
      const vanished: ListedChange[] = [];
      for (;;) {
        const { changes, nextPosition, more } = await changesOf(app, `after=${position}&kinds=vanished`);
        vanished.push(...changes);
        position = nextPosition;
        if (!more) break;
      }
      for (const { operation, copy } of copies) {
        const whole = listsOf(operation, (await app.json(copy.address)) as Answer);
        const reported = await copy.poll(ofDatasets(operation, vanished));
        updated.set(operation.name, (updated.get(operation.name) ?? 0) + reported);
        for (const [name, rows] of whole) {
          const held = copy.held.get(name) ?? new Map();
          const [extra, lacking] = [
            [...held.keys()].filter((key) => !rows.has(key)),
            [...rows.keys()].filter((key) => !held.has(key)),
          ];
          expect
            .soft({ extra, lacking }, `${operation.name} ${name} in step ${step}`)
            .toEqual({ extra: [], lacking: [] });
          for (const [subject, row] of rows)
            if (!isDeepStrictEqual(held.get(subject), row))
              expect.soft(held.get(subject), `${operation.name} ${name} ${subject} in step ${step}`).toEqual(row);
        }
        expect(await copy.poll([]), operation.name).toBe(0);
      }
    }
    const changed = new Set([...updated].flatMap(([name, count]) => (count > 0 ? [name] : [])));
    expect(changed.size).toBeGreaterThan(isThorough ? 12 : 8);
  }, 240_000);
});

describeEachDatabase("rows that were updated since an earlier answer", (openFresh) => {
  test("are rejected with the reason if no changes are logged, and otherwise returned in every format and protocol", async () => {
    await using app = await startApp(await openFresh());
    for (const name of ["internet-outages", "country-macro"] as const) await app.refresh(name);
    const requested = catalog.filter(
      (operation) =>
        operation.verb === "GET" &&
        operation.read &&
        !hasUpdates(operation) &&
        !selectsUpdates(operation) &&
        !needsOwn(operation),
    );
    expect(requested.length).toBeGreaterThan(20);
    for (const operation of requested) {
      const query = neededQuery(operation);
      const response = await app.get(`${query}${query.includes("?") ? "&" : "?"}updated_after=2026-11-18`);
      const body: unknown = await response.json();
      expect(body, query).toMatchObject({
        violations: [{ field: "updated_after", description: expect.stringMatching(/^value must be absent: ./) }],
      });
    }

    const outages = "/api/infrastructure/v1/list-internet-outages";
    const first = await app.get(outages);
    const { outages: all } = (await first.json()) as { outages: { id: string }[] };
    const since = first.headers.get("X-Updated-At");
    expect(since).toBe(testTime.toISOString());
    const before = "2026-11-18T11:59:59Z";
    expect(await app.json(`${outages}?updated_after=${before}`)).toMatchObject({ outages: all });
    for (const query of [`updated_after=${since}`, "updated_after=2030-01-01", "updatedAfter=2030-01-01"])
      expect(await app.json(`${outages}?${query}`)).toMatchObject({
        outages: [],
        pagination: { totalCount: all.length },
      });
    expect(
      (await (await app.get(`${outages}?updated_after=${since}&format=csv`)).text()).trim().split("\r\n"),
    ).toHaveLength(1);
    expect(await app.json(`${outages}?updated_after=${since}&jmespath=length(outages)`)).toBe(0);
    for (const query of ["updated_after=2026-11-01", "updated_after=abc", `updated_after=${before}&as_of=2026-11-18`])
      expect(await app.rejected(`${outages}?${query}`), query).toEqual(["updated_after"]);

    const key = await app.key("enterprise");
    const client = createClient(InfrastructureService, createGrpcTransport({ baseUrl: app.url }));
    const responded = async (after: string) => {
      const headers = { "X-Service-Key": key, "X-Updated-After": after };
      return (await client.listInternetOutages({}, { headers })).outages.map(({ id }) => id);
    };
    expect(await responded(before)).toEqual(all.map(({ id }) => id));
    expect(await responded(since ?? "")).toEqual([]);
    const geo = client.getIpGeo({}, { headers: { "X-Service-Key": key, "X-Updated-After": before } });
    await expect(geo).rejects.toThrow("updated_after");
  });
});

function ofDatasets({ method }: Operation, changes: readonly ListedChange[]): readonly ListedChange[] {
  const serving = datasets
    .filter(({ serves }) => serves.some((each) => each === method))
    .map(({ name }) => name as string);
  return changes.filter(({ dataset }) => serving.includes(dataset));
}
