import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type PhysicalDivergenceProvenanceSchema,
  type PhysicalDivergenceReadingSchema,
  PhysicalDivergenceState as State,
} from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import { roundedAway } from "../../../reference/rounding.ts";
import { fxPair, type Metal } from "../metals.ts";
import { type Finding, type InputClocks, missingInput, staleInput } from "../premiums/input-state.ts";
import { grade } from "./divergence-grade.ts";
import { grading, history, methodologyVersion, trends } from "./divergence-method.ts";
import { change, percentile, robustZ, trendOf } from "./premium-rank.ts";

export interface Evidence {
  readonly premiumPct: number;
  readonly premiumUsdPerOz: number;
  readonly clocks: InputClocks;
  readonly sources: { readonly physical: string; readonly paper: string; readonly fx: string };
  /** The points are oldest first, and at most as many as the window of the methodology. */
  readonly window: readonly WindowPoint[];
}

export interface WindowPoint {
  /** YYYY-MM-DD in Shanghai. */
  readonly day: string;
  readonly pct: number;
}

export type Reading = MessageInitShape<typeof PhysicalDivergenceReadingSchema> & {
  readonly metal: Metal["metal"];
  readonly state: State;
};

const noPremium: Finding = { state: State.MISSING_INPUT, reason: "current_premium_missing" };

/** Reads a metal at a point in time. If there is no premium, the finding gives the reason. */
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

/** Missing inputs come before stale ones, and stale ones before a short history. */
function findingOf(evidence: Evidence, now: number): Finding | undefined {
  const { premiumPct, premiumUsdPerOz, clocks, window } = evidence;
  if (!Number.isFinite(premiumPct) || !Number.isFinite(premiumUsdPerOz)) return noPremium;
  const missing = missingInput(clocks, now);
  if (missing) return missing;
  if (window.some(({ pct }) => !Number.isFinite(pct)))
    return { state: State.MISSING_INPUT, reason: "history_values_invalid" };
  const stale = staleInput(clocks, now);
  if (stale) return stale;
  // The window contains only premiums of fresh prices, so a stale print may not be in it.
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
  return Number.isFinite(midnight) ? new Date(midnight).toISOString().slice(0, 10) : "";
}

function millisecondsOf(instant: number): bigint {
  return Number.isFinite(instant) ? BigInt(Math.trunc(instant)) : 0n;
}
