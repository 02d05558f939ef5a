import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ScenarioResultSchema } from "../../../gen/es/ids/scenario/v1/scenario_job_pb.ts";
import { rounded } from "../../reference/rounding.ts";
import type { Store } from "../../store/tables.ts";
import { exposedCountries, storedExposures } from "../supply-chain/published.ts";
import { readable, readDisruptions } from "./inputs.ts";
import type { ScenarioJobRow } from "./job-table.ts";
import { chaptersOf, isTariff, type Template, templateById } from "./templates.ts";

interface Exposure {
  /** The exposure of a country to each chokepoint, 0 to 100. A chokepoint without a score counts as 0. */
  readonly scores: Readonly<Record<string, number>>;
  /** The vulnerability of the country, 0 to 100, which combines its highest scores. */
  readonly vulnerabilityIndex: number;
}

/** The template of a scenario, and which percentage of the traffic is lost. */
interface Severity {
  readonly template: Template;
  readonly disruptionPct: number;
}

/** Returns the exposure of a country, which has no unit. For a tariff, it is the vulnerability of the country. */
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

interface RankedImpact {
  readonly iso2: string;
  readonly transitExposure: number;
  readonly totalImpact: number;
  /** The impact as a percentage of the highest impact of a country, or of 1 if every impact is below 1. */
  readonly impactPct: number;
}

const maxRanked = 20;
const decimals = 4;

/** Ranks countries by impact, and those with equal impact by code. Countries without an impact are omitted. */
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

interface ComputeParts {
  readonly database: Store;
  readonly clock: () => Date;
  /** If this is `live`, the computation rejects inputs from samples. */
  readonly data: "live" | "sample";
  /** Returns the milliseconds of a clock that never goes back, which measures the duration of the computation. */
  readonly elapsed: () => number;
  /** After this time, the computation stops and returns the result so far. */
  readonly limitMs: number;
}

/** How many countries one database read loads. The time limit is checked after each read. */
const countriesAtOnce = 20;

export async function computeScenario(
  { scenario_id: scenarioId, iso2, disruption_pct: disruptionPct }: ScenarioJobRow,
  signal: AbortSignal,
  { database, clock, data, elapsed, limitMs }: ComputeParts,
): Promise<MessageInitShape<typeof ScenarioResultSchema>> {
  const until = elapsed() + limitMs;
  const template = templateById(scenarioId);
  if (!template) throw new Error(`No scenario ${scenarioId}`);
  const { affectedChokepointIds, durationDays, costShockMultiplier } = template;
  const chapters = chaptersOf(template);
  const may = await readable(database, data);
  const all = async () => (may.exposures ? exposedCountries(database) : []);
  const countries = iso2 === "" ? await all() : [iso2];

  const exposed = new Map<string, number>();
  const evaluated = new Map<string, number>();
  let flowWeightedRecords = 0;
  let oldest: Date | undefined;
  let timeLimitReached = false;
  for (let start = 0; start < countries.length; start += countriesAtOnce) {
    signal.throwIfAborted();
    timeLimitReached = elapsed() >= until;
    if (timeLimitReached) break;
    const some = countries.slice(start, start + countriesAtOnce);
    const exposures = may.exposures ? await storedExposures(database, some, chapters) : [];
    for (const [country, own] of Map.groupBy(exposures, (exposure) => exposure.iso2)) {
      exposed.set(country, transitExposureOf(template, own));
      evaluated.set(country, own.length);
    }
    for (const { isFlowWeighted, computedAt } of exposures) {
      if (isFlowWeighted) flowWeightedRecords++;
      if (!oldest || computedAt < oldest) oldest = computedAt;
    }
  }

  const requestedRecords = countries.length * chapters.length;
  const evaluatedRecords = [...evaluated.values()].reduce((sum, count) => sum + count, 0);
  const factor = factorOf({ template, disruptionPct });
  const disruptions = await readDisruptions(database, may.disruptions ? affectedChokepointIds : []);
  return {
    scenarioId,
    scopedIso2: iso2,
    affectedChokepointIds: [...affectedChokepointIds],
    computedAt: clock().toISOString(),
    template: { name: nameOf(template), disruptionPct, durationDays, costShockMultiplier },
    topImpactCountries: ranked(exposed, factor).map((impact) => {
      const records = evaluated.get(impact.iso2) ?? 0;
      return { ...impact, ...evidenceOf(records, chapters.length) };
    }),
    coverage: {
      status: coverageOf(requestedRecords, evaluatedRecords, timeLimitReached),
      countries: countries.length,
      hs2Codes: [...chapters],
      requestedRecords,
      evaluatedRecords,
      flowWeightedRecords,
      timeLimitReached,
      exposuresComputedAt: oldest?.toISOString() ?? "",
    },
    currentDisruptionScores: affectedChokepointIds.map((id) => scoreOf(id, disruptions.get(id))),
    assumptions: {
      measure: isTariff(template) ? "vulnerability_index" : "exposure_score",
      factor,
      bypassCargoShare: 0,
    },
  };
}

function nameOf(template: Template): string {
  return isTariff(template) ? "tariff_shock" : template.affectedChokepointIds.join("+");
}

function scoreOf(chokepointId: string, score: number | undefined) {
  return { chokepointId, ...(score === undefined ? {} : { score }) };
}

function evidenceOf(evaluatedRecords: number, requestedRecords: number) {
  return { evaluatedRecords, requestedRecords, partialEvidence: evaluatedRecords < requestedRecords };
}

function coverageOf(requested: number, evaluated: number, timeLimitReached: boolean): string {
  if (timeLimitReached) return "partial";
  if (evaluated === 0) return "unknown";
  return evaluated < requested ? "partial" : "complete";
}
