import { expect, test } from "vitest";
import { loadRegions } from "../../../src/reference/places/regions.ts";

const { namedIn, nameOf } = await loadRegions();

test.each([
  ["SD", "North Darfur state", "SD-DN"],
  ["UA", "Kharkivska oblast", "UA-63"],
  ["UA", "Kyiv", "UA-30"],
  ["UA", "Kyivska oblast", "UA-32"],
  ["IR", "Tehran province", "IR-23"],
  ["IR", "Isfahan", "IR-10"],
  ["MA", "Fès-Meknès", "MA-03"],
  ["MX", "México", "MX-MEX"],
  ["ZM", "Northern Province", "ZM-05"],
])("in %s, the source's name %s is the region %s", (country, name, code) => {
  expect(namedIn(country, name)?.code).toBe(code);
});

// A wrong code is worse than none.
test.each([
  ["UA", "Kyiv Oblast"],
  ["MX", "Mexico City"],
  ["PS", "Gaza Strip"],
  ["SD", "Singa region"],
  ["", "Khartoum"],
  ["SD", ""],
])("in %s, a name of several regions or none, %s, has no code", (country, name) => {
  expect(namedIn(country, name)).toBeUndefined();
});

test("a code has a name: that of the list, or the source's own", () => {
  expect(["SD-KH", "SD:Singa region", "SD:a:b", "SD-ZZ", ""].map(nameOf)).toEqual([
    ...["Khartoum", "Singa region", "a:b", "", ""],
  ]);
});
