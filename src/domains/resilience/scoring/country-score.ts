import type { ResilienceDimension } from "../../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { namesOf } from "../../../reference/named.ts";
import { rounded } from "../../../reference/rounding.ts";
import { mean, total } from "../../../reference/sums.ts";
import type { CountryData, Inputs } from "../country-data.ts";
import { clamped } from "../method/scale.ts";
import { type DomainId, dimensions, domains, type PillarId, pillars, rules } from "../method/structure.ts";
import { type DimensionScore, emptied, scoreDimension } from "./dimension-score.ts";

export interface DomainScore {
  readonly id: DomainId;
  /** The score of the domain, 0 to 100 with two decimals. */
  readonly score: number;
  readonly weight: number;
  /** The mean coverage of the dimensions, not rounded. */
  readonly coverage: number;
  readonly dimensions: readonly DimensionScore[];
}

export interface PillarScore {
  readonly id: PillarId;
  /** The score before rounding, 0 to 100. */
  readonly score: number;
  readonly weight: number;
  readonly coverage: number;
  readonly domains: readonly DomainScore[];
}

export interface CountryScore {
  readonly country: string;
  readonly overall: number;
  readonly level: "high" | "medium" | "low" | "unknown";
  readonly baseline: number;
  readonly stress: number;
  readonly stressFactor: number;
  readonly domains: readonly DomainScore[];
  readonly pillars: readonly PillarScore[];
}

const dimensionIds = namesOf(dimensions);
const domainIds = namesOf(domains);
const pillarIds = namesOf(pillars);

export function scoreCountry(data: CountryData, inputs: Inputs): CountryScore {
  return aggregated(
    data.country,
    dimensionIds.map((id) => scoreDimension(id, data, inputs)),
  );
}

export function aggregated(country: string, given: readonly DimensionScore[]): CountryScore {
  // If all values of a country are substitutes, it gets no score. At least one value must have been observed.
  const isKnown = given.some(({ observedWeight }) => observedWeight > 0);
  const scored = isKnown ? given : given.map(emptied);
  const scoredDomains = domainIds.map((id) =>
    domainOf(
      id,
      scored.filter((dimension) => dimensions[dimension.id].domain === id),
    ),
  );
  const scoredPillars = pillarIds.map((id) =>
    pillarOf(
      id,
      scoredDomains.filter((domain) => domains[domain.id].pillar === id),
    ),
  );
  const parts = { country, domains: scoredDomains, pillars: scoredPillars };
  if (!isKnown) return { ...parts, overall: 0, level: "unknown", baseline: 0, stress: 0, stressFactor: 0 };
  const overall = rounded(penalised(scoredPillars), 2);
  const stress = partScore(scored, "stress");
  return {
    ...parts,
    overall,
    level: overall >= rules.levels.high ? "high" : overall >= rules.levels.medium ? "medium" : "low",
    baseline: partScore(scored, "baseline"),
    stress,
    stressFactor: rounded(clamped(1 - stress / 100, 0, 0.5), 4),
  };
}

function domainOf(id: DomainId, scored: readonly DimensionScore[]): DomainScore {
  const shares = scored.map((dimension) => {
    const factor = dimension.imputationClass === "" ? 1 : rules.imputedFactor;
    return dimension.coverage * dimensions[dimension.id].weight * factor;
  });
  const weighted = scored.map(({ score }, place) => score * (shares[place] ?? 0));
  return {
    id,
    score: total(shares) === 0 ? 0 : rounded(total(weighted) / total(shares), 2),
    weight: domains[id].weight,
    coverage: mean(scored.filter(counts).map(({ coverage }) => coverage)),
    dimensions: scored,
  };
}

const retired: ReadonlySet<string> = new Set(dimensionIds.filter((id) => "retired" in dimensions[id]));

type Counted = Pick<ResilienceDimension, "id" | "imputationClass" | "observedWeight" | "imputedWeight">;

/** Returns whether a dimension counts for the coverage. A retired one does not, nor one that is not applicable. */
export function counts({ id, imputationClass, observedWeight, imputedWeight }: Counted): boolean {
  const isWeightless = observedWeight === 0 && imputedWeight === 0;
  return !retired.has(id) && !(imputationClass === "not-applicable" && isWeightless);
}

function pillarOf(id: PillarId, scored: readonly DomainScore[]): PillarScore {
  const shares = scored.map(({ weight, coverage }) => weight * coverage);
  const weighted = scored.map(({ score }, place) => score * (shares[place] ?? 0));
  return {
    id,
    score: total(shares) === 0 ? 0 : total(weighted) / total(shares),
    weight: pillars[id],
    coverage: mean(scored.map(({ coverage }) => coverage)),
    domains: scored,
  };
}

/** Returns the weighted mean of the pillars, reduced by a low weakest pillar. Pillars without coverage are ignored. */
export function penalised(scored: readonly Pick<PillarScore, "score" | "weight" | "coverage">[]): number {
  const covered = scored.filter(({ coverage }) => coverage > 0);
  const weight = total(covered.map((pillar) => pillar.weight));
  if (weight === 0) return 0;
  const weighted = total(covered.map((pillar) => pillar.score * pillar.weight)) / weight;
  const weakest = Math.min(...covered.map(({ score }) => score));
  return weighted * (1 - rules.penalty * (1 - weakest / 100));
}

function partScore(scored: readonly DimensionScore[], part: "baseline" | "stress"): number {
  const own = scored.filter(({ id }) => dimensions[id].kind === part || dimensions[id].kind === "mixed");
  const coverage = total(own.map((dimension) => dimension.coverage));
  if (coverage === 0) return 0;
  return rounded(total(own.map((dimension) => dimension.score * dimension.coverage)) / coverage, 2);
}
