import { isoDay } from "../../reference/calendar.ts";
import { deprecations } from "../deprecations.ts";
import { html } from "../html.ts";
import { inlineMarkup } from "../inline-markup.ts";
import type { TextPage } from "../layout.ts";
import { releases } from "./releases.ts";

export function changelogPage(): TextPage {
  const sections = releases.map(
    ({ version, day, isOut, changes }) => html`<h2 id="${version}">${version}</h2>
<p>${isOut ? "Released" : "Not released yet; last change"} <time datetime="${day}">${day}</time>.</p>
<ul>${changes.map((change) => html`<li>${inlineMarkup(change)}</li>\n`)}</ul>
`,
  );
  const older = deprecations.map(
    ({ deprecated, path, since }) =>
      html`<li><code>${deprecated}</code>: use <code>${path}</code>. Deprecated since ${isoDay(since)}.</li>\n`,
  );
  const body = html`<p>What may change at all: <a href="/versions">versions</a>.</p>
<h2 id="deprecations">Deprecations</h2>
<ul>${older}</ul>
${sections}`;
  return { title: "Changelog", lead: "What changed for users, release by release.", body };
}
