import type { JsonValue } from "@bufbuild/protobuf";
import type { ColumnType, Generated, Selectable } from "kysely";

export type ScenarioTables = { scenario_job: ScenarioJobTable };

export type ScenarioJobRow = Selectable<ScenarioJobTable>;

interface ScenarioJobTable {
  id: string;
  account: string;
  scenario_id: string;
  /** The alpha-2 code of the country to compute. Empty for all countries. */
  iso2: string;
  disruption_pct: number;
  status: "pending" | "processing" | "done" | "failed";
  failures: Generated<number>;
  created_at: Date;
  /** The time from which a worker may start the job. */
  due_at: Date;
  started_at: Generated<Date | null>;
  finished_at: Generated<Date | null>;
  /** The ID of the lease under which a worker holds the job. Others can claim the job only after `lease_until`. */
  lease: Generated<string | null>;
  lease_until: Generated<Date | null>;
  error: Generated<"" | "computation_error">;
  /** The result as proto JSON of the message `ScenarioResult`. */
  result: ColumnType<JsonValue, string | undefined, string>;
  from_samples: Generated<boolean>;
}
