import { describe, expect, test } from "vitest";
import { csvLines } from "../../src/upstream/csv-lines.ts";

describe("a CSV", () => {
  const whole = "a,b,c\n1,2,3\n4,5,6";

  test.each([whole, `${whole}\n`, `${whole}\r\n\r\n`, `${whole}\n\n  `])("%j is whole", (text) => {
    expect(csvLines("Somebody", text)).toHaveLength(3);
  });

  test.each(["a,b,c\n1,2,3\n4,5", "a,b,c\n1,2,3\n4", 'a,b,c\n1,2,3\n4,5,"6'])("%j was cut", (text) => {
    expect(() => csvLines("Somebody", text)).toThrow(/^Somebody (?:was cut: its last line has no end|is no CSV)/);
  });

  test("a short line with an end is a row of its own, which who reads it judges", () => {
    expect(csvLines("Somebody", "a,b,c\n1,2\n")).toEqual([
      ["a", "b", "c"],
      ["1", "2"],
    ]);
  });
});
