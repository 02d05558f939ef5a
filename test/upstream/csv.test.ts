import { describe, expect, test } from "vitest";
import { readCsv, readCsvTable } from "../../src/upstream/csv.ts";

describe("a CSV", () => {
  const whole = "a,b,c\n1,2,3\n4,5,6";
  const cellsOf = (text: string) => readCsv("Somebody", text).rows.map(({ cells }) => cells.join("|"));

  test.each([whole, `${whole}\n`, `${whole}\r\n\r\n`, `${whole}\n\n  `, `\uFEFF${whole}`])("%j is whole", (text) => {
    expect(cellsOf(text)).toEqual(["a|b|c", "1|2|3", "4|5|6"]);
  });

  test.each([
    "a,b,c\n1,2,3\n4,5",
    "a,b,c\n1,2,3\n4",
    'a,b,c\n1,2,3\n4,5,"6',
    'a,b,c\n1,2,3\n4,"5\n',
    'a,b,c\n1,2,3\n4,5" x',
  ])("%j was cut", (text) => {
    expect(() => readCsv("Somebody", text)).toThrow(
      /^Somebody (?:was truncated: its last line has no end|is not CSV or was truncated)/,
    );
  });

  test("a short line with an end is a row of its own, which its reader judges", () => {
    expect(cellsOf("a,b,c\n1,2\n")).toEqual(["a|b|c", "1|2"]);
  });

  test.each([
    ["in a cell without quotation marks", '4,Icebreaker 12" hull,5'],
    ["in a cell with quotation marks", '4,"Icebreaker 12" hull",5'],
    ["doubled at the start of a cell", '4,""Icebreaker"",5'],
    ["at the start of a cell", '4,"Icebreaker,5'],
    ["at the end of a cell", '4,Icebreaker",5'],
    ["in a cell of several lines", '4,"Icebreaker\n12" hull,\nand more",5'],
  ])("a quotation mark out of place %s costs its row only", (_where, bad) => {
    for (const end of ["\n", "\r\n"]) {
      const good = ["6,7,8", `9,"two${end}lines",10`, '11,"",12', '13,"a ""b"" c",14'];
      const text = ["a,b,c", "", "1,2,3", bad.replaceAll("\n", end), ...good, ""].join(end);
      const { rows, rejected } = readCsv("Somebody", text);
      expect(rows.map(({ cells }) => cells[0])).toEqual(["a", "1", "6", "9", "11", "13"]);
      expect(rejected).toEqual([{ row: "line 4", reason: "has a misplaced quotation mark" }]);
    }
  });

  test("several rows with quotation marks out of place are rejected by their lines, the last row too", () => {
    const { rows, rejected } = readCsv("Somebody", 'a,b\n1,x"\n2,"y\n3,z\n4,"q"r\n5,s\n6,t"\n');
    expect(rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [1, "a"],
      [4, "3"],
      [6, "5"],
    ]);
    expect(rejected.map(({ row }) => row)).toEqual(["line 2", "line 3", "line 5", "line 7"]);
  });

  test("a text that is full of quotation marks out of place is not CSV", () => {
    const lines = Array.from({ length: 300 }, (_, place) => `${place},x"y`);
    expect(() => readCsv("Somebody", `a,b\n${lines.join("\n")}\n`)).toThrow("Somebody is not CSV");
    expect(() => readCsv("Somebody", 'a,"b"c\n1,2\n')).toThrow("Somebody is not CSV");
  });

  test.each([",,", " , ,", '"","",', ",,,,"])("a row of empty cells, %j, is none", (empty) => {
    const { records, rejected } = readCsvTable("Somebody", `a,b,c\n1,2,3\n${empty}\n4,5,6\n${empty}\n`);
    expect(records.map(({ line, record }) => [line, record.a])).toEqual([
      [2, "1"],
      [4, "4"],
    ]);
    expect(rejected).toEqual([]);
  });

  test("a row of a table with more or fewer cells than the head is rejected by its line", () => {
    const { records, rejected } = readCsvTable("Somebody", "a,b\n1\n2,3\n4,5,6\n", ["b"]);
    expect(records.map(({ record }) => record)).toEqual([{ a: "2", b: "3" }]);
    expect(rejected.map(({ row }) => row)).toEqual(["line 2", "line 4"]);
    expect(() => readCsvTable("Somebody", "a,b\n1,2\n", ["c"])).toThrow("Somebody has no column c");
  });
});
