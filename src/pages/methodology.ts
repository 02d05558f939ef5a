import { escaped, inline, page, table } from "./layout.ts";

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
export function methodologyPage({ version, tables }: Methodology): string {
  const body = tables.map(
    ({ title, headings, rows }) => `
<h2>${escaped(title)}</h2>
${table(
  headings,
  rows.map((row) => row.map(inline)),
)}`,
  );
  return page(
    "Methodology of resilience scores",
    `Version \`${version}\`. Scores of different versions are not to be compared; GetResilienceScoreExplanation shows every value behind one.`,
    body.join("\n"),
  );
}
