import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RuleSchema } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import type { RuleRow } from "../alert-table.ts";
import { triggerOf } from "./rule-store.ts";

/** A rule as its owner sees it. */
export function ruleMessage(row: RuleRow): MessageInitShape<typeof RuleSchema> {
  return {
    id: row.id,
    name: row.name,
    trigger: triggerOf(row),
    endpointIds: row.endpoints,
    paused: row.paused_at !== null,
    createdAt: BigInt(row.created_at.getTime()),
    ...(row.last_fired_at && { lastFiredAt: BigInt(row.last_fired_at.getTime()) }),
    fired: BigInt(row.fired),
    pausedReason: row.paused_reason ?? "",
  };
}
