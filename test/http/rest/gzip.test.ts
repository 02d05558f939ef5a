import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gzipOnce } from "../../../src/http/rest/gzip.ts";
import { randomOf } from "../../support/domains/synthetic-bases.ts";

test("answers compressed at the same time, and one after another, are each their own again", async () => {
  // From none to several times what is compressed at once.
  const answer = fc.integer({ min: 0, max: 60 }).map((size) => {
    const random = randomOf(size);
    return Buffer.from(Array.from({ length: size * 3_989 }, () => Math.floor(256 * random())));
  });
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { maxLength: 24 }), async (answers) => {
      const packed = await Promise.all(answers.map(gzipOnce));
      expect(packed.map((each) => gunzipSync(each))).toEqual(answers);
    }),
    { numRuns: 20 },
  );
});
