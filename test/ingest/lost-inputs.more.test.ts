import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { type DatasetName, datasets } from "../../src/domains/index.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import { dayMs, hourMs } from "../../src/reference/duration.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { alertCalls, evaluate } from "../support/domains/alerts.ts";
import { openLoaded, relabelAsLive } from "../support/loaded.ts";

interface Change {
  readonly dataset: string;
  readonly kind: string;
  readonly rows: string;
  readonly subject: string;
  readonly before?: { readonly combinedScore?: number };
  readonly after?: { readonly missingInputs?: string[]; readonly returnedInputs?: string[]; readonly rows?: number };
}

const computed = ["risk-scores", "resilience-scores", "supply-vulnerability"] as const;
/** Whole weeks, so that the samples that come back have the same content. */
const returnsAt = 42 * dayMs;

describe("a live store whose sources are lost and return", { timeout: 60_000 }, () => {
  let database: Database;
  let app: TestApp;
  let position = 0;
  let earlier = 0;
  let known: ReadonlyMap<string, number> = new Map();
  let rules: ReturnType<typeof alertCalls>;
  let now = testTime;
  beforeAll(async () => {
    database = await openLoaded();
    await relabelAsLive(database);
    const outside = {
      transport: () => Promise.reject(new TypeError("nothing is reachable")),
      wait: async () => undefined,
    };
    app = await startApp(database, { environment: { IDS_DATA: "live" }, outside });
    at(hourMs);
    // Scores that are computed now have an earlier state to be compared with.
    await refresh(computed);
    rules = alertCalls(app, await app.key("enterprise"));
    const endpointIds = [await rules.feed()];
    await rules.rule({ changes: { datasets: computed } }, { endpointIds });
    for (const [series, threshold] of Object.entries({ "risk.score": 60, "resilience.score": 58 }))
      for (const direction of ["above", "below"])
        await rules.rule({ series: { series, threshold, direction, hysteresis: 0 } }, { endpointIds });
    known = await scores();
    // The first point of the next day is where rules on series start.
    at(13 * hourMs);
    await refresh(computed);
    await evaluate(database, { clock: () => now });
    position = (await newChanges()).nextPosition;
    earlier = (await rules.deliveries()).length;
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  });

  function at(milliseconds: number): void {
    now = new Date(testTime.getTime() + milliseconds);
    app.setTime(now);
  }
  async function refresh(names: readonly DatasetName[]): Promise<void> {
    for (const name of names) await app.refresh(name).catch(() => undefined);
  }
  async function returnSources(returned: readonly (typeof datasets)[number][] = datasets): Promise<void> {
    const config = readConfig({ IDS_DATA: "sample", IDS_DATA_DIR: "/nowhere" });
    const samples = createUpstreams(
      config,
      () => now,
      () => 0.5,
    );
    const upstreams = { ...samples, origin: "live" as const, earlierDays: () => [] };
    for (const dataset of returned) await dataset.refresh({ database: database.kysely, upstreams });
    await app.settled();
  }
  async function newChanges() {
    const all: Change[] = [];
    let next = position;
    for (;;) {
      const { changes, nextPosition } = await app.json<{ changes: Change[]; nextPosition: number }>(
        `/api/changes/v1/list-changes?after=${next}&limit=1000`,
      );
      all.push(...changes);
      next = nextPosition;
      if (changes.length === 0) return { changes: all, nextPosition: next };
    }
  }
  const scores = async () =>
    new Map(
      (
        await app.json<{ ciiScores: { region: string; combinedScore: number }[] }>(
          "/api/intelligence/v1/get-risk-scores",
        )
      ).ciiScores.map(({ region, combinedScore }) => [region, combinedScore]),
    );
  const deliveries = async () => (await rules.deliveries()).slice(earlier).map(({ type, body }) => [type, body]);

  test.each([
    ["26 hours", 26 * hourMs, { "risk-scores": ["acled", "firms", "ucdp"] }],
    ["40 days", 40 * dayMs, { "risk-scores": ["unhcr"], "supply-vulnerability": ["buffer", "transit_status"] }],
  ] as const)("logs the lost inputs of datasets and no change of a row after %s", async (_, age, expected) => {
    at(age);
    await refresh(datasets.map(({ name }) => name));
    at(age + 60_000);
    await refresh(computed);
    const { changes, nextPosition } = await newChanges();
    position = nextPosition;
    expect(changes.filter(({ subject }) => subject !== "")).toEqual([]);
    for (const [dataset, inputs] of Object.entries(expected)) {
      const degraded = changes.filter((change) => change.dataset === dataset && change.kind === "degraded");
      expect(degraded.flatMap(({ after }) => after?.missingInputs)).toEqual(expect.arrayContaining([...inputs]));
    }
    await evaluate(database, { clock: () => now });
    expect(await deliveries()).toEqual([]);
  });

  test("compares returned rows with their last state from the same inputs, and fires no rule for the gap", async () => {
    const lost = await scores();
    at(returnsAt);
    await returnSources();
    const first = await scores();
    at(returnsAt + 600_000);
    await returnSources(datasets.filter(({ name }) => computed.some((other) => other === name)));
    const { changes } = await newChanges();
    const ofScores = changes.filter(({ dataset, rows }) => dataset === "risk-scores" && rows === "ciiScores");
    const returned = await scores();
    expect([...returned].filter(([region, score]) => lost.get(region) !== score).length).toBeGreaterThan(10);
    for (const { subject, before } of ofScores)
      expect([undefined, known.get(subject), first.get(subject)]).toContain(before?.combinedScore);
    const recovered = changes.filter(
      ({ dataset, kind, subject }) => dataset === "risk-scores" && kind === "recovered" && subject === "",
    );
    expect(recovered.flatMap(({ after }) => after?.returnedInputs)).toEqual(
      expect.arrayContaining(["acled", "firms", "ucdp"]),
    );
    await evaluate(database, { clock: () => now });
    // Rows that really changed are reported. A series starts again: its value from before the gap has another basis.
    const crossings = (await deliveries()).flatMap(([, body]) => JSON.parse(body ?? "").data.crossings ?? []);
    expect(crossings.filter(({ previousValue }: { previousValue?: number }) => previousValue !== undefined)).toEqual(
      [],
    );
  });
});
