import type { Transaction } from "kysely";
import type { CountryImports } from "../../../../gen/es/ids/stored/v1/supply_chain_pb.ts";
import { hsChapters } from "../../../reference/trade/hs-chapters.ts";
import { replaceRows } from "../../../store/row-set.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { exposureOf, type Routes } from "./exposure.ts";

export type ImportsByCountry = ReadonlyMap<string, CountryImports>;

/** Makes these the imports on record. Returns how many headings of countries there are. */
export async function replaceImports(
  transaction: Transaction<StoreTables>,
  imports: ImportsByCountry,
): Promise<number> {
  const rows = [...imports].flatMap(([iso2, { products, fetchedAt }]) =>
    products.map(({ hs4, year, totalValue, topExporters }) => ({
      iso2,
      hs4,
      year,
      total_value: totalValue,
      fetched_at: fetchedAt,
      top_exporters: topExporters.map(({ partnerCode, partnerIso2, value, share }) => ({
        partnerCode,
        partnerIso2,
        value,
        share,
      })),
    })),
  );
  await replaceRows(transaction, { table: "imported_product", key: ["iso2", "hs4"], rows });
  return rows.length;
}

/** Computes the exposure of every country and watched chapter anew. */
export async function replaceExposures(
  transaction: Transaction<StoreTables>,
  imports: ImportsByCountry,
  { routes, now }: { readonly routes: Routes; readonly now: Date },
): Promise<void> {
  const rows = [...routes.keys()].flatMap((iso2) =>
    [...hsChapters.keys()].map((hs2) => {
      const { coverage, scores, primaryId, vulnerabilityIndex } = exposureOf(
        iso2,
        hs2,
        imports.get(iso2)?.products ?? [],
        routes,
      );
      return {
        iso2,
        hs2,
        coverage,
        scores: Object.fromEntries(scores),
        primary_chokepoint_id: primaryId,
        vulnerability_index: vulnerabilityIndex,
        computed_at: now,
      };
    }),
  );
  const table = "chokepoint_exposure";
  await replaceRows(transaction, { table, key: ["iso2", "hs2"], written: ["computed_at"], rows });
}
