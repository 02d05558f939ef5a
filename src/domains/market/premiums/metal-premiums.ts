import { sql } from "kysely";
import { MarketService, PhysicalPremiumSchema } from "../../../../gen/es/ids/market/v1/market_pb.ts";
import { type MetalQuote, MetalQuoteSchema } from "../../../../gen/es/ids/stored/v1/metal_pb.ts";
import { dataset } from "../../../ingest/dataset.ts";
import type { DatasetSeries } from "../../../ingest/series/dataset-series.ts";
import { seriesOfField } from "../../../ingest/series/series.ts";
import { namesOf } from "../../../reference/named.ts";
import type { Transaction } from "../../../store/tables.ts";
import { history, methodologyVersion } from "../divergence/divergence-method.ts";
import { fxPair, metals } from "../metals.ts";
import { ecbExr } from "./ecb-exr.ts";
import { isFresh } from "./input-state.ts";
import { clocksOf, type MarketTables, type PremiumRow, premiumOf } from "./premium-table.ts";
import { sge } from "./sge.ts";
import { yahooMetals } from "./yahoo-metals.ts";

export function currentPremiums(
  quotes: readonly MetalQuote[],
  { origin, now }: { readonly origin: "live" | "sample"; readonly now: Date },
): PremiumRow[] {
  const newest = newestQuotes(quotes);
  const fx = newest.get(fxPair);
  return metals.flatMap((metal) => {
    const [physical, paper] = [newest.get(metal.contract), newest.get(metal.future)];
    if (!physical || !paper || !fx) return [];
    const prices = { physical: Number(physical.price), paper: Number(paper.price), rate: Number(fx.price) };
    const premium = premiumOf(metal, prices);
    return [
      {
        metal: metal.metal,
        print_date: physical.asOf,
        methodology: methodologyVersion,
        origin,
        physical_price: physical.price,
        physical_source: physical.source,
        paper_price: paper.price,
        paper_source: paper.source,
        paper_as_of: paper.asOf === "" ? null : new Date(paper.asOf),
        fx_rate: fx.price,
        fx_source: fx.source,
        fx_as_of: new Date(fx.asOf),
        premium_usd_per_oz: String(premium.usdPerOz),
        premium_pct: String(premium.pct),
        computed_at: now,
      },
    ];
  });
}

/** Returns the newest quote per metal. The times are ISO 8601, so they sort as text. Without a time, it is oldest. */
function newestQuotes(quotes: readonly MetalQuote[]): ReadonlyMap<string, MetalQuote> {
  const newest = new Map<string, MetalQuote>();
  for (const quote of quotes) {
    const other = newest.get(quote.symbol);
    if (!other || quote.asOf > other.asOf) newest.set(quote.symbol, quote);
  }
  return newest;
}

const terms = { keyParts: ["metal"], step: "day", shownBy: MarketService.method.getPhysicalPremiums } as const;
const percent = seriesOfField({ ...terms, id: "premium.percent" }, PhysicalPremiumSchema.field.premiumPct);
const dollars = seriesOfField({ ...terms, id: "premium.usd" }, PhysicalPremiumSchema.field.premiumUsdPerOz);

/** The history of premiums, dated to the day of the benchmark price in Shanghai. */
const premiumSeries: DatasetSeries = {
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

/** The current premiums of gold and silver, and their history with one premium per benchmark price. */
export const metalPremiums = dataset({
  name: "metal-premiums",
  subject: "Gold and silver prices in Shanghai and their premium over international prices.",
  notIncluded: [
    "platinum price, palladium price, aluminium price: gold and silver",
    "gold price in London, spot prices: futures of COMEX",
  ],
  row: MetalQuoteSchema,
  schedule: "0 8 * * *",
  freshForMinutes: 3 * 24 * 60,
  // Old premiums are still served, because the divergence response then names the stale input.
  servableForMinutes: 16 * 24 * 60,
  serves: [
    MarketService.method.getPhysicalPremiums,
    MarketService.method.getPhysicalDivergenceIndex,
    MarketService.method.getMarketData,
  ],
  main: [yahooMetals, ecbExr],
  storedTables: ["metal_current", "metal_premium"],
  series: premiumSeries,
  sources: [sge, yahooMetals, ecbExr],
  async write(transaction, { bySource, origin, now }) {
    const premiums = currentPremiums([...bySource.values()].flat(), { origin, now });
    await replaceCurrent(transaction, premiums, origin);
    await appendHistory(transaction, premiums, now);
    return trimHistory(transaction);
  },
});

/** Replaces all current premiums, so a metal without a new premium has none. Deletes premiums of the other origin. */
async function replaceCurrent(
  transaction: Transaction,
  rows: readonly PremiumRow[],
  origin: "live" | "sample",
): Promise<void> {
  // Samples and live premiums must not be stored together.
  await sql`with others as (delete from metal_premium where origin <> ${origin}) delete from metal_current`.execute(
    transaction,
  );
  if (rows.length > 0)
    await transaction
      .withTables<MarketTables>()
      .insertInto("metal_current")
      .values([...rows])
      .execute();
}

/** Adds premiums to the history, or replaces those of the same day. Premiums older than the newest one are omitted. */
async function appendHistory(transaction: Transaction, rows: readonly PremiumRow[], now: Date) {
  const fresh = rows.filter((row) => isFresh(clocksOf({ ...row, print_day: row.print_date }), now.getTime()));
  const [first] = fresh;
  if (!first) return;
  const columns = namesOf(first);
  const of = (alias: string) => sql.join(columns.map((column) => sql.ref(`${alias}.${column}`)));
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`
    insert into metal_premium (${names})
    select ${of("fresh")} from json_populate_recordset(null::metal_premium, ${JSON.stringify(fresh)}) as fresh
    where not exists (
      select from metal_premium as known
      where (known.metal, known.methodology) = (fresh.metal, fresh.methodology) and known.print_date > fresh.print_date)
    on conflict (metal, methodology, print_date) do update set (${names}) = row(${of("excluded")})`.execute(
    transaction,
  );
}

async function trimHistory(transaction: Transaction): Promise<number> {
  const { rows } = await sql<{ stored: string }>`
    with ranked as (
      select metal, methodology, print_date,
        row_number() over (partition by metal, methodology order by print_date desc) as place
      from metal_premium
    ), dropped as (
      delete from metal_premium using ranked
      where ranked.place > ${history.stored} and metal_premium.metal = ranked.metal
        and metal_premium.methodology = ranked.methodology and metal_premium.print_date = ranked.print_date
    )
    select count(*) as stored from ranked where place <= ${history.stored}`.execute(transaction);
  return Number(rows[0]?.stored ?? 0);
}
