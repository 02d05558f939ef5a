import type { Dataset, DatasetSource } from "../../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { catalogState, stateMarkup } from "../../view/availability.ts";
import { amountText, numberText } from "../../view/figures.ts";
import { labelOf } from "../../view/labels.ts";
import { ago, dayText } from "../../view/times.ts";
import type { Visit } from "../../visit.ts";

const meanings: Readonly<Record<string, string>> = {
  open: "Free to use and publish.",
  attribution: "Free to use and publish with the attribution.",
  "non-commercial": "Not for commercial use.",
  restricted: "Not to be passed on.",
};

/** Where it is from, how each source stands, and what may be done with it. */
export function sourcesMarkup({ sources, tables }: Dataset, now: number): Html {
  return html`${sources.length === 0 && html`<p class="soft">No source of its own: it is computed from other datasets, whose terms hold.</p>`}
<ul class="rows">${sources.map((source) => html`<li>${sourceMarkup(source, now)}</li>`)}</ul>
${sources.some(({ rowsOut }) => rowsOut !== undefined) && html`<p class="small soft">Rows of a source are as it writes them: what several sources or answers tell is one row of the dataset, and a row of a source can become several.</p>`}
${
  tables.length > 0 &&
  html`<p class="small soft">Also from tables of the program: ${tables.map(({ name, reviewedAt }, index) => html`${index > 0 && ", "}${name}${reviewedAt !== undefined && ` (reviewed ${reviewedAt})`}`)}.</p>`
}`;
}

function sourceMarkup(source: DatasetSource, now: number): Html {
  const { name, state, license, lastGoodAt, failure, failureStatus, rowsOut, rejected, runs, failures } = source;
  const kind = license?.kind ?? "";
  return html`<p><strong>${name}</strong> ${stateMarkup(catalogState(state))} <span class="soft">${lastGoodAt === undefined ? "never read" : html`read ${ago(Number(lastGoodAt), now)}`}</span></p>
<p>${license?.terms} <span class="tag">${kind}</span> <span class="soft small">${meanings[kind] ?? ""}</span></p>
${failure !== undefined && html`<p class="small">Last failure: ${failure}${failureStatus !== undefined && ` (status ${failureStatus})`}.</p>`}
<p class="soft small">${rowsOut !== undefined && `${amountText(rowsOut, "row")} of its last answer taken${rejected !== undefined && rejected > 0 ? `, ${numberText(rejected)} rejected` : ""}. `}${amountText(runs, "read")}, ${numberText(failures)} failed.</p>`;
}

/** How to name the data in a text, and where it was from. */
export function citationMarkup({ name, sources, readAt, origin }: Dataset, { origin: place }: Visit): Html {
  if (readAt === undefined)
    return html`<div class="nothing"><p><strong>Nothing to cite.</strong> This dataset was never read.</p></div>`;
  const terms = [...new Set(sources.map(({ license }) => license?.terms ?? ""))].filter((each) => each !== "");
  const accessed = dayText(Number(readAt));
  const text = `${labelOf(name)}. ${terms.join("; ")}${terms.length > 0 ? ". " : ""}Read on ${accessed} through Intelligence Data Service, ${place}/data/${name}.`;
  return html`${origin === "sample" && html`<p class="notice bad">These values are invented: do not cite them.</p>`}
<pre class="request wraps" tabindex="0" role="region" aria-label="Text of the citation"><code>${text}</code></pre>`;
}
