import fc from "fast-check";
import { expect, test } from "vitest";
import { digestOf, entityTag, hashOf, noneMatch } from "../../../src/http/rest/encoding.ts";
import { processorMs } from "../../support/processor-time.ts";

/** What RFC 9110 8.8.3 lets stand between the quotes. */
const opaque = fc
  .array(
    fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x22 && code !== 0x7f),
    { maxLength: 30 },
  )
  .map((codes) => String.fromCharCode(...codes));
/** Any 22 characters that a hash can be made of, those that look like a suffix at the end included. */
const hash = fc
  .tuple(fc.stringMatching(/^[\w-]{19}$/), fc.oneof(fc.constantFrom("-gz", "-br"), fc.stringMatching(/^[\w-]{3}$/)))
  .map(([head, tail]) => head + tail);
const blanks = fc.stringMatching(/^[ \t]{0,3}$/);
const encoding = fc.constantFrom("identity", "gzip", "br");

/** A list as RFC 9110 5.6.1 lets it be sent: blanks round the commas, and members left empty. */
function listOf(members: fc.Arbitrary<{ weak: boolean; tag: string } | undefined>) {
  return fc.array(fc.tuple(blanks, members, blanks), { minLength: 1, maxLength: 8 }).map((parts) => ({
    tags: parts.flatMap(([, member]) => member?.tag ?? []),
    header: parts
      .map(([before, member, after]) => `${before}${member ? `${member.weak ? "W/" : ""}"${member.tag}"` : ""}${after}`)
      .join(","),
  }));
}

test("a condition holds exactly when no tag of its list, weak or strong, is one of the body's", () => {
  const cases = hash.chain((own) => {
    const member = fc.record({
      weak: fc.boolean(),
      tag: fc.oneof(
        opaque,
        fc.constantFrom("", "-gz", "-br", "x").map((end) => own + end),
      ),
    });
    return fc.tuple(fc.constant(own), listOf(fc.option(member, { nil: undefined })));
  });
  fc.assert(
    fc.property(cases, ([own, { tags, header }]) => {
      const matches = tags.some((tag) => [own, `${own}-gz`, `${own}-br`].includes(tag));
      expect(noneMatch(header, own)).toBe(!matches);
    }),
    { numRuns: 2_000 },
  );
});

test("the tag of every body, in every encoding, is recognized separately", () => {
  fc.assert(
    fc.property(fc.uint8Array(), encoding, (body, kind) => {
      const own = hashOf(digestOf(Buffer.from(body)));
      expect(noneMatch(entityTag(own, kind), own)).toBe(false);
    }),
  );
});

test("an asterisk matches every body, and only without other tags", () => {
  fc.assert(
    fc.property(hash, blanks, blanks, (own, before, after) => {
      expect(noneMatch(`${before}*${after}`, own)).toBe(false);
      expect(noneMatch(`*, "x"`, own)).toBe(true);
      expect(noneMatch(`"*"`, own)).toBe(true);
    }),
  );
});

test("whatever is sent is decided in bounded time", () => {
  const lengths = 16_384;
  const absurd = [",", '"', " ", 'W/"', '",', '",  ', '"a" ', `"a",`, "\t,", 'W/"a" x,'];
  for (const part of absurd) {
    const spent = processorMs(() => noneMatch(part.repeat(lengths / part.length), "x".repeat(22)));
    expect(spent, part).toBeLessThan(100);
  }
});
