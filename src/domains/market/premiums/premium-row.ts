import type { MetalQuote } from "../../../../gen/es/ids/stored/v1/metal_pb.ts";
import { methodologyVersion } from "../divergence/divergence-method.ts";
import { fxPair, metals } from "../metals.ts";
import { premiumOf } from "./premium.ts";
import type { PremiumRow } from "./premium-table.ts";

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

/** ISO 8601 timestamps sort as text. A quote without a time counts as the oldest. */
function newestQuotes(quotes: readonly MetalQuote[]): ReadonlyMap<string, MetalQuote> {
  const newest = new Map<string, MetalQuote>();
  for (const quote of quotes) {
    const other = newest.get(quote.symbol);
    if (!other || quote.asOf > other.asOf) newest.set(quote.symbol, quote);
  }
  return newest;
}
