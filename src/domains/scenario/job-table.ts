import type { JsonValue } from "@bufbuild/protobuf";
import type { ColumnType, Generated, Selectable } from "kysely";

export type ScenarioTables = { scenario_job: ScenarioJobTable };

export type ScenarioJobRow = Selectable<ScenarioJobTable>;

interface ScenarioJobTable {
  id: string;
  account: string;
  scenario_id: string;
  /** An empty code means all countries. */
  iso2: string;
  disruption_pct: number;
  status: "pending" | "processing" | "done" | "failed";
  failures: Generated<number>;
  created_at: Date;
  /** The job does not start before this time. */
  due_at: Date;
  started_at: Generated<Date | null>;
  finished_at: Generated<Date | null>;
  /** The id of the worker's lease. No other worker may claim the job before `lease_until`. */
  lease: Generated<string | null>;
  lease_until: Generated<Date | null>;
  error: Generated<"" | "computation_error">;
  /** A ScenarioResult as proto JSON. */
  result: ColumnType<JsonValue, string | undefined, string>;
  from_samples: Generated<boolean>;
}
