import type { GetResilienceScoreResponse } from "../../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { namesOf } from "../../../reference/named.ts";
import { roundedAway } from "../../../reference/rounding.ts";
import { mean, total } from "../../../reference/sums.ts";
import { domains } from "../method/structure.ts";
import { counts } from "./country-score.ts";

type Scored = Pick<GetResilienceScoreResponse, "overallScore" | "domains" | "pillars">;

/**
 * Returns the points that each domain adds to the weighted mean of the pillars, and the negative points for the weakest
 * pillar. Their sum is the score. A domain without coverage adds 0.
 */
export function contributionsOf({ overallScore, domains: scored, pillars }: Scored): [name: string, points: number][] {
  const weights = total(pillars.filter(({ coverage }) => coverage > 0).map(({ weight }) => weight));
  const contributions = pillars.flatMap((pillar) => {
    const own = namesOf(domains).filter((id) => domains[id].pillar === pillar.id);
    const parts = own.flatMap((id) => scored.filter((domain) => domain.id === id));
    const shares = parts.map(({ weight, dimensions }) => weight * mean(dimensions.filter(counts).map(coverageOf)));
    const all = total(shares);
    return parts.map(({ id, score }, place): [string, number] => {
      const share = all === 0 || weights === 0 ? 0 : (shares[place] ?? 0) / all / weights;
      return [id, share * score * pillar.weight];
    });
  });
  const reduction = overallScore - total(contributions.map(([, points]) => points));
  return [...contributions, ["weakest pillar", reduction] as const].map(([name, points]) => [
    name,
    roundedAway(points, 6),
  ]);
}

function coverageOf({ coverage }: { readonly coverage: number }): number {
  return coverage;
}
