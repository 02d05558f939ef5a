import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { type DatasetSeries, seriesTold } from "../../../ingest/series/series.ts";
import type { SupplyTables } from "../supply-tables.ts";

const score = seriesTold({
  id: "chokepoint.disruption",
  title:
    "Disruption of a chokepoint, 0 to 100, from its threat level, navigational warnings and ship transits. Webhooks are told when it changes.",
  keyParts: ["chokepoint"],
  step: "refresh",
  shownBy: SupplyChainService.method.getChokepointDependencies,
});

/** Disruption of chokepoints over time; none while a source of it cannot be read. */
export const statusSeries: DatasetSeries = {
  series: [score],
  async read(transaction, at) {
    const rows = await transaction
      .withTables<SupplyTables>()
      .selectFrom("chokepoint_status")
      .select(["chokepoint_id as key", "score as value"])
      .where("upstream_unavailable", "=", false)
      .execute();
    return rows.map(({ key, value }) => ({ series: score, key, at, value }));
  },
};
