import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { GetEconomicStressResponseSchema } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { economicStressAt, economicStressOf } from "../../../../src/domains/economic/us-series/economic-stress.ts";

const readAt = new Date("2026-07-13T12:00:00Z");
const row = (seriesId: string, date: string, value: string) => create(ObservationSchema, { seriesId, date, value });
const vector = [
  row("T10Y2Y", "2026-07-10", "0.10"),
  row("T10Y3M", "2026-07-10", "-0.25"),
  row("VIXCLS", "2026-07-10", "22"),
  row("STLFSI4", "2026-07-03", "0.2"),
  row("GSCPI", "2026-06-30", "0.4"),
  row("ICSA", "2026-07-04", "230000"),
];

test("the latest observation of each series counts, in whatever order they come", () => {
  const older = vector.map(({ seriesId }) => row(seriesId, "2026-06-01", "99"));
  for (const rows of [
    [...vector, ...older],
    [...older, ...vector],
  ])
    expect(economicStressOf(rows, readAt)).toMatchObject({
      compositeScore: 25.2,
      label: "Moderate",
      seededAt: "2026-07-13T12:00:00.000Z",
    });
});

test("without FRED there is no index, whatever else is there", () => {
  expect(economicStressOf([row("GSCPI", "2026-06-30", "0.4")], undefined)).toEqual({ unavailable: true });
});

test("the values stay when FRED is silent, and are unavailable after 6 hours", () => {
  const stored = create(GetEconomicStressResponseSchema, economicStressOf(vector, readAt));
  const after = (ms: number) => economicStressAt(stored, new Date(readAt.getTime() + ms));
  expect(after(6 * 3_600_000)).toMatchObject({ unavailable: false, compositeScore: 25.2 });
  expect(after(6 * 3_600_000 + 1)).toMatchObject({
    unavailable: true,
    compositeScore: 25.2,
    components: { length: 6 },
  });
});

test("before the first refresh, and with nothing stored but that, it is unavailable", () => {
  const nothing = create(GetEconomicStressResponseSchema, { unavailable: true });
  expect(economicStressAt(undefined, readAt)).toEqual({ unavailable: true });
  expect(economicStressAt(nothing, readAt)).toEqual({ unavailable: true });
});
