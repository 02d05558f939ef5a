import fc from "fast-check";
import { expect, test } from "vitest";
import { searchable, wordsOf } from "../../../../src/domains/economic/tenders/tender-filter.ts";

test("the searchable form of a text contains that of each of its words, so that a search with one finds it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const form = searchable(text);
      for (const word of text.split(/\s+/)) expect(form).toContain(searchable(word));
      for (const word of wordsOf(form)) expect(searchable(word)).toBe(word);
    }),
    { numRuns: 2_000 },
  );
});
