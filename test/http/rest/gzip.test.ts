import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gzipOnce } from "../../../src/http/rest/gzip.ts";
import { randomOf } from "../../support/domains/synthetic-bases.ts";

test("answers compressed at the same time, and one after another, are each their own again", async () => {
  // From none to several times what is compressed at once.
  const response = fc.integer({ min: 0, max: 60 }).map((size) => {
    const random = randomOf(size);
    return Buffer.from(Array.from({ length: size * 3_989 }, () => Math.floor(256 * random())));
  });
  await fc.assert(
    fc.asyncProperty(fc.array(response, { maxLength: 24 }), async (responses) => {
      const packed = await Promise.all(responses.map(gzipOnce));
      expect(packed.map((each) => gunzipSync(each))).toEqual(responses);
    }),
    { numRuns: 20 },
  );
});
