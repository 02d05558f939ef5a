import type { Dataset } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { countWithData, liveSummary } from "../../contract/live-summary.ts";
import { type Html, html } from "../../pages/html.ts";
import { inlineMarkup } from "../../pages/reference/markup/block-markup.ts";
import type { Viewer } from "../viewer.ts";

/** Shown while live mode lacks most of the data: the connected sources, the missing ones, and the next steps. */
export function liveStart(
  datasets: readonly Dataset[],
  { isSample }: { readonly isSample: boolean },
  viewer: Viewer,
): Html | undefined {
  if (isSample || 2 * countWithData(datasets) >= datasets.length) return undefined;
  const lines = liveSummary(
    datasets.map(({ state, rows, sources }) => ({
      ...{ state, rows },
      sources: sources.map((source) => ({ ...source, missing: source.missingVariables, error: source.failure })),
    })),
  );
  return html`<section class="notice" aria-labelledby="live-start"><h2 id="live-start">Most live data is not connected yet</h2>
${lines.map((line) => html`<p>${inlineMarkup(line)}</p>`)}${operatorHint(viewer)}
<p><a href="/status#sources">Status of every source</a></p></section>`;
}

export function operatorHint({ keyAt, isSignedIn }: Viewer): Html | undefined {
  if (keyAt === undefined || isSignedIn) return undefined;
  return html`<p>If you run this service, <a href="/account">sign in</a> with the operator's key in <code>${keyAt}</code>. To make these pages public, set <code>IDS_PUBLIC_PAGES</code> to a plan, such as <code>api</code>.</p>`;
}
