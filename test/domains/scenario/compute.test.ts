import { expect, test } from "vitest";
import { computeScenario } from "../../../src/domains/scenario/compute.ts";
import type { ScenarioJobRow } from "../../../src/domains/scenario/job-table.ts";
import { testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { storeExposures } from "../../support/domains/exposure-table.ts";

describeEachDatabase("the computation of a scenario", (openFresh) => {
  /** Computes with a clock that shows these milliseconds, one a look. */
  async function compute(database: Awaited<ReturnType<typeof openFresh>>, shown: readonly number[], iso2 = "") {
    const looks = shown.values();
    const elapsed = () => looks.next().value ?? Number.NaN;
    const job = { scenario_id: "hormuz-tanker-blockade", iso2, disruption_pct: 100 } as ScenarioJobRow;
    const parts = {
      database: database.kysely,
      clock: () => testTime,
      elapsed,
      limitMs: 45_000,
      data: "sample" as const,
    };
    return computeScenario(job, new AbortController().signal, parts);
  }
  const codes = Array.from(
    { length: 45 },
    (_, n) => `${"ABC"[Math.floor(n / 20)]}${String.fromCharCode(65 + (n % 20))}`,
  );

  test("that takes longer than its limit ends with the countries it reached, and says so", async () => {
    const database = await openFresh();
    await storeExposures(
      database,
      codes.flatMap((iso2) =>
        ["27", "29"].map((hs2) => [iso2, hs2, "flow_weighted", { hormuz_strait: 10 }, 5] as const),
      ),
    );
    const whole = await compute(database, [0, 0, 44_999, 44_999]);
    expect(whole.coverage).toMatchObject({
      ...{ status: "complete", timeLimitReached: false, countries: 45, requestedRecords: 90, evaluatedRecords: 90 },
      ...{ flowWeightedRecords: 90, exposuresComputedAt: testTime.toISOString(), hs2Codes: ["27", "29"] },
    });
    const cut = await compute(database, [0, 0, 44_999, 45_000]);
    expect(cut.coverage).toMatchObject({
      ...{ status: "partial", timeLimitReached: true, countries: 45, requestedRecords: 90, evaluatedRecords: 80 },
    });
    expect(cut.topImpactCountries).toHaveLength(20);
    const none = await compute(database, [0, 45_000]);
    expect(none.topImpactCountries).toEqual([]);
    expect(none.coverage).toMatchObject({ status: "partial", evaluatedRecords: 0, exposuresComputedAt: "" });
  });

  test("says that an empty list has no meaning without any exposure on record", async () => {
    const database = await openFresh();
    for (const [iso2, countries, requestedRecords] of [
      ["", 0, 0],
      ["JP", 1, 2],
    ] as const) {
      const { coverage, topImpactCountries } = await compute(database, [0, 0], iso2);
      expect(topImpactCountries).toEqual([]);
      expect(coverage).toMatchObject({ status: "unknown", countries, requestedRecords, evaluatedRecords: 0 });
    }
  });

  test("leaves out a record that cannot be read, and says how many of a country's there were", async () => {
    const database = await openFresh();
    await storeExposures(database, [
      ["JP", "27", "flow_weighted", { hormuz_strait: 40 }, 20],
      ["JP", "29", "flow_weighted", { hormuz_strait: "much" }, 20],
    ]);
    const { coverage, topImpactCountries } = await compute(database, [0, 0]);
    expect(topImpactCountries).toEqual([
      {
        ...{ iso2: "JP", transitExposure: 40, totalImpact: 84, impactPct: 100 },
        ...{ evaluatedRecords: 1, requestedRecords: 2, partialEvidence: true },
      },
    ]);
    expect(coverage).toMatchObject({ status: "partial", requestedRecords: 2, evaluatedRecords: 1 });
  });

  test("reports the state of the chokepoints, except unknown ones", async () => {
    const database = await openFresh();
    const insert = (id: string, score: number, unavailable: boolean) =>
      database.query(
        "insert into chokepoint_status values ($1, $2, 'red', 'high', 0, false, null, null, $3, null, 1, $4)",
        [id, score, unavailable, testTime],
      );
    const reported = async () => (await compute(database, [0, 0])).currentDisruptionScores;
    expect(await reported()).toEqual([{ chokepointId: "hormuz_strait" }]);
    await insert("hormuz_strait", 62, false);
    await insert("suez", 30, false);
    expect(await reported()).toEqual([{ chokepointId: "hormuz_strait", score: 62 }]);
    await database.query("update chokepoint_status set upstream_unavailable = true");
    expect(await reported()).toEqual([{ chokepointId: "hormuz_strait" }]);
  });
});
