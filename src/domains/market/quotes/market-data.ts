import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type {
  GetMarketDataRequest,
  GetMarketDataResponseSchema,
} from "../../../../gen/es/ids/market/v1/market_data_pb.ts";
import { readAge } from "../../../ingest/read-age.ts";
import type { PremiumParts } from "../premiums/loaded-premiums.ts";
import { metalQuotes } from "./metal-quotes.ts";
import type { Quote, QuoteBoard } from "./quote.ts";
import { type ShippingDataset, shippingQuotes } from "./shipping-quotes.ts";

/** What the operation reads: the metals of this domain, and the shares of another. */
export interface MarketDataParts extends PremiumParts {
  readonly shippingStress: ShippingDataset;
}

const defaultLimit = 30;

/** The quotes on record, of the classes asked for. */
export function marketData(parts: MarketDataParts) {
  const boards: readonly QuoteBoard[] = [shippingQuotes(parts.served, parts.shippingStress), metalQuotes(parts)];
  const kept = boards.flatMap(({ classes }) => classes);
  return async (
    { symbols, assetClass, limit = defaultLimit, summary }: GetMarketDataRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof GetMarketDataResponseSchema>> => {
    const asked = assetClass.length > 0 ? [...new Set(assetClass)] : kept;
    const behind = boards.filter(({ classes }) => classes.some((name) => asked.includes(name)));
    const readings = await Promise.all(behind.map((board) => board.read(context)));
    const found = readings.flatMap(({ quotes }) => quotes).filter((quote) => asked.includes(quote.assetClass));
    const missing = asked.filter((name) => !found.some((quote) => quote.assetClass === name));
    const chosen = found.filter(({ symbol }) => symbols.length === 0 || symbols.includes(symbol));
    const reported = limit === 0 ? chosen : chosen.slice(0, limit);
    return {
      ...readAge(
        behind.map(({ freshForMinutes }, place) => ({
          freshForMinutes,
          readAt: readings[place]?.fetchedAt?.getTime(),
        })),
        parts.clock(),
      ),
      data: { quotes: summary ? reported.map(summaryOf) : reported },
      unavailable: missing.length > 0,
      unavailableAssetClasses: missing,
    };
  };
}

function summaryOf({ symbol, price, changePct }: Quote): Pick<Quote, "symbol" | "price" | "changePct"> {
  return { symbol, price, ...(changePct !== undefined && { changePct }) };
}
