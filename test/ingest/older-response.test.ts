import { describe, expect, test } from "vitest";
import { EuGasStorageDaySchema } from "../../gen/es/ids/economic/v1/economic_pb.ts";
import { agsi } from "../../src/domains/economic/gas-storage/eu-gas-storage.ts";
import { olderResponse } from "../../src/ingest/drift/drift.ts";
import { fetchSource } from "../../src/ingest/refresh/fetch.ts";
import { sampleUpstream } from "../../src/upstream/sample/sample.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { inventedDataset, inventedSource } from "./invented-dataset.ts";
import { refreshBed, start } from "./refresh-bed.ts";

const dayMs = 86_400_000;
const ago = (days: number) => start.getTime() - days * dayMs;
const daily = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => ago(from - index));

describe("an answer whose newest row is older than that of the last good one", () => {
  test.each([
    ["as new", daily(40, 1), undefined],
    ["a period behind", daily(40, 2), undefined],
    ["two periods behind", daily(40, 3), "reported"],
    ["five periods behind", daily(40, 6), "reported"],
    ["fifteen periods behind", daily(40, 16), "refused"],
    ["of months, four weeks behind", [180, 150, 120, 90, 60, 29].map(ago), undefined],
    ["of months, two behind", [212, 182, 152, 122, 91, 61].map(ago), "reported"],
    ["of events without a period, long behind", [90, 89, 70, 64, 30].map(ago), "reported"],
    ["of one moment, long behind", [ago(90)], "reported"],
    ["without rows", [], undefined],
  ])("%s", (_, times, expected) => {
    const older = olderResponse(times, new Date(ago(1)), start);
    expect(older && (older.rejection === undefined ? "reported" : "refused")).toBe(expected);
  });

  test("is not compared with rows that are dated ahead", () => {
    expect(olderResponse(daily(40, 0), new Date(ago(-300)), start)).toBeUndefined();
  });
});

describeEachDatabase("a refresh with older rows", (openFresh) => {
  const bed = refreshBed(openFresh);
  const rows = (times: readonly number[]) =>
    times.map((at) => ({ id: `row-${at}`, country: "CH", detectedAt: BigInt(at) }));

  test("is reported in health, and rejected if it is far older, until the operator accepts it", async () => {
    const source = inventedSource("days");
    const dataset = inventedDataset([source]);
    source.answer = rows(daily(40, 0));
    await bed.run(dataset);
    source.answer = rows(daily(40, 3));
    const [reported] = (await bed.run(dataset)).sources;
    expect(reported).toMatchObject({ state: "ok", detail: expect.stringContaining("2026-11-15, before 2026-11-18") });
    expect((await bed.stateOf(dataset))?.sources[0]?.drift).toEqual([
      expect.objectContaining({ kind: "older rows", words: "2026-11-15, before 2026-11-18" }),
    ]);
    source.answer = rows(daily(40, 15));
    const [rejected] = (await bed.run(dataset)).sources;
    expect(rejected).toMatchObject({
      state: "refused",
      detail: "its newest row is of 2026-11-03, that of before of 2026-11-15",
    });
    expect(await bed.visible()).toHaveLength(38);
    const [taken] = (await bed.run(dataset, { acceptShrunk: true })).sources;
    expect(taken?.state).toBe("ok");
  });
});

describe("rows of a moment to come", () => {
  const requested = async (days: readonly string[]) => {
    const data = days.map((gasDayStart) => ({ gasDayStart, full: "80", gasInStorage: "900", status: "E" }));
    const upstream = { ...sampleUpstream("agsi", () => start), json: async () => ({ last_page: 1, data }) };
    return fetchSource(EuGasStorageDaySchema, agsi, { ...upstream, now: start });
  };

  test("are left out with their reason: of a daily source from the third day on", async () => {
    const { rows, rejected } = await requested(["2026-11-17", "2026-11-20", "2026-11-21", "2027-03-01"]);
    expect(rows.map(({ date }) => date)).toEqual(["2026-11-17", "2026-11-20"]);
    expect(rejected.map(({ reason }) => reason)).toEqual(Array(2).fill("a moment more than 2 days ahead"));
  });

  test("of figures of years, those of a year that has not begun", async () => {
    const { name } = agsi;
    const years = ["2026-12-31", "2027-01-01"].map((date) => ({ date, fillPct: 80, gasTwh: 900 }));
    const annual = {
      ...agsi,
      reportsYears: true as const,
      fetch: async () => "",
      parse: () => ({ rows: years, rejected: [] }),
    };
    const { rows, rejected } = await fetchSource(
      EuGasStorageDaySchema,
      annual,
      sampleUpstream(name, () => start),
    );
    expect(rows.map(({ date }) => date)).toEqual(["2026-12-31"]);
    expect(rejected.map(({ reason }) => reason)).toEqual(["of a year that has not begun"]);
  });
});
