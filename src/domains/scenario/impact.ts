import { rounded } from "../../reference/rounding.ts";
import { isTariff, type Template } from "./templates.ts";

export interface Exposure {
  /** Scores by chokepoint id, 0 to 100. A missing score counts as 0. */
  readonly scores: Readonly<Record<string, number>>;
  /** A composite of the highest scores, 0 to 100. */
  readonly vulnerabilityIndex: number;
}

/** A template, and the share of traffic that is lost, in percent. */
export interface Severity {
  readonly template: Template;
  readonly disruptionPct: number;
}

/** A tariff uses the vulnerability instead of the chokepoints. The result has no unit. */
export function transitExposureOf(template: Template, exposures: readonly Exposure[]): number {
  return exposures
    .flatMap(({ scores, vulnerabilityIndex }) =>
      isTariff(template) ? vulnerabilityIndex : template.affectedChokepointIds.map((id) => scores[id] ?? 0),
    )
    .reduce((sum, score) => sum + score, 0);
}

export function factorOf({ template, disruptionPct }: Severity): number {
  return (isTariff(template) ? 1 : disruptionPct / 100) * template.costShockMultiplier;
}

export interface RankedImpact {
  readonly iso2: string;
  readonly transitExposure: number;
  readonly totalImpact: number;
  /** The impact in percent of the highest impact, or of 1 if that is greater. */
  readonly impactPct: number;
}

const maxRanked = 20;
const decimals = 4;

/** Ties are sorted by code, and countries without an impact are omitted. */
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
