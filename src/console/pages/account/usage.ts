import { fromJson } from "@bufbuild/protobuf";
import {
  AccountService,
  type GetUsageResponse,
  GetUsageResponseSchema,
  type Limit,
} from "../../../../gen/es/ids/account/v1/account_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { operationFor } from "../../facts.ts";
import type { ReadAnswer } from "../../reads.ts";
import { bar, bars } from "../../view/bars.ts";
import { type Block, type BlockParts, provenanceOf } from "../../view/block.ts";
import { amountText, numberText } from "../../view/figures.ts";
import { labelOf } from "../../view/labels.ts";
import { ago } from "../../view/times.ts";
import type { Visit } from "../../visit.ts";

const getUsage = operationFor(AccountService.method.getUsage);

export interface UsageView {
  readonly answer: ReadAnswer;
  readonly block: Block;
  readonly limits: Html | undefined;
}

/** So many operations are shown by themselves. */
const maxOperations = 12;

export async function usageBlock(visit: Visit, block: (parts: BlockParts) => Block): Promise<UsageView> {
  const answer = await visit.read(getUsage, { days: 30 });
  const found = answer.kind === "answered" ? fromJson(GetUsageResponseSchema, answer.body) : undefined;
  return {
    answer,
    limits: found && limitsMarkup(found.limits, visit),
    block: block({
      id: "usage",
      title: "Usage",
      about: "Requests of the last 30 days by operation; views of these pages count as Console.",
      content: found && usageMarkup(found),
      provenance: provenanceOf(answer),
      span: "half",
    }),
  };
}

export function limitsBlock(content: Html | undefined, block: (parts: BlockParts) => Block, answer: ReadAnswer): Block {
  return block({
    id: "limits",
    title: "Limits",
    about: "What the plan allows and what is left now.",
    content,
    provenance: provenanceOf(answer),
    span: "half",
  });
}

function usageMarkup({ usage }: GetUsageResponse): Html {
  const totals = [...Map.groupBy(usage, ({ operation }) => operation)]
    .map(([operation, rows]) => ({ operation, calls: rows.reduce((sum, { calls }) => sum + Number(calls), 0) }))
    .sort((a, b) => b.calls - a.calls);
  if (totals.length === 0)
    return html`<div class="nothing"><p><strong>No requests yet.</strong> Calls appear here within seconds.</p></div>`;
  const most = totals[0]?.calls ?? 1;
  const barsOf = (some: typeof totals) =>
    bars(
      some.map(({ operation, calls }) => ({ label: operation, value: calls, text: numberText(calls) })),
      most,
    );
  const [shown, others] = [totals.slice(0, maxOperations), totals.slice(maxOperations)];
  return html`${barsOf(shown)}${others.length > 0 && html`<details><summary>${amountText(others.length, "more operation")}</summary>${barsOf(others)}</details>`}`;
}

function limitsMarkup(limits: readonly Limit[], { now }: Visit): Html {
  return html`<div class="wide scrolls short" role="region" aria-label="Table: Limits" tabindex="0"><table><thead><tr><th scope="col">Limit</th><th scope="col" class="number">Left</th><th scope="col" class="number">Of</th><th scope="col">Renewed</th></tr></thead><tbody>${limits.map(
    ({ name, limit: of, remaining: left, resetAt }) => {
      const [limit, remaining] = [of, left].map((value) => (value === undefined ? undefined : Number(value)));
      return html`<tr><th scope="row">${labelOf(name)}</th><td class="number">${remaining === undefined ? "–" : html`<span class="bar-cell">${limit !== undefined && bar(remaining, limit, "calm")}<span>${numberText(remaining)}</span></span>`}</td><td class="number">${limit === undefined ? "unlimited" : numberText(limit)}</td><td class="time">${resetAt === undefined ? "" : ago(Number(resetAt), now)}</td></tr>\n`;
    },
  )}</tbody></table></div>`;
}
