import { kebab } from "../contract/catalog.ts";
import { escaped, inline } from "./escape.ts";
import { folded } from "./fold.ts";
import { Html } from "./html.ts";
import { page, type TextPage, table } from "./layout.ts";
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
  readonly tables: readonly {
    readonly title: string;
    readonly headings: readonly string[];
    readonly rows: readonly (readonly string[])[];
  }[];
}

export function methodologyPage(scores: readonly Methodology[]): TextPage {
  return page(
    "How scores are made",
    "What each score is made of, with weights, sources and rules. Do not compare scores of different versions.",
    `${introduction(scores)}\n${scores.map(scoreMarkup).join("\n")}`,
  );
}

function introduction(scores: readonly Methodology[]): string {
  const items = scores.map(
    ({ id, title, lead: [first = ""] }) => `<li><a href="#${id}">${title}</a>: ${inline(first)}</li>`,
  );
  const examples = scores.flatMap(({ id, title, example = [] }) =>
    example.length === 0
      ? []
      : `<h3 id="example-${id}">Example: ${title.toLowerCase()}</h3>
<ol>${example.map((step) => `<li>${inline(step)}</li>`).join("\n")}</ol>`,
  );
  return `<h2 id="introduction">Introduction</h2>
<p>A score combines inputs by fixed weights. Each section has the words first, then tables with every weight and formula. If an input is missing, the response names it.</p>
<ul>${items.join("\n")}</ul>
${examples.join("\n")}`;
}

function scoreMarkup({ id, title, version, explainedBy, lead, tables }: Methodology): string {
  const of = `<a href="/docs/${kebab(explainedBy)}">${explainedBy}</a>`;
  return `<h2 id="${id}">${escaped(title)}</h2>
${lead.map((text) => `<p>${inline(text)}</p>`).join("\n")}
<p class="soft">Version <code>${escaped(version)}</code>. ${of} returns every value behind a score.</p>
${tables.map(tableMarkup).join("\n")}`;
}

function tableMarkup({ title, headings, rows }: Methodology["tables"][number]): string {
  const content = table(
    headings,
    rows.map((row) => row.map(inline)),
  );
  const shown = { id: anchorOf(title), level: 3, title, content: Html.of([content], []) } as const;
  return folded({ ...shown, amount: [rows.length, "row"] }).markup;
}
