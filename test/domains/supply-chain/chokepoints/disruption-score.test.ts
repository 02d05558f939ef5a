import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  type Day,
  disruptionOf,
  type Inputs,
} from "../../../../src/domains/supply-chain/chokepoints/disruption-score.ts";
import { chokepoints, type ThreatLevel } from "../../../../src/reference/trade/chokepoints.ts";

const dayMs = 86_400_000;
/** `count` days up to 1 November, the oldest first. */
const daysOf = (count: number, of: (daysBefore: number) => Partial<Day> = () => ({})): Day[] =>
  Array.from({ length: count }, (_, place) => {
    const daysBefore = count - 1 - place;
    const day = new Date(Date.UTC(2026, 10, 1) - daysBefore * dayMs).toISOString().slice(0, 10);
    return { day, ships: 40, tankers: 20, tankerCapacity: 1_000_000, ...of(daysBefore) };
  });
const disruption = (inputs: Partial<Inputs>) =>
  disruptionOf({ threat: "normal", warnings: 0, days: [], flowCovered: true, ...inputs });

test("without live inputs a chokepoint rests at the weight of its threat", () => {
  expect(chokepoints.map(({ threat }) => disruption({ threat }).score)).toEqual([
    ...[30, 0, 70, 40, 0, 15, 0, 0, 15, 0, 0, 70, 0],
  ]);
  expect(
    ["war_zone", "critical", "high", "elevated", "normal"].map(
      (threat) => disruption({ threat: threat as ThreatLevel }).status,
    ),
  ).toEqual(["red", "yellow", "yellow", "green", "green"]);
});

test.each([
  ["normal", 1, 5, "green"],
  ["elevated", 1, 20, "yellow"],
  ["high", 3, 45, "yellow"],
  ["critical", 2, 50, "red"],
  ["normal", 3, 15, "green"],
  ["normal", 40, 15, "green"],
  ["war_zone", 40, 85, "red"],
] as const)("under a threat that is %s %i warnings make %i, %s", (threat, warnings, score, status) => {
  expect(disruption({ threat, warnings })).toMatchObject({ score, status });
});

const halved = daysOf(40, (before) => (before < 7 ? { ships: 20 } : {}));

test.each(["war_zone", "critical"] as const)("traffic that has halved adds 10 under a threat that is %s", (threat) => {
  const rest = disruption({ threat }).score;
  expect(disruption({ threat, days: halved })).toMatchObject({ anomaly: true, score: rest + 10 });
  expect(disruption({ threat, days: daysOf(40, (before) => (before < 7 ? { ships: 21 } : {})) }).anomaly).toBe(false);
});

test.each([
  ["under a lesser threat", { threat: "high", days: halved }],
  ["with 36 days of history", { threat: "critical", days: halved.slice(-36) }],
  [
    "with a baseline below 14 ships a week",
    { threat: "critical", days: halved.map((day) => ({ ...day, ships: day.ships / 20 - 0.01 })) },
  ],
] as const)("traffic that has halved adds nothing %s", (_title, inputs) => {
  expect(disruption(inputs).anomaly).toBe(false);
});

test("37 days of history are enough", () => {
  expect(disruption({ threat: "critical", days: halved.slice(-37) }).anomaly).toBe(true);
});

test("the flow is the last week over the 90 days before, by capacity where half of those days have one", () => {
  const fallen = (before: number) => (before < 7 ? { tankerCapacity: 600_000, tankers: 10 } : {});
  expect(disruption({ days: daysOf(100, fallen) }).flowRatio).toBeCloseTo(0.6);
  const rare = (before: number) => ({ ...fallen(before), ...(before % 3 > 0 ? { tankerCapacity: undefined } : {}) });
  expect(disruption({ days: daysOf(100, rare) }).flowRatio).toBeCloseTo(0.5);
  expect(disruption({ days: daysOf(200, (before) => (before > 96 ? { tankerCapacity: 9e9 } : {})) }).flowRatio).toBe(1);
});

test("a flow is at most 1.5", () => {
  expect(disruption({ days: daysOf(60, (before) => (before < 7 ? { tankerCapacity: 9e6 } : {})) }).flowRatio).toBe(1.5);
});

test.each([
  ["39 days of history", daysOf(39)],
  ["two days in the last week", [...daysOf(60).slice(0, 53), ...daysOf(60).slice(-2)]],
  ["19 days before it", [...daysOf(60).slice(34, 53), ...daysOf(60).slice(-7)]],
  ["no day", []],
  ["no tanker ever", daysOf(60, () => ({ tankers: 0, tankerCapacity: 0 }))],
])("with %s the flow is not known", (_title, days) => {
  expect(disruption({ days })).toMatchObject({ flowRatio: undefined, disrupted: undefined });
});

test("40 days are enough; a chokepoint whose oil is not followed has no flow", () => {
  expect(disruption({ days: daysOf(40) }).flowRatio).toBe(1);
  expect(disruption({ days: daysOf(40), flowCovered: false }).flowRatio).toBeUndefined();
});

test("disrupted is when each of the last three days is below 85 % of the baseline", () => {
  const low = (last: number, capacity: number) =>
    daysOf(60, (before) => (before < last ? { tankerCapacity: capacity } : {}));
  expect(disruption({ days: low(3, 849_000) }).disrupted).toBe(true);
  expect(disruption({ days: low(3, 850_000) }).disrupted).toBe(false);
  expect(disruption({ days: low(2, 100_000) }).disrupted).toBe(false);
});

const captured = new URL("../../../../../shared/upstream/portwatch/portwatch_chokepoints-wide-7.csv", import.meta.url);

test.skipIf(!existsSync(captured))(
  "on years of real transits the flow stays within its bounds and follows a closure",
  () => {
    const [head = "", ...lines] = readFileSync(captured, "utf8").trim().split(/\r?\n/);
    const names = head.split(",");
    const at = (cells: readonly string[], name: string) => Number(cells[names.indexOf(name)]);
    const series = (prefix: string): Day[] =>
      lines.map((line) => {
        const cells = line.split(",");
        const tankerCapacity = at(cells, `${prefix}_cap_tanker`);
        return {
          day: cells[0] ?? "",
          ships: at(cells, `${prefix}_total`),
          tankers: at(cells, `${prefix}_tanker`),
          tankerCapacity,
        };
      });
    const flows = ["cp1", "cp3", "cp4", "cp5", "cp6", "cp7"].flatMap((prefix) => {
      const days = series(prefix);
      return [400, 900, 1400, days.length].map(
        (end) => disruption({ days: days.slice(end - 180, end) }).flowRatio ?? Number.NaN,
      );
    });
    for (const flow of flows) {
      expect(flow).toBeGreaterThanOrEqual(0);
      expect(flow).toBeLessThanOrEqual(1.5);
    }
    // The Red Sea emptied in January 2024.
    const mandeb = series("cp4");
    const end = mandeb.findIndex(({ day }) => day === "2024-01-31");
    expect(disruption({ days: mandeb.slice(end - 120, end) }).flowRatio).toBeLessThan(0.8);
  },
);
