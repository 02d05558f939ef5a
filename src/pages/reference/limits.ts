import type { Plans } from "../../access/plans.ts";
import { globalRules } from "../../access/quotas/quota-rules.ts";
import { catalog } from "../../contract/catalog.ts";
import { planHeadings, planRows } from "../plans.ts";
import { type Block, table } from "./blocks.ts";
import { linkTo } from "./contents.ts";

export const callsWithoutKey = globalRules
  .map(
    ({ limit, windowSeconds }) =>
      `${limit} requests per ${windowSeconds === 60 ? "minute" : `${windowSeconds} seconds`}`,
  )
  .join(", ");

export function plansTable(plans: Plans): Block {
  const rows = planRows(plans).map(([key, ...limits]) => [`\`${key}\``, ...limits]);
  return table(planHeadings, rows);
}

export function ownLimitsTable(): Block {
  const rows = catalog.flatMap((operation) => {
    const { quotaPerMinute, freeCallsPerDay } = operation;
    const link = linkTo(operation);
    return [
      ...(quotaPerMinute > 0 ? [[link, `${quotaPerMinute} in 60 seconds`]] : []),
      ...(freeCallsPerDay > 0 ? [[link, `${freeCallsPerDay} in a UTC day for tier 0 accounts`]] : []),
    ];
  });
  return table(["Operation", "Limit"], rows);
}
