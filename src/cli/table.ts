import { printable } from "../reference/printable.ts";
import type { Terminal } from "./terminal.ts";

const gap = "  ";
/** Minimum width of a column. In a narrower one, nearly every word would be broken. */
const minWidth = 8;

/**
 * Formats rows as columns under headings, within the width of the terminal. Without a terminal, lines are not broken.
 */
export function table(
  { isTTY, columns }: Pick<Terminal["out"], "isTTY" | "columns">,
  headings: readonly string[],
  cells: readonly (readonly string[])[],
): string {
  // Cells are made printable, because they contain text from external sources.
  const rows = cells.map((row) => headings.map((_heading, column) => printable(row[column] ?? "")));
  const natural = headings.map((heading, column) =>
    Math.max(columnsOf(heading), ...rows.map((row) => columnsOf(row[column] ?? ""))),
  );
  if (!isTTY || !columns) return linesText([headings, ...rows], natural);
  const widths = fitted(natural, columns - gap.length * (headings.length - 1));
  return widths ? linesText([headings, ...rows], widths) : blocksText(headings, rows, columns);
}

/** Formats paragraphs for the width of the terminal. Continuation lines are indented. */
export function paragraphs({ isTTY, columns }: Pick<Terminal["out"], "isTTY" | "columns">, texts: readonly string[]) {
  const lines = texts.map(printable).flatMap((text) => {
    if (!isTTY || !columns) return [text];
    const [first = "", ...more] = wrapped(text, columns);
    const rest = more.length === 0 ? [] : wrapped(text.slice(first.length).trimStart(), columns - gap.length);
    return [first, ...rest.map((line) => gap + line)];
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns column widths that fit, by shrinking the widest columns. Undefined if columns would be too narrow. */
function fitted(natural: readonly number[], available: number): readonly number[] | undefined {
  const total = (limit: number) => natural.reduce((sum, width) => sum + Math.min(width, limit), 0);
  let limit = Math.max(...natural);
  while (limit > minWidth && total(limit) > available) limit -= 1;
  const spare = available - total(limit);
  if (spare < 0) return undefined;
  // The last column usually has the longest text, so it gets the remaining width.
  const last = natural.length - 1;
  return natural.map((width, column) => Math.min(width, limit + (column === last ? spare : 0)));
}

function linesText(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  return rows.flatMap((row) => rowLines(row, widths)).join("");
}

/** Formats a row. It has as many lines as its tallest cell. */
function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, column) => wrapped(cell, widths[column] ?? 0));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => {
    const parts = cells.map((lines, column) => padded(lines[line] ?? "", widths[column] ?? 0));
    return `${parts.join(gap).trimEnd()}\n`;
  });
}

/** Formats each row as a block with a line per value. Used if the columns do not fit the terminal. */
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

const combining = /[\p{M}\p{Cf}]/u;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

/**
 * Returns the terminal columns of a text: two for East Asian letters and pictures, none for marks, and one for other
 * code points.
 */
export function columnsOf(text: string): number {
  return Array.from(text, widthOf).reduce((sum, width) => sum + width, 0);
}

function widthOf(letter: string): number {
  if (combining.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}

/** Pads a text with blanks to a number of columns. */
function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** Breaks a text into lines of a maximum width. A line ends after a blank, hyphen, or comma if possible. */
function wrapped(text: string, columns: number): string[] {
  if (columnsOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(/[^\s,-]*(?:[\s,-]+|$)/g) ?? []) {
    if (columnsOf((line + word).trimEnd()) <= columns) {
      line += word;
      continue;
    }
    if (line !== "") lines.push(line.trimEnd());
    line = "";
    for (const letter of word) {
      if (columnsOf((line + letter).trimEnd()) > columns && line !== "") {
        lines.push(line.trimEnd());
        line = "";
      }
      line += letter;
    }
  }
  return line.trimEnd() === "" ? lines : [...lines, line.trimEnd()];
}
