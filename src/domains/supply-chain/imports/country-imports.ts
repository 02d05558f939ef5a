import { ScenarioService } from "../../../../gen/es/ids/scenario/v1/scenario_pb.ts";
import { type CountryImports, CountryTradeSchema } from "../../../../gen/es/ids/stored/v1/supply_chain_pb.ts";
import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { dataset, type Refresh } from "../../../ingest/dataset.ts";
import { countryRoutes, routeTable } from "../../../reference/trade/country-routes.ts";
import { exposureSeries } from "./exposure-series.ts";
import { replaceExposures, replaceImports } from "./import-store.ts";
import { countImportRows, countryImportsName } from "./import-table.ts";
import { unComtrade } from "./un-comtrade.ts";
import { unComtradePreview } from "./un-comtrade-preview.ts";

/** Imports by country and heading, and what they make of each chokepoint. */
export const countryImports = dataset({
  name: countryImportsName,
  subject: "Annual imports of countries by product and supplier, and their exposure to chokepoints.",
  row: CountryTradeSchema,
  schedule: "10 6 * * *",
  freshForMinutes: 48 * 60,
  // Annual figures, of which most countries' come anew every 22 days.
  servableForMinutes: 45 * 24 * 60,
  keptTables: ["imported_product", "chokepoint_exposure"],
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

/** Of imports that two sources tell of the newer reading counts. */
function byCountry(bySource: Refresh<typeof CountryTradeSchema>["bySource"]): Map<string, CountryImports> {
  const imports = new Map<string, CountryImports>();
  for (const { iso2, told: reported } of [...bySource.values()].flat()) {
    if (reported.case === "imports" && reported.value.fetchedAt > (imports.get(iso2)?.fetchedAt ?? ""))
      imports.set(iso2, reported.value);
  }
  return imports;
}
