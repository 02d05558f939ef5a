import { printable } from "../reference/printable.ts";
import { total } from "../reference/sums.ts";
import type { Terminal } from "./terminal.ts";

const gap = "  ";
/** Maximum width that a column gets for its longest word. Longer words, such as URLs, are broken. */
const maxWordWidth = 24;

/**
 * Formats rows as columns under headings, within the width of the terminal. Without a terminal, lines are not broken.
 */
export function table(
  { isTTY, columns }: Pick<Terminal["out"], "isTTY" | "columns">,
  headings: readonly string[],
  cells: readonly (readonly string[])[],
): string {
  // Cells are made printable, because they contain text from external sources. Line breaks become blanks.
  const rows = cells.map((row) => headings.map((_, column) => printable((row[column] ?? "").replaceAll(/\s+/g, " "))));
  const natural = headings.map((heading, column) =>
    Math.max(columnsOf(heading), ...rows.map((row) => columnsOf(row[column] ?? ""))),
  );
  if (!isTTY || !columns) return linesText([headings, ...rows], natural);
  const least = headings.map((heading, column) => wordWidth([heading, ...rows.map((row) => row[column] ?? "")]));
  const widths = fitted(natural, least, columns - gap.length * (headings.length - 1));
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

/** Returns the width of the longest word. */
function wordWidth(texts: readonly string[]): number {
  const words = texts.flatMap((text) => text.match(parts) ?? []);
  return Math.min(maxWordWidth, Math.max(1, ...words.map((word) => columnsOf(word.trimEnd()))));
}

/** Returns column widths that fit, by shrinking the widest columns. Undefined if words would be broken. */
function fitted(
  natural: readonly number[],
  least: readonly number[],
  available: number,
): readonly number[] | undefined {
  const within = (limit: number) =>
    natural.map((width, column) => Math.min(width, Math.max(limit, least[column] ?? 0)));
  let limit = Math.max(...natural);
  while (limit > 1 && total(within(limit)) > available) limit -= 1;
  const widths = within(limit);
  const spare = available - total(widths);
  if (spare < 0) return undefined;
  // The last column usually has the longest text, so it gets the remaining width.
  const last = natural.length - 1;
  return widths.map((width, column) => (column === last ? Math.min(natural[last] ?? 0, width + spare) : width));
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
  const widths = [width, Math.max(1, columns - width - gap.length)];
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
 * Returns how many columns of a terminal a text takes: two for East Asian letters and pictures, none for combining
 * marks, and one for other characters.
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

/** The parts of a text after which a line may end: at a blank or comma, or at a hyphen that is not in a date. */
const parts = /(?:[^\s,-]|-(?=\d)|,(?=\d))*(?:[\s,]+|-+(?!\d)|$)/g;

/** Breaks a text into lines of a maximum width, between its parts if possible. */
function wrapped(text: string, columns: number): string[] {
  if (columnsOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(parts) ?? []) {
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
