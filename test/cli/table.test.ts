import fc from "fast-check";
import { expect, test } from "vitest";
import { columnsOf, paragraphs, table } from "../../src/cli/table.ts";

const pipe = { isTTY: false, columns: 80 };
const terminal = (columns: number) => ({ isTTY: true, columns });

test("in a pipe nothing is broken, however wide", () => {
  const cell = "long words ".repeat(40).trim();
  expect(table(pipe, ["a", "b"], [["1", cell]])).toBe(`a  b\n1  ${cell}\n`);
  expect(paragraphs(pipe, [cell])).toBe(`${cell}\n`);
});

test("on a terminal without a known width no line is broken", () => {
  const cell = "long words ".repeat(40).trim();
  expect(table(terminal(0), ["a", "b"], [["1", cell]])).toBe(table(pipe, ["a", "b"], [["1", cell]]));
  expect(paragraphs(terminal(0), [cell])).toBe(`${cell}\n`);
});

test("on a terminal the widest columns are broken where words end, and the others stay", () => {
  const rows = [["sam", "refused with the status 403, which means that the key has no role"]];
  expect(table(terminal(40), ["source", "why"], rows)).toBe(
    "source  why\nsam     refused with the status 403,\n        which means that the key has no\n        role\n",
  );
});

test("more columns than a terminal has room for are a block a row", () => {
  const headings = Array.from({ length: 9 }, (_, column) => `heading ${column}`);
  const cells = headings.map((_, column) => (column === 4 ? "" : `a value of column ${column}`));
  const text = table(terminal(60), headings, [cells, cells]);
  expect(text).toMatch(/^heading 0 {2}a value of column 0\nheading 1 {2}a value of column 1\n/);
  expect(text.split("\n\n")).toHaveLength(2);
  expect(text).not.toContain("heading 4");
});

test("words and times are not broken: rows whose words do not fit are blocks, and line breaks are blanks", () => {
  const headings = ["observedWeight", "readAt", "text"];
  const rows = [["0.5", "2026-12-01T04:20Z", "first line\nand a well-known second line"]];
  expect(table(terminal(50), headings, rows)).toBe(
    "observedWeight  readAt             text\n0.5             2026-12-01T04:20Z  first line and\n                                   a well-known\n                                   second line\n",
  );
  expect(table(terminal(40), headings, rows)).toBe(
    "observedWeight  0.5\nreadAt          2026-12-01T04:20Z\ntext            first line and a well-\n                known second line\n",
  );
});

const words = fc.string({ unit: fc.constantFrom("a", "-", " ", ",", "é", "e\u0301", "界", "\n", "\u001b", "🌍", "x") });

test("no line is wider than the terminal, and no letter of a cell is lost", () => {
  const cells = fc.array(fc.tuple(words, words, words, words), { maxLength: 4 });
  fc.assert(
    fc.property(cells, fc.integer({ min: 40, max: 120 }), (rows, columns) => {
      const text = table(terminal(columns), ["one", "two", "three", "four"], rows);
      for (const line of text.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
      const letters = (all: string) => ["a", "界", "🌍"].map((letter) => all.split(letter).length);
      expect(letters(text)).toEqual(letters(rows.flat().join("")));
    }),
  );
});

test.each([
  ["Ruanda", 6],
  ["e\u0301", 1],
  ["日本", 4],
  ["한국", 4],
  ["🌍!", 3],
])("%s takes %d columns", (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});
