import type { Plans } from "../../access/plans.ts";
import { globalRules } from "../../access/quotas/quota-rules.ts";
import { catalog } from "../../contract/catalog.ts";
import { planHeadings, planRows } from "../plans.ts";
import type { Block } from "./blocks.ts";
import { slugOf, titleOf } from "./contents.ts";

export const callsWithoutKey = globalRules
  .map(
    ({ limit, windowSeconds }) =>
      `${limit} requests per ${windowSeconds === 60 ? "minute" : `${windowSeconds} seconds`}`,
  )
  .join(", ");

export function plansTable(plans: Plans): Block {
  return {
    kind: "table",
    headings: planHeadings,
    rows: planRows(plans).map(([key, ...limits]) => [`\`${key}\``, ...limits]),
  };
}

export function ownLimitsTable(): Block {
  return {
    kind: "table",
    headings: ["Operation", "Limit"],
    rows: catalog.flatMap((operation) => {
      const { quotaPerMinute, freeCallsPerDay } = operation;
      const link = `[${titleOf(operation)}](/docs/${slugOf(operation)})`;
      return [
        ...(quotaPerMinute > 0 ? [[link, `${quotaPerMinute} in 60 seconds`]] : []),
        ...(freeCallsPerDay > 0 ? [[link, `${freeCallsPerDay} in a UTC day for tier 0 accounts`]] : []),
      ];
    }),
  };
}
