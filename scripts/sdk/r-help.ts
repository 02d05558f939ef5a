import { firstSentence } from "../../src/contract/schema.ts";

export interface HelpItem {
  readonly name: string;
  readonly text: string;
}

interface HelpPage {
  readonly name: string;
  /** Comment of the contract. Its first sentence is the title. */
  readonly text: string;
  readonly usage: string;
  readonly items: readonly HelpItem[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly HelpItem[] }[];
}

/** Returns the help page of a function in the format of R's documentation. */
export function helpPage({ name, text, usage, items, tables }: HelpPage): string {
  return `\\name{${name}}
\\alias{${name}}
\\title{${markup(firstSentence(text).replace(/\.$/, ""))}}
\\description{
${markup(text)}
}
\\usage{
${usage}
}
\\arguments{
${items.map(itemOf).join("\n")}
}
\\value{
${tables.length > 0 ? tables.map(tableText).join("\n") : "The JSON of the response as a list."}

\\code{\\link{provenance}} of the value describes where the data are from.
}
`;
}

function tableText({ name, columns }: HelpPage["tables"][number], index: number): string {
  const start = index === 0 ? "A tibble with these columns" : `With \\code{rows = "${name}"}, these columns`;
  return `${start}:
\\describe{
${columns.map(({ name: column, text }) => `  \\item{\\code{${escaped(column)}}}{${markup(firstSentence(text))}}`).join("\n")}
}`;
}

function itemOf({ name, text }: HelpItem): string {
  return `  \\item{${name}}{${markup(text)}}`;
}

/** Converts a comment of the contract to the markup of R. Backticks become code. */
function markup(text: string): string {
  return text
    .split(/`([^`]*)`/)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : `\\code{${escaped(part)}}`))
    .join("");
}

function escaped(text: string): string {
  return text.replace(/[\\%{}]/g, "\\$&");
}
