import type { JsonValue } from "@bufbuild/protobuf";
import type { ColumnType, Generated, Selectable } from "kysely";

export type ScenarioTables = { scenario_job: ScenarioJobTable };

export type ScenarioJobRow = Selectable<ScenarioJobTable>;

interface ScenarioJobTable {
  id: string;
  account: string;
  scenario_id: string;
  /** The code of the country. Empty for all countries. */
  iso2: string;
  disruption_pct: number;
  status: "pending" | "processing" | "done" | "failed";
  failures: Generated<number>;
  created_at: Date;
  /** The time before which no worker starts the job. */
  due_at: Date;
  started_at: Generated<Date | null>;
  finished_at: Generated<Date | null>;
  /** The ID of the lease of the worker that claimed the job. Other workers cannot claim it before `lease_until`. */
  lease: Generated<string | null>;
  lease_until: Generated<Date | null>;
  error: Generated<"" | "computation_error">;
  /** The `ScenarioResult` as proto JSON. */
  result: ColumnType<JsonValue, string | undefined, string>;
  from_samples: Generated<boolean>;
}
