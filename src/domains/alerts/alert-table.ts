import type { JsonValue } from "@bufbuild/protobuf";
import type { ColumnType, Generated, Selectable } from "kysely";

/** The tables of rules. */
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
  /** As JSON of the contract. */
  trigger: ColumnType<JsonValue, string, string>;
  series: string | null;
  /** Empty means all of the account. */
  endpoints: string[];
  created_at: Date;
  paused_at: Date | null;
  /** Where nobody asked for it. */
  paused_reason: ColumnType<"no endpoints" | null, "no endpoints" | null | undefined>;
  /** What is logged up to here is none of its business. */
  after_position: ColumnType<string, number, number>;
  fired: Generated<string>;
  last_fired_at: Date | null;
}

interface PositionTable {
  one: Generated<boolean>;
  /** Up to here the log of changes was looked at. */
  position: ColumnType<string, number, number>;
}

/** A new point of a series that some rule watches. */
interface PointTable {
  id: Generated<string>;
  series: string;
  origin: "live" | "sample";
  key: string;
  at: Date;
  value: number;
  basis: number;
}

/** Where a figure stands for a rule. */
interface LevelTable {
  rule: string;
  key: string;
  origin: "live" | "sample";
  at: Date;
  value: number;
  basis: number;
  beyond: boolean;
}

/** A code that was sent to an address. */
interface ConfirmationTable {
  account: string;
  address_hash: string;
  sent_at: Date;
}
