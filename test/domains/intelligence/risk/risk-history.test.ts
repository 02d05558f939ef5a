import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  explainNothing,
  type Kind,
  readEarlier,
  retainScores,
} from "../../../../src/domains/intelligence/risk/risk-explanation.ts";
import type { Database } from "../../../../src/store/database.ts";
import { describeEachDatabase } from "../../../support/databases.ts";

const now = new Date("2026-11-18T12:04:59.999Z");
const bucket = Date.parse("2026-11-18T12:00:00Z");
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const live: Kind = { origin: "live", missing: [] };

describeEachDatabase("Risk history", (openFresh) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh();
  });
  beforeEach(() => database.query("truncate risk_history"));

  const retain = (score: number, minutesAgo: number, kind = live) =>
    database.kysely.transaction().execute((transaction) => {
      const at = new Date(now.getTime() - minutesAgo * minuteMs);
      const scores = explainNothing(at).map((explanation) => ({ ...explanation, combinedScore: score }));
      return retainScores(transaction, scores, kind, at);
    });
  const earlier = async (kind = live) => {
    const found = await database.kysely.transaction().execute((transaction) => readEarlier(transaction, kind, now));
    expect([0, 31]).toContain(found.size);
    return found.get("UA");
  };
  const buckets = async () => {
    const { rows } = await database.query("select distinct bucket from risk_history order by bucket");
    return (rows as { bucket: Date }[]).map((row) => (row.bucket.getTime() - bucket) / minuteMs);
  };
  const day = 24 * 60;

  test("nothing is found where nothing was kept", async () => {
    expect(await earlier()).toBeUndefined();
  });

  test("the snapshot of the same ten minutes a day ago is found, not a nearer one", async () => {
    await retain(10, day + 10);
    await retain(40, day);
    await retain(70, day - 10);
    expect(await earlier()).toEqual({ at: BigInt(bucket - dayMs), combinedScore: 40 });
  });

  test("of two as near the newer one is", async () => {
    await retain(10, day + 20);
    await retain(70, day - 20);
    expect((await earlier())?.combinedScore).toBe(70);
  });

  test.each([
    [30, 1],
    [-30, 1],
    [40, 0],
    [-40, 0],
  ])("one that is %i minutes off is found %i times", async (minutes, times) => {
    await retain(10, day + minutes);
    expect((await earlier()) ? 1 : 0).toBe(times);
  });

  test("scores of the same ten minutes take each other's place", async () => {
    await retain(10, day + 4);
    await retain(20, day);
    expect((await earlier())?.combinedScore).toBe(20);
    expect(await buckets()).toEqual([-day]);
  });

  test("a snapshot from other sources is invalid", async () => {
    await retain(10, day, { origin: "live", missing: ["firms"] });
    await retain(20, day + 20);
    expect((await earlier())?.combinedScore).toBe(20);
    expect((await earlier({ origin: "live", missing: ["firms"] }))?.combinedScore).toBe(10);
    expect(await earlier({ origin: "live", missing: ["firms", "ofac-sdn"] })).toBeUndefined();
  });

  test("three days are kept, and no gap of live scores is filled", async () => {
    for (const days of [4, 3, 2, 1]) await retain(10, days * day);
    await retain(10, 0);
    expect(await buckets()).toEqual([-2 * day, -day, 0]);
  });

  test("samples take the place of live scores, and hold until their next day", async () => {
    const sample: Kind = { origin: "sample", missing: [] };
    await retain(10, 30);
    await retain(30, day, sample);
    await retain(50, 0, sample);
    const stored = await buckets();
    expect(stored).toHaveLength(145);
    expect([stored[0], stored.at(-2), stored.at(-1)]).toEqual([-day, -10, 0]);
    const { rows } = await database.query(
      "select score, count(*) as buckets from risk_history where country = 'UA' group by 1 order by 1",
    );
    expect(rows).toEqual([
      { score: 30, buckets: "144" },
      { score: 50, buckets: "1" },
    ]);
    await retain(70, -2 * day, sample);
    // Over more than a day nothing is known to have held.
    expect((await buckets()).filter((minutes) => minutes > 0)).toEqual([2 * day]);
  });
});
