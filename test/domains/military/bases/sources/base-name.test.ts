import fc from "fast-check";
import { expect, test } from "vitest";
import { plainName } from "../../../../../src/domains/military/bases/sources/vocabulary.ts";

test.each([
  ["<b>Fort</b> Example", "Fort Example"],
  ["Fort &amp; Camp &#39;A&#x27;", "Fort & Camp 'A'"],
  ["&lt;script&gt;x&lt;/script&gt;", "x"],
  ["<<b>script>x", "< script>x"],
  ["Camp\u0000 \n\t Two", "Camp Two"],
  ["Site 3 < 4", "Site 3 < 4"],
  ["Base &unknown; &#xd800; A", "Base &unknown; A"],
  ["  千歳基地  ", "千歳基地"],
])("%j is read as %j", (text, name) => {
  expect(plainName(text)).toBe(name);
});

test("no name can open a tag or holds a control character", () => {
  const parts = fc.constantFrom("<", ">", "/", "b", " ", "&lt;", "&gt;", "&amp;", "script", "!", "\u0000", "é");
  fc.assert(
    fc.property(
      fc.array(parts).map((list) => list.join("")),
      (text) => {
        expect(plainName(text)).not.toMatch(/<[a-z/!?]|\p{Cc}/iu);
      },
    ),
  );
});
