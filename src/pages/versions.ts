import { isoDay } from "../reference/calendar.ts";
import { deprecations } from "./deprecations.ts";
import { html } from "./html.ts";
import { type TextPage, table } from "./layout.ts";

export function versionsPage(): TextPage {
  const code = (text: string) => html`<code>${text}</code>`;
  const body = html`
<h2>What may change</h2>
<p>The major version is part of the path (<code>/v1/</code>). Within a major version, changes only add: new operations,
optional parameters, response fields and values of open lists. Clients must ignore what they do not know.</p>
<p>A breaking change requires a new major version. The old version stays available for at least 6 months after the
announcement. Its shutdown date is announced at least 90 days in advance.</p>
<h2>How it is announced</h2>
<p>Responses of deprecated operations have the headers <code>Deprecation</code> (RFC 9745, the start time in Unix seconds) and
<code>Link</code> with <code>rel="successor-version"</code>. Once the shutdown date is set, they also have <code>Sunset</code>
(RFC 8594). The OpenAPI document marks the operations as <code>deprecated</code>, and the <a href="/changelog">changelog</a> lists them.</p>
<h2>Scores</h2>
<p>Responses with scores include a methodology version. When the version changes, values shift: only compare values of the same version.</p>
<h2>Currently deprecated</h2>
${
  deprecations.length === 0
    ? html`<p>Nothing.</p>`
    : table(
        ["Old path or parameter", "Path", "Since"],
        deprecations.map(({ deprecated, path, since }) => [code(deprecated), code(path), isoDay(since)]),
      )
}`;
  return { title: "Versions", lead: "What is stable, what may change, and how changes are announced.", body };
}
