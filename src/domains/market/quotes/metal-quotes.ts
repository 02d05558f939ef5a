import type { Kysely } from "kysely";
import { sourcesReadAt } from "../../../ingest/stored-facts.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { type Metal, metals } from "../metals.ts";
import { loadPremiums, type PremiumParts } from "../premiums/loaded-premiums.ts";
import { metalPremiums } from "../premiums/metal-premiums.ts";
import type { StoredPremium } from "../premiums/premium-table.ts";
import { priceLegs } from "../premiums/price-legs.ts";
import { sge } from "../premiums/sge.ts";
import { yahooMetals } from "../premiums/yahoo-metals.ts";
import type { Quote, QuoteBoard } from "./quote.ts";

const assetClass = "commodity";
/** The sources whose prices are told; the exchange rate is behind no quote. */
const priceSources = [sge.name, yahooMetals.name];

/** Both prices of gold and silver, as the premiums have them. */
export function metalQuotes(parts: PremiumParts): QuoteBoard {
  return {
    classes: [assetClass],
    freshForMinutes: metalPremiums.freshForMinutes,
    async read(context) {
      // Before the prices, which may then be newer than is told, and never older.
      const fetchedAt = await oldestAnswer(parts.database);
      const loaded = await loadPremiums(parts, context);
      const quotes = metals.flatMap((metal) => {
        const row = loaded?.rows.find((stored) => stored.metal === metal.metal);
        return row ? quotesOf(metal, row) : [];
      });
      return { quotes, fetchedAt: quotes.length > 0 ? fetchedAt : undefined };
    },
  };
}

async function oldestAnswer(database: Kysely<StoreTables>): Promise<Date | undefined> {
  const readAt = await sourcesReadAt(database, [metalPremiums]);
  const read = priceSources.flatMap((name) => readAt.get(name) ?? []);
  return read.length === priceSources.length ? new Date(Math.min(...read.map(Number))) : undefined;
}

function quotesOf(metal: Metal, row: StoredPremium): Quote[] {
  const { title, contract, future } = metal;
  const { physical, paper } = priceLegs(metal, row);
  return [
    { symbol: future, name: `${title} future, COMEX`, leg: paper },
    { symbol: contract, name: `${title} benchmark, Shanghai Gold Exchange`, leg: physical },
  ].map(({ leg: { price, currency, unit, asOf }, ...named }) => ({
    ...named,
    assetClass,
    price,
    currency,
    unit,
    ...(asOf !== "" && { asOf }),
  }));
}
