import fc from "fast-check";
import { expect, test } from "vitest";
import { chosenCountries } from "../../../../src/domains/economic/country-figures/country-choice.ts";

const code = fc.stringMatching(/^[A-Z]{2}$/);
const reported = fc
  .uniqueArray(code, { maxLength: 60 })
  .map((codes) => Object.fromEntries(codes.map((one) => [one, one])));

test("named countries are exactly those that are known, in the map's own order, whatever the limit", () => {
  fc.assert(
    fc.property(
      reported,
      fc.array(code, { minLength: 1 }),
      fc.option(fc.nat(), { nil: undefined }),
      (all, countries, limit) => {
        expect(Object.keys(chosenCountries(all, { countries, limit }))).toEqual(
          Object.keys(all).filter((one) => countries.includes(one)),
        );
      },
    ),
  );
});

test("without names a default number is chosen: 30 without a limit, all with 0", () => {
  fc.assert(
    fc.property(reported, fc.option(fc.nat(80), { nil: undefined }), (all, limit) => {
      const max = limit === 0 ? 60 : (limit ?? 30);
      expect(Object.keys(chosenCountries(all, { countries: [], limit }))).toEqual(Object.keys(all).slice(0, max));
    }),
  );
});
