import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type PhysicalDivergenceCompositeSchema,
  type PhysicalDivergenceProvenanceSchema,
  type PhysicalDivergenceReadingSchema,
  PhysicalDivergenceStateSchema,
  PhysicalPremiumRegime as Regime,
  PhysicalDivergenceState as State,
  PhysicalPremiumTrend as Trend,
} from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { roundedAway } from "../../../reference/rounding.ts";
import { fxPair, type Metal, metals } from "../metals.ts";
import { type Finding, type InputClocks, missingInput, staleInput } from "../premiums/input-state.ts";
import {
  type Bands,
  bands,
  fullIndex,
  grading,
  history,
  methodologyVersion,
  rankedFrom,
  slopes,
  trends,
} from "./divergence-method.ts";

/**
 * Grades a premium in percent by its value and, if it is high enough, by its rank among past premiums. The higher grade
 * counts.
 */
export function grade(premiumPct: number, percentile: number, begins: Bands) {
  const byValue = begins.filter((begin) => premiumPct >= begin).length;
  const isRanked = premiumPct >= rankedFrom * begins[0];
  const byRank = isRanked ? bands.filter((band) => percentile >= band.percentile).length : 0;
  const { regime, floor } = bands[Math.max(byValue, byRank) - 1] ?? { regime: Regime.NORMAL, floor: 0 };
  return { regime, index: roundedAway(Math.max(indexByValue(premiumPct, byValue, begins), floor), 2) };
}

function indexByValue(premiumPct: number, band: number, begins: Bands): number {
  if (premiumPct <= 0) return 0;
  const [slope, from = 0, to] = [slopes[band], begins[band - 1], begins[band]];
  if (slope === undefined || to === undefined) return fullIndex;
  return slope.from + ((slope.to - slope.from) * (premiumPct - from)) / (to - from);
}

/** Returns which percentage of the values are at most as great as this value. */
export function percentile(values: readonly number[], value: number): number {
  return (100 * values.filter((other) => other <= value).length) / values.length;
}

/** This factor relates the median absolute deviation to the standard deviation of a normal distribution. */
const scale = 0.67448975;

/** Returns how many deviations a value is from the median. Undefined if all deviations are 0 but the value differs. */
export function robustZ(values: readonly number[], value: number): number | undefined {
  const middle = median(values);
  const deviation = median(values.map((other) => Math.abs(other - middle)));
  if (deviation === 0) return value === middle ? 0 : undefined;
  return roundedAway((scale * (value - middle)) / deviation, 6);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/** Returns the change of a premium over a number of benchmark prices. `values` are oldest first. */
export function change(values: readonly number[], prints: number): number {
  const [newest = Number.NaN, earlier = Number.NaN] = [values.at(-1), values.at(-1 - prints)];
  return roundedAway(newest - earlier, 4);
}

export function trendOf(delta: number): Trend {
  if (Math.abs(delta) <= trends.stableWithin) return Trend.STABLE;
  return delta > 0 ? Trend.WIDENING : Trend.NARROWING;
}

export interface Evidence {
  readonly premiumPct: number;
  readonly premiumUsdPerOz: number;
  readonly clocks: InputClocks;
  readonly sources: { readonly physical: string; readonly paper: string; readonly fx: string };
  /** The last premiums of the metal, as many as the methodology compares, oldest first. */
  readonly window: readonly WindowPoint[];
}

interface WindowPoint {
  /** The day of the benchmark price in Shanghai, YYYY-MM-DD. */
  readonly day: string;
  readonly pct: number;
}

export type Reading = MessageInitShape<typeof PhysicalDivergenceReadingSchema> & {
  readonly metal: Metal["metal"];
  readonly state: State;
};

const noPremium: Finding = { state: State.MISSING_INPUT, reason: "current_premium_missing" };

/** Returns the index of a metal at a time. If there is none, returns the reason. */
export function readMetal(metal: Metal, evidence: Evidence | Finding | undefined, now: number): Reading {
  const historyKey = `physical-premium:${metal.metal}`;
  const named = { metal: metal.metal, historyKey, methodologyVersion };
  if (evidence === undefined) return { ...named, ...noPremium };
  if (!("window" in evidence)) return { ...named, ...evidence };
  const { premiumPct, premiumUsdPerOz, clocks } = evidence;
  const valid = evidence.window.filter(({ pct }) => Number.isFinite(pct));
  const asOf = { physicalAsOf: dayOf(clocks.physical), paperAsOf: millisecondsOf(clocks.paper) };
  const known = {
    ...named,
    ...asOf,
    ...(Number.isFinite(premiumPct) && { premiumPct }),
    ...(Number.isFinite(premiumUsdPerOz) && { premiumUsdPerOz }),
    historyPoints: valid.length,
    provenance: { ...provenanceOf(metal, evidence), ...asOf, historyKey },
  };
  const finding = findingOf(evidence, now);
  return finding ? { ...known, ...finding } : { ...known, ...indexOf(metal, premiumPct, valid) };
}

/** Returns why there is no index: first a missing input, then a stale one, then too few earlier premiums. */
function findingOf(evidence: Evidence, now: number): Finding | undefined {
  const { premiumPct, premiumUsdPerOz, clocks, window } = evidence;
  if (!Number.isFinite(premiumPct) || !Number.isFinite(premiumUsdPerOz)) return noPremium;
  const missing = missingInput(clocks, now);
  if (missing) return missing;
  if (window.some(({ pct }) => !Number.isFinite(pct)))
    return { state: State.MISSING_INPUT, reason: "history_values_invalid" };
  const stale = staleInput(clocks, now);
  if (stale) return stale;
  // The history lacks premiums of stale prices, so its newest premium may not be that of the current prices.
  if (window.at(-1)?.day !== dayOf(clocks.physical))
    return { state: State.MISSING_INPUT, reason: "history_window_not_aligned" };
  if (window.length < history.min)
    return { state: State.INSUFFICIENT_HISTORY, reason: `history_points_below_${history.min}` };
  return undefined;
}

function indexOf({ metal }: Metal, premiumPct: number, window: readonly WindowPoint[]) {
  const values = window.map(({ pct }) => pct);
  const share = percentile(values, premiumPct);
  const z = robustZ(values, premiumPct);
  const [delta5d, delta20d] = [change(values, trends.shortPrints), change(values, trends.longPrints)];
  return {
    state: State.OK,
    ...grade(premiumPct, share, grading[metal].bands),
    percentile: roundedAway(share, 2),
    ...(z !== undefined && { robustZ: z }),
    delta5d,
    delta20d,
    trend5d: trendOf(delta5d),
    trend20d: trendOf(delta20d),
    historyWindowStart: window[0]?.day ?? "",
    historyWindowEnd: window.at(-1)?.day ?? "",
  };
}

function provenanceOf(
  { contract, future }: Metal,
  { sources, clocks }: Evidence,
): MessageInitShape<typeof PhysicalDivergenceProvenanceSchema> {
  return {
    physicalSource: sources.physical,
    physicalSymbol: contract,
    paperSource: sources.paper,
    paperSymbol: future,
    fxSource: sources.fx,
    fxPair,
    fxAsOf: millisecondsOf(clocks.fx),
    historyWindowPoints: history.window,
    methodologyVersion,
  };
}

function dayOf(midnight: number): string {
  return Number.isFinite(midnight) ? isoDay(midnight) : "";
}

function millisecondsOf(instant: number): bigint {
  return Number.isFinite(instant) ? BigInt(Math.trunc(instant)) : 0n;
}

type Composite = MessageInitShape<typeof PhysicalDivergenceCompositeSchema>;

const weighted = {
  weights: metals.map(({ metal }) => ({ metal, weight: grading[metal].weight, methodologyVersion })),
  methodologyVersion,
};

/** Combines the indexes of all metals. `nothing` is the reason for no index that applies to all metals. */
export function compositeOf(readings: readonly Reading[], nothing: Finding | undefined): Composite {
  if (nothing) return { ...weighted, ...nothing };
  // States are numbered from best to worst. The composite has the worst state of a metal, and of equals the first.
  const worst = readings.reduce((worse, reading) => (reading.state > worse.state ? reading : worse));
  if (worst.state !== State.OK)
    return {
      ...weighted,
      state: worst.state,
      reason: `member_not_ok:${worst.metal}:${nameOf(worst.state)}`,
    };
  const index = readings.reduce((sum, reading) => sum + grading[reading.metal].weight * (reading.index ?? 0), 0);
  return { ...weighted, state: State.OK, index: roundedAway(index, 2) };
}

function nameOf(state: State): string | undefined {
  return PhysicalDivergenceStateSchema.value[state]?.localName.toLowerCase();
}
