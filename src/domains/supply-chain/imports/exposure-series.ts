import { GetCountryChokepointIndexResponseSchema } from "../../../../gen/es/ids/supply_chain/v1/chokepoint_index_pb.ts";
import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { type DatasetSeries, seriesOfField } from "../../../ingest/series/series.ts";
import type { SupplyTables } from "../supply-tables.ts";

const index = seriesOfField(
  {
    id: "chokepoint.exposure",
    keyParts: ["country"],
    step: "refresh",
    shownBy: SupplyChainService.method.getCountryChokepointIndex,
  },
  GetCountryChokepointIndexResponseSchema.field.vulnerabilityIndex,
);

/** How much countries depend on their chokepoints for energy (chapter 27), as the index without a chapter tells it. */
export const exposureSeries: DatasetSeries = {
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
