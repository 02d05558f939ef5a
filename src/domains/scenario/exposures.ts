import type { Kysely } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import type { Exposure } from "./impact.ts";

/** What this domain reads of the tables of supply chains. */
type ReadTables = {
  chokepoint_exposure: {
    iso2: string;
    hs2: string;
    coverage: string;
    scores: unknown;
    vulnerability_index: number;
    computed_at: Date;
  };
  chokepoint_status: { chokepoint_id: string; score: number; upstream_unavailable: boolean };
};

/** The exposure of a country's imports of a chapter, as it was stored. */
export interface StoredExposure extends Exposure {
  readonly iso2: string;
  readonly isFlowWeighted: boolean;
  readonly computedAt: Date;
}

/** The datasets that write those tables. */
const behind = ["country-imports", "chokepoint-status"];

/** Which of the tables a scenario may be computed from: live mode reads no samples. */
export interface Readable {
  readonly exposures: boolean;
  readonly disruptions: boolean;
}

export async function readable(database: Kysely<StoreTables>, data: "live" | "sample"): Promise<Readable> {
  const rows = await database.selectFrom("dataset").select(["name", "origin"]).where("name", "in", behind).execute();
  const [exposures = false, disruptions = false] = behind.map(
    (name) => data === "sample" || rows.some((row) => row.name === name && row.origin === "live"),
  );
  return { exposures, disruptions };
}

/** Countries with exposure on record. */
export async function exposedCountries(database: Kysely<StoreTables>): Promise<string[]> {
  const rows = await database
    .withTables<ReadTables>()
    .selectFrom("chokepoint_exposure")
    .select("iso2")
    .distinct()
    .orderBy("iso2")
    .execute();
  return rows.map(({ iso2 }) => iso2);
}

/** The exposures of these countries and chapters; records that cannot be read count as missing. */
export async function readExposures(
  database: Kysely<StoreTables>,
  countries: readonly string[],
  chapters: readonly string[],
): Promise<StoredExposure[]> {
  const rows = await database
    .withTables<ReadTables>()
    .selectFrom("chokepoint_exposure")
    .selectAll()
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

/** Disruption scores of these chokepoints, those that are known. */
export async function readDisruptions(
  database: Kysely<StoreTables>,
  chokepointIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (chokepointIds.length === 0) return new Map();
  const rows = await database
    .withTables<ReadTables>()
    .selectFrom("chokepoint_status")
    .select(["chokepoint_id", "score"])
    .where("chokepoint_id", "in", chokepointIds)
    .where("upstream_unavailable", "=", false)
    .execute();
  return new Map(rows.map(({ chokepoint_id: id, score }) => [id, score]));
}

/** Whether any of it was made from the samples. */
export async function isFromSamples(database: Kysely<StoreTables>): Promise<boolean> {
  const rows = await database
    .selectFrom("dataset")
    .select("name")
    .where("name", "in", behind)
    .where("origin", "=", "sample")
    .execute();
  return rows.length > 0;
}

function isScores(value: unknown): value is Readonly<Record<string, number>> {
  return typeof value === "object" && value !== null && Object.values(value).every(isScore);
}

function isScore(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= 100;
}
