import type { Dataset } from "../../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { type Html, type HtmlValue, html } from "../../../pages/html.ts";
import { catalogState, stateMarkup } from "../../view/availability.ts";
import { numberText } from "../../view/figures.ts";
import { durationText, moment } from "../../view/times.ts";

/** How old it is, how old it may be, and why it is not better. */
export function freshnessMarkup(dataset: Dataset, now: number): Html {
  const { state, readAt, storedAt, ageSeconds, freshForSeconds, servableForSeconds, schedule, rows, generation } =
    dataset;
  const facts: readonly (readonly [string, HtmlValue])[] = [
    ["State", stateMarkup(catalogState(state))],
    ["Read from its sources", readAt === undefined ? "never" : moment(Number(readAt), now)],
    ["Age", ageSeconds === undefined ? "unknown" : durationText(ageSeconds)],
    ["Stale after", durationText(freshForSeconds)],
    ["No longer returned after", durationText(servableForSeconds)],
    ["Refreshed (cron, UTC)", html`<code>${schedule}</code>`],
    ["Last stored", storedAt === undefined ? "never" : moment(Number(storedAt), now)],
    ["Rows", rows === undefined ? "unknown" : numberText(rows)],
    ["Generation", generation === undefined ? "none" : String(generation)],
    ...(dataset.failure === undefined ? [] : ([["Last failure", dataset.failure]] as const)),
    ...(dataset.reads.length === 0
      ? []
      : ([
          [
            "Computed from",
            dataset.reads.map((name, index) => html`${index > 0 && ", "}<a href="/data/${name}">${name}</a>`),
          ],
        ] as const)),
  ];
  return html`<dl class="facts-list">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
