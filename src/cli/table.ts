import { printable } from "../reference/printable.ts";
import { columnsOf, padded, wrapped } from "./columns.ts";
import type { Terminal } from "./terminal.ts";

const gap = "  ";
/** Narrower columns would break nearly every word. */
const minWidth = 8;

/** Without a terminal, lines are not broken. */
export function table(
  { isTTY, columns }: Pick<Terminal["out"], "isTTY" | "columns">,
  headings: readonly string[],
  cells: readonly (readonly string[])[],
): string {
  // The cells contain text from other sources.
  const rows = cells.map((row) => headings.map((_heading, column) => printable(row[column] ?? "")));
  const natural = headings.map((heading, column) =>
    Math.max(columnsOf(heading), ...rows.map((row) => columnsOf(row[column] ?? ""))),
  );
  if (!isTTY || !columns) return linesText([headings, ...rows], natural);
  const widths = fitted(natural, columns - gap.length * (headings.length - 1));
  return widths ? linesText([headings, ...rows], widths) : blocksText(headings, rows, columns);
}

export function paragraphs({ isTTY, columns }: Pick<Terminal["out"], "isTTY" | "columns">, texts: readonly string[]) {
  const lines = texts.map(printable).flatMap((text) => {
    if (!isTTY || !columns) return [text];
    const [first = "", ...more] = wrapped(text, columns);
    const rest = more.length === 0 ? [] : wrapped(text.slice(first.length).trimStart(), columns - gap.length);
    return [first, ...rest.map((line) => gap + line)];
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns widths that fit, reducing the widest columns first. Undefined if too little would remain. */
function fitted(natural: readonly number[], available: number): readonly number[] | undefined {
  const total = (limit: number) => natural.reduce((sum, width) => sum + Math.min(width, limit), 0);
  let limit = Math.max(...natural);
  while (limit > minWidth && total(limit) > available) limit -= 1;
  const spare = available - total(limit);
  if (spare < 0) return undefined;
  // The last column contains the longest text, so it gets the spare width.
  const last = natural.length - 1;
  return natural.map((width, column) => Math.min(width, limit + (column === last ? spare : 0)));
}

function linesText(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  return rows.flatMap((row) => rowLines(row, widths)).join("");
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, column) => wrapped(cell, widths[column] ?? 0));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => {
    const parts = cells.map((lines, column) => padded(lines[line] ?? "", widths[column] ?? 0));
    return `${parts.join(gap).trimEnd()}\n`;
  });
}

/** Formats a block per row and a line per value, if the columns do not fit the terminal. */
function blocksText(headings: readonly string[], rows: readonly (readonly string[])[], columns: number): string {
  const width = Math.max(...headings.map(columnsOf));
  const widths = [width, Math.max(minWidth, columns - width - gap.length)];
  const blocks = rows.map((row) =>
    linesText(
      headings.flatMap((heading, column) => (row[column] ? [[heading, row[column]]] : [])),
      widths,
    ),
  );
  return blocks.join("\n");
}
