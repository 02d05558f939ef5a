import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { type DatasetName, datasets } from "../../../src/domains/index.ts";
import { createUpstreams } from "../../../src/ingest/upstreams.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { responding } from "../../support/responding.ts";

const outages: DatasetName = "internet-outages";
const path = "/api/infrastructure/v1/list-internet-outages";

/** An annotation in the form that the source has today. */
function annotation(index: number): Record<string, unknown> {
  return {
    id: String(index),
    asnsDetails: [],
    description: "Invented",
    endDate: null,
    eventType: index % 2 === 0 ? "OUTAGE" : "RESTORATION",
    linkedUrl: `https://example.org/${index}`,
    locations: ["SY"],
    locationsDetails: [{ code: "SY", name: "Syria" }],
    outage: { outageCause: "POWER_OUTAGE", outageType: "NATIONWIDE" },
    startDate: "2026-11-10T20:30:00Z",
  };
}

describeEachDatabase("The form of a source's answers", (openFresh) => {
  let app: TestApp;
  let change: (row: Record<string, unknown>, index: number) => void = () => undefined;
  let count = 60;
  let minutes = 0;
  const outside = responding(() => ({
    success: true,
    errors: [],
    result: {
      annotations: Array.from({ length: count }, (_, index) => {
        const row = annotation(index);
        change(row, index);
        return row;
      }),
    },
  }));
  const environment = { IDS_DATA: "live", CLOUDFLARE_API_TOKEN: "secret-token" };

  let database: Database;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { environment, outside });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(() => {
    change = () => undefined;
    count = 60;
  });

  const refresh = async () => {
    minutes += 10;
    app.setTime(new Date(testTime.getTime() + minutes * 60_000));
    return (await app.refresh(outages)).sources[0];
  };
  const shown = async () => (await app.json<{ outages: { id: string }[] }>(path)).outages.length;
  const drift = async () => {
    minutes += 1;
    app.setTime(new Date(testTime.getTime() + minutes * 60_000));
    return (await app.condition(outages)).sources[0];
  };

  test("that is the same again is nothing to speak of", async () => {
    expect(await refresh()).toMatchObject({ state: "ok", drift: [] });
    expect(await refresh()).toMatchObject({ state: "ok", drift: [] });
    expect(await drift()).toMatchObject({ drifts: 0, recentDrifts: [] });
  });

  test("with a field and a code more is noted once, in the outcome, the catalog and the metrics, and the rows are served", async () => {
    change = (row, index) => {
      row.severity = { level: 3 };
      if (index % 3 === 0) row.eventType = "DEGRADATION";
    };
    const found = [
      { kind: "new value", field: "result.annotations[].eventType", detail: "DEGRADATION" },
      { kind: "new field", field: "result.annotations[].severity", detail: "object" },
    ];
    expect(await refresh()).toMatchObject({ state: "ok", drift: found });
    expect(await refresh()).toMatchObject({ state: "ok", drift: [] });
    expect(await shown()).toBe(60);
    const reported = await drift();
    expect(reported).toMatchObject({ state: "ok", drifts: 2 });
    expect(reported?.recentDrifts).toEqual(
      found.map(({ kind, field }) => ({ kind, field, at: testTime.getTime() + (minutes - 11) * 60_000 })),
    );
    const metrics = await (await app.get("/metrics")).text();
    expect(metrics).toContain(`ids_source_drift_total{dataset="${outages}",source="cloudflare-radar"} 2`);
  });

  test("without a field that the program reads is refused, says which, and the last good rows stay", async () => {
    await refresh();
    change = (row) => delete row.outage;
    count = 80;
    const rejected = await refresh();
    expect(rejected).toMatchObject({
      state: "refused",
      detail: expect.stringContaining("vanished field result.annotations[].outage"),
    });
    expect(await shown()).toBe(60);
    expect(await drift()).toMatchObject({
      state: "refused",
      failure: "The format of the source's response has changed",
    });
    expect(await refresh()).toMatchObject({ state: "refused", drift: [] });
  });

  test("without such a field is taken where the operator accepts it, as far as it can be read", async () => {
    change = (row) => {
      row.description = undefined;
    };
    expect(await refresh()).toMatchObject({ state: "refused" });
    const clock = () => new Date(testTime.getTime() + minutes * 60_000);
    const upstreams = createUpstreams(readConfig(environment), clock, () => 0.5, outside);
    const dataset = datasets.find(({ name }) => name === outages);
    const outcome = await dataset?.refresh({ database: database.kysely, upstreams, acceptChanged: true });
    expect(outcome?.sources).toMatchObject([{ state: "ok" }]);
    expect(await refresh()).toMatchObject({ state: "ok", drift: [] });
  });

  test("without a field that the program does not read goes through and is noted", async () => {
    change = (row) => {
      row.unread = "x";
    };
    await refresh();
    change = () => undefined;
    expect(await refresh()).toMatchObject({
      state: "ok",
      drift: [{ kind: "vanished field", field: "result.annotations[].unread" }],
    });
  });

  test("with rows of which none is good is refused, and is not taken for one without rows", async () => {
    await refresh();
    change = (row) => {
      row.locations = ["ZZ"];
    };
    expect(await refresh()).toMatchObject({
      state: "refused",
      detail: expect.stringMatching(/^all of its 60 rows were rejected: /),
    });
    expect(await shown()).toBe(60);
    count = 0;
    expect(await refresh()).toMatchObject({ state: "ok" });
  });

  test("that cannot be read at all says what differs from the last one that could", async () => {
    await refresh();
    change = (row) => {
      row.result = "moved";
    };
    const broken = responding(() => ({ success: true, errors: [], result: { items: [] } }));
    await using other = await startApp(await openFresh(), { environment, outside: broken });
    expect((await other.refresh(outages)).sources[0]).toMatchObject({ state: "failed", drift: [] });
  });
});
