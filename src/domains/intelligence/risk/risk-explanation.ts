import type { MessageInitShape } from "@bufbuild/protobuf";
import { sql } from "kysely";
import type {
  GetRiskScoreExplanationResponseSchema,
  RiskSnapshotSchema,
  RiskTermSchema,
} from "../../../../gen/es/ids/intelligence/v1/risk_explanation_pb.ts";
import { dayMs } from "../../../reference/duration.ts";
import { rounded } from "../../../reference/rounding.ts";
import type { Transaction } from "../../../store/tables.ts";
import { type RiskCountry, riskCountries } from "./risk-countries.ts";
import type { RiskInputName } from "./risk-inputs.ts";
import { baselineWeight, eventWeight, methodologyVersion, scoreCountry, type TermScore } from "./risk-method.ts";
import { type Reading, type Readings, readInputs } from "./risk-values.ts";

type Explanation = MessageInitShape<typeof GetRiskScoreExplanationResponseSchema> & {
  readonly region: string;
  readonly combinedScore: number;
};

type Earlier = MessageInitShape<typeof RiskSnapshotSchema> & { readonly combinedScore: number };

export function explainAll(readings: Readings, now: Date, earlier: ReadonlyMap<string, Earlier>): Explanation[] {
  return riskCountries.map((country) => explain(country, readings, now, earlier.get(country.code)));
}

/** Returns the scores without any input. They only depend on the baselines and floors of the countries. */
export function explainNothing(now: Date): Explanation[] {
  return explainAll(readInputs(new Map(), now), now, new Map());
}

function explain(country: RiskCountry, readings: Readings, now: Date, earlier: Earlier | undefined): Explanation {
  const inputs = readings.of(country);
  const score = scoreCountry(country, Object.fromEntries([...inputs].map(([name, { value }]) => [name, value])));
  const information = score.components.find(({ component }) => component.name === "information");
  const named = (names: readonly RiskInputName[]): Reading[] => names.flatMap((name) => inputs.get(name) ?? []);
  const inputsOfInformation = named(information?.terms.flatMap(({ term }) => term.inputs) ?? []);
  const informed = {
    name: "information",
    value: information?.score ?? 0,
    // This term uses the score of the information component. It is `absent` if no source reports that score's inputs.
    state: inputsOfInformation.every(({ state }) => state === "absent") ? "absent" : "derived",
  };
  const termOf = ({ term, points }: TermScore): MessageInitShape<typeof RiskTermSchema> => ({
    name: term.name,
    formula: term.formula,
    inputs: term.inputs.length > 0 ? named(term.inputs) : [informed],
    points,
    cap: term.cap,
  });
  return {
    region: country.code,
    scored: true,
    methodologyVersion,
    computedAt: BigInt(now.getTime()),
    degraded: readings.missing.length > 0,
    missingInputs: [...readings.missing],
    staticBaseline: country.baseline,
    baselineWeight,
    eventMultiplier: country.multiplier,
    eventWeight,
    components: score.components.map(({ component, score, terms }) => ({
      name: component.name,
      weight: component.weight,
      score,
      terms: terms.map(termOf),
    })),
    additions: score.additions.map(termOf),
    floors: score.floors.map(({ floor, holds }) => ({
      name: floor.name,
      condition: floor.condition,
      score: floor.score,
      holds,
      inputs: named(floor.inputs),
    })),
    blendedScore: score.blended,
    combinedScore: score.combined,
    ...(earlier && { earlier, dynamicScore: rounded(score.combined - earlier.combinedScore, 1) }),
  };
}

const bucketMs = 600_000;
/** A score is compared with a snapshot of 24 hours ago. It may be this number of ten-minute buckets off. */
const bucketsOff = 3;
const ttlMs = 3 * dayMs;

/** The origin and the missing inputs of a snapshot. Snapshots are comparable only if both are equal. */
export interface Kind {
  readonly origin: "live" | "sample";
  readonly missing: readonly string[];
}

/** Reads the scores of about 24 hours ago, from the nearest snapshot within half an hour, or the newer of two. */
export async function readEarlier(transaction: Transaction, { origin, missing }: Kind, now: Date) {
  const then = bucketOf(now) - dayMs;
  const [from, to] = [-bucketsOff, bucketsOff].map((buckets) => new Date(then + buckets * bucketMs));
  const { rows } = await sql<{ country: string; bucket: Date; score: number }>`
    select distinct on (country) country, bucket, score from risk_history
    where methodology = ${methodologyVersion} and origin = ${origin} and missing = ${missing.join(",")}
      and bucket between ${from} and ${to}
    order by country, abs(extract(epoch from bucket - ${new Date(then)}::timestamptz)), bucket desc`.execute(
    transaction,
  );
  return new Map(
    rows.map(({ country, bucket, score }) => [country, { at: BigInt(bucket.getTime()), combinedScore: score }]),
  );
}

/** Stores the scores as a snapshot for each ten minutes, and deletes snapshots after three days. */
export async function retainScores(
  transaction: Transaction,
  explanations: readonly Explanation[],
  { origin, missing }: Kind,
  now: Date,
): Promise<void> {
  const bucket = new Date(bucketOf(now));
  await sql`delete from risk_history where origin <> ${origin} or bucket < ${new Date(now.getTime() - ttlMs)}`.execute(
    transaction,
  );
  if (origin === "sample") await fillGap(transaction, bucket);
  const scores = explanations.map(({ region, combinedScore }) => ({ country: region, score: combinedScore }));
  await sql`
    insert into risk_history (methodology, bucket, country, origin, missing, score)
    select ${methodologyVersion}, ${bucket}::timestamptz, country, ${origin}, ${missing.join(",")}, score
    from json_to_recordset(${JSON.stringify(scores)}::json) as scored (country text, score float8)
    on conflict (methodology, bucket, country) do update
    set (origin, missing, score) = (excluded.origin, excluded.missing, excluded.score)`.execute(transaction);
}

/** Samples change once a day, so no refresh stores snapshots in between. These are copies of the previous snapshot. */
async function fillGap(transaction: Transaction, bucket: Date): Promise<void> {
  const dayBefore = new Date(bucket.getTime() - dayMs);
  await sql`
    insert into risk_history (methodology, bucket, country, origin, missing, score)
    select methodology, filled, country, origin, missing, score
    from risk_history cross join lateral generate_series(
      bucket + interval '10 minutes', ${bucket}::timestamptz - interval '10 minutes', interval '10 minutes') as filled
    where methodology = ${methodologyVersion}
      and bucket = (select max(bucket) from risk_history where bucket < ${bucket} and bucket >= ${dayBefore})
    on conflict do nothing`.execute(transaction);
}

function bucketOf(now: Date): number {
  return Math.floor(now.getTime() / bucketMs) * bucketMs;
}
