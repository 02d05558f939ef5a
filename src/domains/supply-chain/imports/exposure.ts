import { rounded } from "../../../reference/rounding.ts";
import { type Chokepoint, chokepoints } from "../../../reference/trade/chokepoints.ts";
import { chapterOf } from "../../../reference/trade/hs-chapters.ts";
import { routesThrough } from "../../../reference/trade/trade-routes.ts";

export interface Import {
  readonly hs4: string;
  readonly totalValue: number;
  readonly topExporters: readonly { readonly partnerIso2: string; readonly share: number }[];
}

export interface Exposure {
  readonly coverage: "flow_weighted" | "country_route_fallback";
  /** Scores by chokepoint ID, 0 to 100 with one decimal, highest first. Ties have the order of `chokepoints`. */
  readonly scores: ReadonlyMap<string, number>;
  /** The ID of the chokepoint with the highest score. Empty if every score is 0. */
  readonly primaryId: string;
  readonly vulnerabilityIndex: number;
}

export type Routes = ReadonlyMap<string, readonly string[]>;

const energy = "27";
const energyBoost = 1.5;
const indexWeights = [0.5, 0.3, 0.2];

/** Computes the exposure from the imports. If none is known to pass a chokepoint, the country's routes decide. */
export function exposureOf(iso2: string, hs2: string, imports: readonly Import[], routes: Routes): Exposure {
  const products = imports.filter(({ hs4 }) => chapterOf(hs4) === hs2);
  const byFlow = scoresOf(hs2, flowWeighted(iso2, products, routes));
  if ([...byFlow.values()].some((score) => score > 0)) return ranked("flow_weighted", byFlow);
  const own = new Set(routes.get(iso2));
  return ranked(
    "country_route_fallback",
    scoresOf(hs2, ({ id }) => 100 * shareOfRoutes(id, own)),
  );
}

/** Returns the function for a chokepoint's score: each flow's share of imports times its share of routes through it. */
function flowWeighted(iso2: string, products: readonly Import[], routes: Routes): (chokepoint: Chokepoint) => number {
  const value = products.reduce((sum, { totalValue }) => sum + totalValue, 0);
  const flows = products.flatMap(({ totalValue, topExporters }) =>
    topExporters
      .filter(({ partnerIso2 }) => partnerIso2 !== "")
      .map(({ partnerIso2, share }) => ({
        either: new Set([...(routes.get(iso2) ?? []), ...(routes.get(partnerIso2) ?? [])]),
        share,
        weight: totalValue / value,
      })),
  );
  return ({ id }) =>
    flows.reduce((sum, { either, share, weight }) => sum + shareOfRoutes(id, either) * share * weight * 100, 0);
}

function shareOfRoutes(chokepointId: string, traded: ReadonlySet<string>): number {
  const through = routesThrough(chokepointId);
  let count = 0;
  for (const route of through) if (traded.has(route)) count += 1;
  return count / Math.max(through.length, 1);
}

function scoresOf(hs2: string, score: (chokepoint: Chokepoint) => number): ReadonlyMap<string, number> {
  return new Map(
    chokepoints.map((chokepoint) => {
      const boost = hs2 === energy && chokepoint.shockSupported ? energyBoost : 1;
      return [chokepoint.id, rounded(Math.min(100, score(chokepoint) * boost), 1)];
    }),
  );
}

export function ranked(coverage: Exposure["coverage"], scores: ReadonlyMap<string, number>): Exposure {
  const sorted = chokepoints.map(({ id }) => [id, scores.get(id) ?? 0] as const).sort(([, a], [, b]) => b - a);
  const [[first = "", highest = 0] = []] = sorted;
  const index = indexWeights.reduce((sum, weight, place) => sum + weight * (sorted[place]?.[1] ?? 0), 0);
  return {
    coverage,
    scores: new Map(sorted),
    primaryId: highest > 0 ? first : "",
    vulnerabilityIndex: rounded(index, 1),
  };
}
