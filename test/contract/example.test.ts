import { expect, test } from "vitest";
import { PriceFiguresSchema } from "../../gen/es/ids/economic/v1/country_macro_pb.ts";
import { GetResilienceRuntimeManifestResponseSchema } from "../../gen/es/ids/resilience/v1/runtime_manifest_pb.ts";
import { exampleOf } from "../../src/contract/example.ts";

test("the example of a map has one member, where the contract gives an example of its names; else it is empty", () => {
  expect(exampleOf(PriceFiguresSchema)).toMatchObject({ countries: { DE: { inflationPct: 2.1, year: 2026 } } });
  expect(exampleOf(GetResilienceRuntimeManifestResponseSchema)).toMatchObject({ constructVersions: {} });
});
