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

export type RuleKind = "changes" | "series" | "tenders" | "staleness" | "watchlist";

interface RuleTable {
  id: string;
  account: string;
  name: string;
  kind: RuleKind;
  trigger: ColumnType<JsonValue, string, string>;
  series: string | null;
  /** The IDs of the rule's endpoints. Empty if the rule uses all endpoints of the account. */
  endpoints: string[];
  created_at: Date;
  paused_at: Date | null;
  /** Why the rule is paused. Null if the user paused it or if it is active. */
  paused_reason: ColumnType<"no endpoints" | null, "no endpoints" | null | undefined>;
  /** The position of the change log at which the rule was created or resumed. It ignores changes up to there. */
  after_position: ColumnType<string, number, number>;
  fired: Generated<string>;
  last_fired_at: Date | null;
  /** The end of the last period whose digest was sent, or was not sent because nothing had changed. */
  digested_at: Date | null;
}

interface PositionTable {
  one: Generated<boolean>;
  /** The position in the change log up to which all rules have been evaluated. */
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
