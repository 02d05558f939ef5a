import { ScenarioService } from "../../../../gen/es/ids/scenario/v1/scenario_pb.ts";
import { type CountryImports, CountryTradeSchema } from "../../../../gen/es/ids/stored/v1/supply_chain_pb.ts";
import { GetCountryChokepointIndexResponseSchema } from "../../../../gen/es/ids/supply_chain/v1/chokepoint_index_pb.ts";
import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { dataset, type Refresh } from "../../../ingest/dataset.ts";
import type { DatasetSeries } from "../../../ingest/series/dataset-series.ts";
import { seriesOfField } from "../../../ingest/series/series.ts";
import { countryRoutes, routeTable } from "../../../reference/trade/country-routes.ts";
import { hsChapters } from "../../../reference/trade/hs-chapters.ts";
import { replaceRows } from "../../../store/row-set.ts";
import type { Transaction } from "../../../store/tables.ts";
import type { SupplyTables } from "../supply-tables.ts";
import { exposureOf, type Routes } from "./exposure.ts";
import { countImportRows, countryImportsName } from "./import-table.ts";
import { unComtrade, unComtradePreview } from "./un-comtrade.ts";

const index = seriesOfField(
  {
    id: "chokepoint.exposure",
    keyParts: ["country"],
    step: "refresh",
    shownBy: SupplyChainService.method.getCountryChokepointIndex,
  },
  GetCountryChokepointIndexResponseSchema.field.vulnerabilityIndex,
);

/**
 * The history of each country's index of dependence on chokepoints, for energy (chapter 27). A request that names no
 * chapter gets this index.
 */
const exposureSeries: DatasetSeries = {
  series: [index],
  async read(transaction, at) {
    const rows = await transaction
      .withTables<SupplyTables>()
      .selectFrom("chokepoint_exposure")
      .select(["iso2 as key", "vulnerability_index as value"])
      .where("hs2", "=", "27")
      .execute();
    return rows.map(({ key, value }) => ({ series: index, key, at, value }));
  },
};

/** Imports by country and heading, and the resulting exposure of the country to each chokepoint. */
export const countryImports = dataset({
  name: countryImportsName,
  subject:
    "Imports of countries by supplier, for 36 four-digit headings in the latest year, and their exposure to chokepoints.",
  notIncluded: [
    "import quantities, imports in tons: US dollars",
    "exports by product, imports of earlier years: imports of the latest year",
  ],
  row: CountryTradeSchema,
  schedule: "10 6 * * *",
  freshForMinutes: 48 * 60,
  // Imports are annual, so they stay valid for long. Those of most countries are read every 22 days.
  servableForMinutes: 45 * 24 * 60,
  storedTables: ["imported_product", "chokepoint_exposure"],
  series: exposureSeries,
  serves: [
    SupplyChainService.method.getCountryChokepointIndex,
    SupplyChainService.method.getCountryProducts,
    SupplyChainService.method.getMultiSectorCostShock,
    ScenarioService.method.runScenario,
  ],
  sources: [unComtrade, unComtradePreview],
  tables: [routeTable],
  countRows: countImportRows,
  async write(transaction, { bySource, now }) {
    const imports = byCountry(bySource);
    const rows = await replaceImports(transaction, imports);
    await replaceExposures(transaction, imports, { routes: countryRoutes, now });
    return rows;
  },
});

/** Combines the sources. If two sources have the imports of a country, the imports that were read later are used. */
function byCountry(bySource: Refresh<typeof CountryTradeSchema>["bySource"]): Map<string, CountryImports> {
  const imports = new Map<string, CountryImports>();
  for (const { iso2, reported } of [...bySource.values()].flat()) {
    if (reported.case === "imports" && reported.value.fetchedAt > (imports.get(iso2)?.fetchedAt ?? ""))
      imports.set(iso2, reported.value);
  }
  return imports;
}

type ImportsByCountry = ReadonlyMap<string, CountryImports>;

async function replaceImports(transaction: Transaction, imports: ImportsByCountry): Promise<number> {
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

async function replaceExposures(
  transaction: Transaction,
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
