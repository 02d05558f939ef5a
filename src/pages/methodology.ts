import { kebab } from "../contract/catalog.ts";
import { folded } from "./fold.ts";
import { type Html, html } from "./html.ts";
import { inlineMarkup } from "./inline-markup.ts";
import { type TextPage, table } from "./layout.ts";
import { anchorOf } from "./reference/blocks.ts";

export interface Methodology {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  /** Operation that returns all inputs of a score. */
  readonly explainedBy: string;
  readonly lead: readonly string[];
  /** Steps of an example with invented numbers. */
  readonly example?: readonly string[];
  /** The inputs that sources report, each with name, meaning, unit, and source. Searches find them. */
  readonly inputs?: readonly (readonly string[])[];
  readonly tables: readonly {
    readonly title: string;
    readonly headings: readonly string[];
    readonly rows: readonly (readonly string[])[];
  }[];
}

export function methodologyPage(scores: readonly Methodology[]): TextPage {
  return {
    title: "How scores are made",
    lead: "What each score is made of, with weights, sources and rules. Do not compare scores of different versions.",
    body: html`${introduction(scores)}\n${scores.map((score) => html`${scoreMarkup(score)}\n`)}`,
  };
}

function introduction(scores: readonly Methodology[]): Html {
  return html`<h2 id="introduction">Introduction</h2>
<p>A score combines inputs by fixed weights. Each section has the words first, then tables with every weight and formula. If an input is missing, the response names it.</p>
<ul>${scores.map(({ id, title, lead: [first = ""] }) => html`<li><a href="#${id}">${title}</a>: ${inlineMarkup(first)}</li>\n`)}</ul>
${scores.map(exampleMarkup)}`;
}

function exampleMarkup({ id, title, example = [] }: Methodology): Html {
  if (example.length === 0) return html``;
  return html`<h3 id="example-${id}">Example: ${title.toLowerCase()}</h3>
<ol>${example.map((step) => html`<li>${inlineMarkup(step)}</li>\n`)}</ol>
`;
}

function scoreMarkup({ id, title, version, explainedBy, lead, tables }: Methodology): Html {
  const of = html`<a href="/docs/${kebab(explainedBy)}">${explainedBy}</a>`;
  return html`<h2 id="${id}">${title}</h2>
${lead.map((text) => html`<p>${inlineMarkup(text)}</p>\n`)}
<p class="soft">Version <code>${version}</code>. ${of} returns every value behind a score.</p>
${tables.map(tableMarkup)}`;
}

function tableMarkup({ title, headings, rows }: Methodology["tables"][number]): Html {
  const content = table(
    headings,
    rows.map((row) => row.map(inlineMarkup)),
  );
  return folded({ id: anchorOf(title), level: 3, title, content, amount: [rows.length, "row"] });
}
