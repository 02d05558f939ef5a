import type { JsonValue } from "@bufbuild/protobuf";
import type { ColumnType, Generated, Selectable } from "kysely";

/** The table of scenario jobs. */
export type ScenarioTables = { scenario_job: ScenarioJobTable };

export type ScenarioJobRow = Selectable<ScenarioJobTable>;

interface ScenarioJobTable {
  id: string;
  account: string;
  scenario_id: string;
  /** Empty means all countries. */
  iso2: string;
  disruption_pct: number;
  status: "pending" | "processing" | "done" | "failed";
  /** Computations that failed. */
  failures: Generated<number>;
  created_at: Date;
  /** It is not begun before. */
  due_at: Date;
  started_at: Generated<Date | null>;
  finished_at: Generated<Date | null>;
  /** Who computes, and until when nobody else does. */
  lease: Generated<string | null>;
  lease_until: Generated<Date | null>;
  error: Generated<"" | "computation_error">;
  /** A ScenarioResult as proto JSON. */
  result: ColumnType<JsonValue, string | undefined, string>;
  /** The result was made from the samples. */
  from_samples: Generated<boolean>;
}
