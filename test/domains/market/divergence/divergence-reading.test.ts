import { expect, test } from "vitest";
import {
  PhysicalPremiumRegime as Regime,
  PhysicalDivergenceState as State,
  PhysicalPremiumTrend as Trend,
} from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import {
  compositeOf,
  type Evidence,
  type Reading,
  readMetal,
} from "../../../../src/domains/market/divergence/divergence-reading.ts";
import { metals } from "../../../../src/domains/market/metals.ts";

const [gold, silver] = metals;
const dayMs = 86_400_000;
/** A Wednesday. */
const now = Date.parse("2026-07-15T08:00:00Z");
const print = Date.parse("2026-07-15");
const sources = { physical: "of SHAU", paper: "of GC=F", fx: "of ECB" };
const clocks = { physical: print, paper: now - 3_600_000, fx: Date.parse("2026-07-14T14:15:00Z") };

/** Premiums, one per day, the last one of the print. */
const windowOf = (values: readonly number[]) =>
  values.map((pct, place) => ({
    day: new Date(print - (values.length - 1 - place) * dayMs).toISOString().slice(0, 10),
    pct,
  }));
/** Below the last one for the first half, above it for the second. */
const window = windowOf([...Array.from({ length: 60 }, (_, place) => (place < 30 ? 1 : 4)), 2.4585]);
const evidence: Evidence = { premiumPct: 2.4585, premiumUsdPerOz: 83.5894, clocks, sources, window };
const read = (change: Partial<Evidence> = {}, at = now) => readMetal(gold, { ...evidence, ...change }, at);

test("a fresh premium with a long window is graded, ranked and set against its earlier values", () => {
  expect(read()).toEqual({
    metal: "gold",
    state: State.OK,
    regime: Regime.ELEVATED,
    index: 63.23,
    premiumPct: 2.4585,
    premiumUsdPerOz: 83.5894,
    percentile: 50.82,
    robustZ: 0,
    delta5d: -1.5415,
    delta20d: -1.5415,
    trend5d: Trend.NARROWING,
    trend20d: Trend.NARROWING,
    historyPoints: 61,
    historyWindowStart: "2026-05-16",
    historyWindowEnd: "2026-07-15",
    physicalAsOf: "2026-07-15",
    paperAsOf: BigInt(clocks.paper),
    historyKey: "physical-premium:gold",
    methodologyVersion: "physical-divergence-v2",
    provenance: {
      physicalSource: "of SHAU",
      physicalSymbol: "SHAU",
      physicalAsOf: "2026-07-15",
      paperSource: "of GC=F",
      paperSymbol: "GC=F",
      paperAsOf: BigInt(clocks.paper),
      fxSource: "of ECB",
      fxPair: "CNY/USD",
      fxAsOf: BigInt(clocks.fx),
      historyKey: "physical-premium:gold",
      historyWindowPoints: 250,
      methodologyVersion: "physical-divergence-v2",
    },
  });
});

test("where most of the window is another value, there is no distance in deviations", () => {
  expect(read({ window: windowOf([...Array(60).fill(1), 2.4585]) })).not.toHaveProperty("robustZ");
});

const hour = 3_600_000;
const invalid = { state: State.MISSING_INPUT };
const stale = { state: State.STALE_INPUT };
test.each([
  ["the moment is none", {}, Number.NaN, invalid, "evaluation_clock_invalid"],
  ["the print has no day", { clocks: { ...clocks, physical: Number.NaN } }, now, invalid, "physical_print_invalid"],
  [
    "the future's time is unknown",
    { clocks: { ...clocks, paper: Number.NaN } },
    now,
    invalid,
    "paper_snapshot_invalid",
  ],
  [
    "the rate's time has no end",
    { clocks: { ...clocks, fx: Number.POSITIVE_INFINITY } },
    now,
    invalid,
    "fx_snapshot_invalid",
  ],
  [
    "the print is of tomorrow",
    { clocks: { ...clocks, physical: print + dayMs } },
    now,
    invalid,
    "physical_print_in_future",
  ],
  [
    "the future's price is to come",
    { clocks: { ...clocks, paper: now + 1 } },
    now,
    invalid,
    "paper_snapshot_in_future",
  ],
  ["the rate is to come", { clocks: { ...clocks, fx: now + 1 } }, now, invalid, "fx_snapshot_in_future"],
  [
    "a value of the window is none",
    { window: [...windowOf([Number.NaN]), ...window] },
    now,
    invalid,
    "history_values_invalid",
  ],
  ["the premium is none", { premiumPct: Number.NaN }, now, invalid, "current_premium_missing"],
  ["the window ends before the print", { window: window.slice(0, -1) }, now, invalid, "history_window_not_aligned"],
  ["the window is empty", { window: [] }, now, invalid, "history_window_not_aligned"],
  [
    "the print is 13 days old",
    { clocks: { ...clocks, physical: print - 13 * dayMs } },
    now,
    stale,
    "physical_print_older_than_12_calendar_days",
  ],
  [
    "the future's price is over 36 hours old",
    { clocks: { ...clocks, paper: now - 36 * hour - 1 } },
    now,
    stale,
    "paper_snapshot_older_than_36_hours",
  ],
  [
    "the rate is over 60 hours old",
    { clocks: { ...clocks, fx: now - 108 * hour - 1 } },
    now,
    stale,
    "fx_snapshot_older_than_60_hours",
  ],
  [
    "there are 59 prints",
    { window: window.slice(-59) },
    now,
    { state: State.INSUFFICIENT_HISTORY },
    "history_points_below_60",
  ],
] as const)("where %s, the reading says so and carries no index", (_what, change, at, { state }, reason) => {
  const reading = read(change as Partial<Evidence>, at);
  expect(reading).toMatchObject({ state, reason });
  for (const graded of [
    "index",
    "percentile",
    "robustZ",
    "delta5d",
    "delta20d",
    "trend5d",
    "regime",
    "historyWindowStart",
  ])
    expect(reading).not.toHaveProperty(graded);
  if (reason !== "current_premium_missing")
    expect(reading).toMatchObject({ premiumPct: 2.4585, premiumUsdPerOz: 83.5894 });
});

test("inputs at exactly their limits are fresh, and 60 prints are enough", () => {
  const limits = { physical: print - 12 * dayMs, paper: now - 36 * hour, fx: now - 108 * hour };
  const shifted = window
    .slice(-60)
    .map(({ day, pct }) => ({ day: new Date(Date.parse(day) - 12 * dayMs).toISOString().slice(0, 10), pct }));
  expect(read({ clocks: limits, window: shifted })).toMatchObject({ state: State.OK, historyPoints: 60 });
});

test("missing inputs come before stale ones, and those before a short window", () => {
  const short = { window: window.slice(0, 10) };
  const old = { ...clocks, paper: now - 90 * hour };
  expect(read({ ...short, clocks: old })).toMatchObject(stale);
  expect(read({ ...short, clocks: { ...old, fx: now + 1 } })).toMatchObject({ reason: "fx_snapshot_in_future" });
  expect(read({ clocks: old, window: [...windowOf([Number.NaN]), ...window] })).toMatchObject({
    reason: "history_values_invalid",
  });
});

test("without a premium, and without anything to evaluate, a reading has nothing but its name and the reason", () => {
  const named = {
    metal: "silver",
    historyKey: "physical-premium:silver",
    methodologyVersion: "physical-divergence-v2",
  };
  expect(readMetal(silver, undefined, now)).toEqual({ ...named, ...invalid, reason: "current_premium_missing" });
  const finding = { ...invalid, reason: "divergence_snapshot_unavailable" };
  expect(readMetal(silver, finding, now)).toEqual({ ...named, ...finding });
});

const readings = (...states: readonly State[]): Reading[] =>
  metals.map(({ metal }, place) => ({ metal, state: states[place] ?? State.OK, index: [63.23, 57.24][place] ?? 0 }));

test("the composite is 0.7 of gold and 0.3 of silver", () => {
  expect(compositeOf(readings(), undefined)).toEqual({
    state: State.OK,
    index: 61.43,
    weights: [
      { metal: "gold", weight: 0.7, methodologyVersion: "physical-divergence-v2" },
      { metal: "silver", weight: 0.3, methodologyVersion: "physical-divergence-v2" },
    ],
    methodologyVersion: "physical-divergence-v2",
  });
});

test.each([
  [State.OK, State.INSUFFICIENT_HISTORY, "member_not_ok:silver:insufficient_history"],
  [State.STALE_INPUT, State.INSUFFICIENT_HISTORY, "member_not_ok:gold:stale_input"],
  [State.STALE_INPUT, State.MISSING_INPUT, "member_not_ok:silver:missing_input"],
  [State.MISSING_INPUT, State.MISSING_INPUT, "member_not_ok:gold:missing_input"],
  [State.STALE_INPUT, State.STALE_INPUT, "member_not_ok:gold:stale_input"],
])("of gold in state %i and silver in %i the composite says %s and has no index", (one, other, reason) => {
  const composite = compositeOf(readings(one, other), undefined);
  expect(composite).toMatchObject({ state: Math.max(one, other), reason });
  expect(composite).not.toHaveProperty("index");
});
