import type { JsonValue } from "@bufbuild/protobuf";
import type { ColumnType, Generated, Selectable } from "kysely";

export type AlertTables = {
  alert_rule: RuleTable;
  alert_position: PositionTable;
  alert_point: PointTable;
  alert_level: LevelTable;
  confirmation_sent: ConfirmationTable;
};

export type RuleRow = Selectable<RuleTable>;

export type RuleKind = "changes" | "series" | "tenders" | "staleness";

interface RuleTable {
  id: string;
  account: string;
  name: string;
  kind: RuleKind;
  trigger: ColumnType<JsonValue, string, string>;
  series: string | null;
  /** An empty list means all endpoints of the account. */
  endpoints: string[];
  created_at: Date;
  paused_at: Date | null;
  /** The reason is null if the user paused the rule. */
  paused_reason: ColumnType<"no endpoints" | null, "no endpoints" | null | undefined>;
  /** The rule ignores changes that were logged up to this position. */
  after_position: ColumnType<string, number, number>;
  fired: Generated<string>;
  last_fired_at: Date | null;
}

interface PositionTable {
  one: Generated<boolean>;
  /** The log of changes is evaluated up to this position. */
  position: ColumnType<string, number, number>;
}

interface PointTable {
  id: Generated<string>;
  series: string;
  origin: "live" | "sample";
  key: string;
  at: Date;
  value: number;
  basis: number;
}

interface LevelTable {
  rule: string;
  key: string;
  origin: "live" | "sample";
  at: Date;
  value: number;
  basis: number;
  beyond: boolean;
}

interface ConfirmationTable {
  account: string;
  address_hash: string;
  sent_at: Date;
}
