import { deprecations } from "../deprecations.ts";
import { type Html, html } from "../html.ts";
import { inlineMarkup } from "../reference/markup/block-markup.ts";
import { releases } from "./releases.ts";

interface Entry {
  /** Stays the same for good: readers know an entry by it. */
  readonly id: string;
  readonly title: string;
  readonly updated: Date;
  readonly anchor: string;
  readonly content: Html;
}

/** The feed at `/changelog.atom` (RFC 4287): an entry for each release and each deprecation. */
export function changelogFeed(origin: string): string {
  const entries = [...releaseEntries(), ...deprecationEntries()].toSorted((a, b) => +b.updated - +a.updated);
  const updated = entries[0]?.updated ?? new Date(0);
  return html`${declaration}
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>urn:ids:changelog</id>
<title>Intelligence Data Service: changelog</title>
<author><name>Intelligence Data Service</name></author>
<updated>${updated.toISOString()}</updated>
<link rel="self" type="application/atom+xml" href="${origin}/changelog.atom"/>
<link rel="alternate" type="text/html" href="${origin}/changelog"/>
${entries.map(
  ({ id, title, updated, anchor, content }) => html`<entry>
<id>urn:ids:changelog:${id}</id>
<title>${title}</title>
<updated>${updated.toISOString()}</updated>
<link rel="alternate" type="text/html" href="${origin}/changelog#${anchor}"/>
<content type="html">${content.markup}</content>
</entry>
`,
)}</feed>
`.markup;
}

const declaration = html`<?xml version="1.0" encoding="utf-8"?>`;

function releaseEntries(): Entry[] {
  return releases.map(({ version, day, isOut, changes }) => ({
    id: version,
    title: isOut ? version : `${version} (not released yet)`,
    updated: new Date(day),
    anchor: version,
    content: html`<ul>${changes.map((change) => html`<li>${inlineMarkup(change)}</li>`)}</ul>`,
  }));
}

function deprecationEntries(): Entry[] {
  return deprecations.map(({ deprecated, path, since }) => ({
    id: `deprecated:${encodeURIComponent(deprecated)}`,
    title: `Deprecated: ${deprecated}`,
    updated: since,
    anchor: "deprecations",
    content: html`<p>Use <code>${path}</code>.</p>`,
  }));
}
