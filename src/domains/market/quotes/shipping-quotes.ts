import type {
  GetShippingStressResponseSchema,
  ShippingCarrier,
} from "../../../../gen/es/ids/supply_chain/v1/shipping_stress_pb.ts";
import type { Served } from "../../../store/served/served.ts";
import type { Quote, QuoteBoard } from "./quote.ts";

/** The dataset of shipping's shares, which another domain keeps. */
export interface ShippingDataset {
  readonly name: string;
  readonly message: typeof GetShippingStressResponseSchema;
  readonly freshForMinutes: number;
}

/** An index of freight rates is no asset, and of none of the classes. */
const classOf: ReadonlyMap<string, string> = new Map([
  ["carrier", "equity"],
  ["etf", "etf"],
]);

/** Shares of shipping companies and the freight fund. */
export function shippingQuotes(served: Served, dataset: ShippingDataset): QuoteBoard {
  return {
    classes: [...classOf.values()],
    freshForMinutes: dataset.freshForMinutes,
    async read(context) {
      const stored = served.messageIfAny(dataset, context, { flagged: "old" });
      // 0: never read.
      if (!stored?.fetchedAt) return { quotes: [], fetchedAt: undefined };
      const fetchedAt = new Date(Number(stored.fetchedAt));
      return { quotes: stored.carriers.flatMap(quoteOf), fetchedAt };
    },
  };
}

function quoteOf({ symbol, name, carrierType, price, changePct, asOf }: ShippingCarrier): Quote[] {
  const assetClass = classOf.get(carrierType);
  if (assetClass === undefined) return [];
  return [{ symbol, name, assetClass, price, currency: "USD", changePct, ...(asOf && { asOf }) }];
}
