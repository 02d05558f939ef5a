import { sql } from "kysely";
import type { Store } from "../../store/tables.ts";
import { chokepointStatus } from "./chokepoints/chokepoint-status.ts";
import { countryImports } from "./imports/country-imports.ts";
import { exposuresComputedAt } from "./imports/import-table.ts";
import type { SupplyTables } from "./supply-tables.ts";

export { chokepointStatus, countryImports };

interface StoredExposure {
  readonly iso2: string;
  readonly isFlowWeighted: boolean;
  /** The exposure to each chokepoint by ID, 0 to 100. */
  readonly scores: Readonly<Record<string, number>>;
  readonly vulnerabilityIndex: number;
  readonly computedAt: Date;
}

export interface StoredPassage {
  readonly chokepointId: string;
  /** The disruption score of the chokepoint, 0 to 100. */
  readonly score: number;
  readonly warnings: number;
  /** The ships of the last week relative to the usual number. Null if ships are not counted there. */
  readonly flowRatio: number | null;
  /** The last day with counted ships, YYYY-MM-DD. */
  readonly observedTo: string | null;
  /** Whether an input of the score is unavailable. The score may then be too low. */
  readonly upstreamUnavailable: boolean;
}

export async function exposedCountries(database: Store): Promise<string[]> {
  const rows = await database
    .withTables<SupplyTables>()
    .selectFrom("chokepoint_exposure")
    .select("iso2")
    .distinct()
    .orderBy("iso2")
    .execute();
  return rows.map(({ iso2 }) => iso2);
}

/** Returns the exposures of countries to chokepoints by chapter. Rows that cannot be parsed are omitted. */
export async function storedExposures(
  database: Store,
  countries: readonly string[],
  chapters: readonly string[],
): Promise<StoredExposure[]> {
  const rows = await database
    .withTables<SupplyTables>()
    .selectFrom("chokepoint_exposure")
    .select(["iso2", "coverage", "scores", "vulnerability_index", exposuresComputedAt.as("computed_at")])
    .where("iso2", "in", countries)
    .where("hs2", "in", chapters)
    .orderBy("iso2")
    .orderBy("hs2")
    .execute();
  return rows.flatMap(({ iso2, coverage, scores, vulnerability_index: vulnerabilityIndex, computed_at: computedAt }) =>
    isScores(scores) && isScore(vulnerabilityIndex)
      ? [{ iso2, isFlowWeighted: coverage === "flow_weighted", scores, vulnerabilityIndex, computedAt }]
      : [],
  );
}

/** Returns the stored states of chokepoints, either all or those with these IDs. */
export async function storedPassages(database: Store, ids?: readonly string[]): Promise<StoredPassage[]> {
  if (ids?.length === 0) return [];
  const rows = await database
    .withTables<SupplyTables>()
    .selectFrom("chokepoint_status")
    .$if(ids !== undefined, (query) => query.where("chokepoint_id", "in", ids ?? []))
    .select([
      ...(["chokepoint_id", "score", "warnings", "flow_ratio", "upstream_unavailable"] as const),
      sql<string | null>`to_char(observed_to, 'YYYY-MM-DD')`.as("observed_to"),
    ])
    .execute();
  return rows.map((row) => ({
    chokepointId: row.chokepoint_id,
    score: row.score,
    warnings: row.warnings,
    flowRatio: row.flow_ratio,
    observedTo: row.observed_to,
    upstreamUnavailable: row.upstream_unavailable,
  }));
}

function isScores(value: unknown): value is Readonly<Record<string, number>> {
  return typeof value === "object" && value !== null && Object.values(value).every(isScore);
}

function isScore(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= 100;
}
