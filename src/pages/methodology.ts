import { escaped, inline } from "./escape.ts";
import { page, type TextPage, table } from "./layout.ts";

/** A methodology as tables of text. */
export interface Methodology {
  readonly version: string;
  readonly tables: readonly {
    readonly title: string;
    readonly headings: readonly string[];
    readonly rows: readonly (readonly string[])[];
  }[];
}

/** The page at `/methodology`: how resilience scores are made, from the very tables that make them. */
export function methodologyPage({ version, tables }: Methodology): TextPage {
  const body = tables.map(
    ({ title, headings, rows }) => `
<h2>${escaped(title)}</h2>
${table(
  headings,
  rows.map((row) => row.map(inline)),
)}`,
  );
  return page(
    "Resilience score methodology",
    `Version \`${version}\`. Do not compare scores of different versions. GetResilienceScoreExplanation returns every value behind a score.`,
    body.join("\n"),
  );
}
