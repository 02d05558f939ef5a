import { rounded } from "../../reference/rounding.ts";
import { isTariff, type Template } from "./templates.ts";

/** How much a country's imports of a chapter depend on chokepoints. */
export interface Exposure {
  /** By chokepoint id, 0 to 100; one that is missing counts as 0. */
  readonly scores: Readonly<Record<string, number>>;
  /** Composite of the highest scores, 0 to 100. */
  readonly vulnerabilityIndex: number;
}

/** A scenario as it is computed: a template, and how much of the traffic is lost, percent. */
export interface Severity {
  readonly template: Template;
  readonly disruptionPct: number;
}

/** A country's impact: the sum over its exposures, without a unit. */
export function impactOf(severity: Severity, exposures: readonly Exposure[]): number {
  return exposures.reduce((sum, exposure) => sum + impactOnChapter(severity, exposure), 0);
}

function impactOnChapter({ template, disruptionPct }: Severity, { scores, vulnerabilityIndex }: Exposure): number {
  const { affectedChokepointIds, costShockMultiplier } = template;
  if (isTariff(template)) return vulnerabilityIndex * costShockMultiplier;
  return affectedChokepointIds.reduce(
    (sum, id) => sum + (scores[id] ?? 0) * (disruptionPct / 100) * costShockMultiplier,
    0,
  );
}

export interface RankedImpact {
  readonly iso2: string;
  readonly totalImpact: number;
  /** Percent of the highest impact, or of 1 where that is less. */
  readonly impactPct: number;
}

const maxRanked = 20;
const decimals = 4;

/** The worst hit, highest impact first, ties by code; who is not hit is left out. */
export function ranked(totals: ReadonlyMap<string, number>): readonly RankedImpact[] {
  const hit = [...totals]
    .map(([iso2, total]) => ({ iso2, totalImpact: rounded(total, decimals) }))
    .filter(({ totalImpact }) => totalImpact > 0)
    .sort((a, b) => b.totalImpact - a.totalImpact || (a.iso2 < b.iso2 ? -1 : 1));
  const highest = Math.max(hit[0]?.totalImpact ?? 0, 1);
  return hit.slice(0, maxRanked).map(({ iso2, totalImpact }) => ({
    iso2,
    totalImpact,
    impactPct: Math.min(100, rounded((totalImpact / highest) * 100)),
  }));
}
