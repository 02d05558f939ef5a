/** Paths and bodies of the risk scores, as callers see them. */
export const scoresPath = "/api/intelligence/v1/get-risk-scores";
export const explanationPath = "/api/intelligence/v1/get-risk-score-explanation";

/** Components of the scores that no source reports. */
export const unsourced = ["newsActivity", "militaryActivity"];

export interface Scores {
  readonly ciiScores: readonly {
    readonly region: string;
    readonly combinedScore: number;
    readonly dynamicScore: number;
    readonly trend: string;
    readonly computedAt: number;
    readonly advisoryLevel: string;
    readonly advisoryProvenance: string;
    readonly components: {
      readonly newsActivity: number;
      readonly ciiContribution: number;
      readonly geoConvergence: number;
      readonly militaryActivity: number;
    };
  }[];
  readonly strategicRisks: readonly { readonly score: number; readonly factors: readonly string[] }[];
  readonly degraded: boolean;
  readonly stale: boolean;
  readonly missingInputs: readonly string[];
}

interface Term {
  readonly name: string;
  readonly points: number;
  readonly cap: number;
  readonly inputs: readonly {
    readonly name: string;
    readonly value: number;
    readonly state: string;
    readonly source: string;
    readonly countedFrom: string;
  }[];
}

export interface Explanation {
  readonly region: string;
  readonly staticBaseline: number;
  readonly baselineWeight: number;
  readonly eventWeight: number;
  readonly components: readonly { readonly name: string; readonly weight: number; readonly terms: readonly Term[] }[];
  readonly additions: readonly Term[];
  readonly floors: readonly {
    readonly name: string;
    readonly score: number;
    readonly holds: boolean;
    readonly inputs: Term["inputs"];
  }[];
  readonly combinedScore: number;
  readonly dynamicScore: number;
  readonly earlier?: { readonly at: number; readonly combinedScore: number };
}

/** The score, computed from an explanation and the formula in the contract. */
export function recomputed(reported: Explanation) {
  const counted = (terms: readonly Term[]) => terms.reduce((sum, { points, cap }) => sum + Math.min(points, cap), 0);
  const scored = reported.components.map(({ name, weight, terms }) => ({
    name,
    weight,
    score: Math.min(100, Math.round(counted(terms))),
  }));
  const event = scored.reduce((sum, { weight, score }) => sum + weight * score, 0);
  const blended =
    reported.baselineWeight * reported.staticBaseline + reported.eventWeight * event + counted(reported.additions);
  const floor = Math.max(0, ...reported.floors.filter(({ holds }) => holds).map(({ score }) => score));
  const combined = Math.min(100, Math.max(floor, Math.round(blended)));
  return {
    components: Object.fromEntries(scored.map(({ name, score }) => [name, score])),
    combined,
    movement: reported.earlier ? combined - reported.earlier.combinedScore : 0,
  };
}
