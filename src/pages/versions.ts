import { catalog } from "../contract/catalog.ts";
import { escaped, page, table } from "./layout.ts";

/** The page at `/versions`: what may change, how it is announced, and what is deprecated now. */
export function versionsPage(): string {
  const aliases = catalog.flatMap(({ aliases: older, path }) => older.map((alias) => [alias, path] as const));
  const code = (text: string) => `<code>${escaped(text)}</code>`;
  const body = `
<h2>What may change</h2>
<p>The major version is part of the path (<code>/v1/</code>). Within it changes only add: new operations, optional
parameters, members of answers, values of open lists. Programs must leave alone what they do not know.</p>
<p>A change that breaks programs comes with a new major version. The old one goes on for at least 6 months after the
announcement, and the day it ends is announced at least 90 days ahead.</p>
<h2>How it is announced</h2>
<p>Answers of what is deprecated carry <code>Deprecation</code> (RFC 9745, the second since when) and <code>Link</code>
with <code>rel="successor-version"</code>; once the end is fixed, <code>Sunset</code> (RFC 8594) too. The OpenAPI document
marks it <code>deprecated</code>, and the change log names it.</p>
<h2>Scores</h2>
<p>Answers with scores carry a methodology version. When it changes, values shift: compare only values of one version.</p>
<h2>Deprecated now</h2>
${
  aliases.length === 0
    ? "<p>Nothing.</p>"
    : table(
        ["Old path", "Path"],
        aliases.map(([alias, path]) => [code(alias), code(path)]),
      )
}`;
  return page("Versions", "What stays, what may change, and how you learn of it.", body);
}
