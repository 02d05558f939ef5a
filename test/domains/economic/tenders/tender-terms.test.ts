import fc from "fast-check";
import { expect, test } from "vitest";
import { searchable, searchForms } from "../../../../src/domains/economic/tenders/tender-text.ts";

test("every text is kept in the form in which it is looked for, and one of ASCII alone in no other", () => {
  const grapheme = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(grapheme, (text) => {
      expect(searchForms(text)).toContain(searchable(text));
    }),
  );
  const ascii = fc.string({ unit: "binary-ascii" });
  fc.assert(
    fc.property(ascii, (text) => {
      expect(searchForms(text)).toEqual([searchable(text)]);
    }),
  );
});
