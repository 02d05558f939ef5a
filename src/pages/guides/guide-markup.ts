import { type FramedPage, serviceName } from "../frame/frame.ts";
import { Html, html } from "../html.ts";
import { type Surroundings, withSidebar } from "../reference/markup/page-markup.ts";
import { docsSearchForm, docsSearchPath } from "./docs-search-form.ts";
import { type Guide, guidePath, guidesBase } from "./guide.ts";
import type { GuideHit } from "./guides.ts";

type GuideSurroundings = Omit<Surroundings, "subjects">;

export function guideMarkup(
  guide: Guide,
  pages: readonly Guide[],
  origin: string,
  surroundings: GuideSurroundings,
): string {
  const path = guidePath(guide.file);
  const source = `${path}.md`;
  const content = html`<h1>${guide.title}</h1>
${Html.of([guide.markup], [])}
<p class="twin"><a href="${source}">This page as Markdown</a></p>`;
  const head = html`<link rel="alternate" type="text/markdown" href="${source}">`;
  const framing = { title: `${guide.title} - ${serviceName}`, description: guide.lead, origin, path, head };
  return documentMarkup(framing, pages, content, surroundings);
}

export function docsSearchMarkup(
  text: string,
  hits: readonly GuideHit[],
  pages: readonly Guide[],
  surroundings: GuideSurroundings,
): string {
  const answer =
    hits.length > 0
      ? html`<ul class="hits">${hits.map((hit) => html`<li><a href="${hit.path}">${hit.title}</a><br>${hit.text}</li>\n`)}</ul>`
      : html`<p>${text === "" ? "Enter a word, such as quota, cursor, or backup." : `No page contains “${text}”.`} The <a href="${guidesBase}">index of tasks</a> lists all guides, and the <a href="/docs">reference</a> all operations.</p>`;
  const content = html`<h1>Search the documentation</h1>\n${docsSearchForm("docs-search-text", text)}\n${answer}`;
  const title = `${text === "" ? "Search the documentation" : `“${text}” in the documentation`} - ${serviceName}`;
  return documentMarkup({ title, path: docsSearchPath }, pages, content, surroundings);
}

function documentMarkup(
  framing: Omit<FramedPage, "body">,
  pages: readonly Guide[],
  content: Html,
  surroundings: GuideSurroundings,
): string {
  const { datasets, guides } = Object.groupBy(pages, ({ file }) =>
    file.startsWith("datasets/") ? "datasets" : "guides",
  );
  const links = html`<a href="/docs">Reference of operations</a>
${listMarkup("Guides", guides, framing.path)}
${listMarkup("Datasets", datasets, framing.path)}`;
  const article = html`<article class="single">${content}</article>`;
  return withSidebar(framing, { title: "Guides", links, content: article }, surroundings);
}

function listMarkup(title: string, pages: readonly Guide[] = [], current: string): Html {
  const items = [...pages]
    .sort((a, b) => a.title.localeCompare(b.title))
    .map((page) => {
      const path = guidePath(page.file);
      return html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${page.title}</a></li>\n`;
    });
  return html`<section><h2>${title}</h2><ul>${items}</ul></section>`;
}
