import { type Html, html } from "../../pages/html.ts";
import type { SourceProperty } from "../metadata.ts";
import { dayText } from "./times.ts";

export interface Citation {
  readonly title: string;
  readonly sources: readonly Pick<SourceProperty, "name" | "terms">[];
  readonly readAt: number;
  readonly isSample: boolean;
  readonly address: string;
}

/** Returns the text of a citation, with a warning if the values are invented. */
export function citationMarkup({ title, sources, readAt, isSample, address }: Citation): Html {
  const terms = [...new Set(sources.map((source) => source.terms))].filter((each) => each !== "");
  const text = `${title}. ${terms.join("; ")}${terms.length > 0 ? ". " : ""}Read on ${dayText(readAt)} through Intelligence Data Service, ${address}.`;
  return html`${isSample && html`<p class="notice bad">These values are invented: do not cite them.</p>`}
<pre class="request wraps" tabindex="0" role="region" aria-label="${`Text of the citation: ${title}`}"><code>${text}</code></pre>`;
}
