import { sql } from "kysely";
import { MarketService, PhysicalPremiumSchema } from "../../../../gen/es/ids/market/v1/market_pb.ts";
import { type DatasetSeries, seriesOfField } from "../../../ingest/series/series.ts";

const terms = { keyParts: ["metal"], step: "day", shownBy: MarketService.method.getPhysicalPremiums } as const;
const percent = seriesOfField({ ...terms, id: "premium.percent" }, PhysicalPremiumSchema.field.premiumPct);
const dollars = seriesOfField({ ...terms, id: "premium.usd" }, PhysicalPremiumSchema.field.premiumUsdPerOz);

/** Premiums of metals by day of the benchmark price in Shanghai. */
export const premiumSeries: DatasetSeries = {
  series: [percent, dollars],
  async read(transaction) {
    const { rows } = await sql<{ metal: string; at: Date; percent: number; dollars: number }>`
      select metal, print_date::timestamp at time zone 'UTC' as at, premium_pct::float8 as percent,
        premium_usd_per_oz::float8 as dollars
      from metal_premium
      -- A refresh brings the current print; those before are there since theirs, or have still to be taken over.
      where (metal, methodology, print_date) in (select metal, methodology, print_date from metal_current)
        or not exists (select from series_key where series = ${percent.id} and origin = metal_premium.origin)`.execute(
      transaction,
    );
    return rows.flatMap(({ metal: key, at, ...figures }) => [
      { series: percent, key, at, value: figures.percent },
      { series: dollars, key, at, value: figures.dollars },
    ]);
  },
};
