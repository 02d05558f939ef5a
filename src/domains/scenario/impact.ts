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

/** Sum of a country's exposures to the affected chokepoints, or of its vulnerability to a tariff, without a unit. */
export function transitExposureOf(template: Template, exposures: readonly Exposure[]): number {
  return exposures
    .flatMap(({ scores, vulnerabilityIndex }) =>
      isTariff(template) ? vulnerabilityIndex : template.affectedChokepointIds.map((id) => scores[id] ?? 0),
    )
    .reduce((sum, score) => sum + score, 0);
}

/** Factor that multiplies every exposure. */
export function factorOf({ template, disruptionPct }: Severity): number {
  return (isTariff(template) ? 1 : disruptionPct / 100) * template.costShockMultiplier;
}

export interface RankedImpact {
  readonly iso2: string;
  readonly transitExposure: number;
  readonly totalImpact: number;
  /** Percent of the highest impact, or of 1 where that is less. */
  readonly impactPct: number;
}

const maxRanked = 20;
const decimals = 4;

/** The worst hit, highest impact first, ties by code; who is not hit is left out. */
export function ranked(exposures: ReadonlyMap<string, number>, factor: number): readonly RankedImpact[] {
  const hit = [...exposures]
    .map(([iso2, exposure]) => ({
      iso2,
      transitExposure: rounded(exposure, decimals),
      totalImpact: rounded(exposure * factor, decimals),
    }))
    .filter(({ totalImpact }) => totalImpact > 0)
    .sort((a, b) => b.totalImpact - a.totalImpact || (a.iso2 < b.iso2 ? -1 : 1));
  const highest = Math.max(hit[0]?.totalImpact ?? 0, 1);
  return hit.slice(0, maxRanked).map((impact) => ({
    ...impact,
    impactPct: Math.min(100, rounded((impact.totalImpact / highest) * 100)),
  }));
}
