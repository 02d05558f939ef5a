import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type {
  GetMarketDataRequest,
  GetMarketDataResponseSchema,
} from "../../../gen/es/ids/market/v1/market_data_pb.ts";
import type { MarketService } from "../../../gen/es/ids/market/v1/market_pb.ts";
import {
  type GetPhysicalDivergenceIndexRequest,
  type GetPhysicalDivergenceIndexResponseSchema,
  PhysicalDivergenceState as State,
} from "../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import type {
  GetShippingStressResponseSchema,
  ShippingCarrier,
} from "../../../gen/es/ids/supply_chain/v1/shipping_stress_pb.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { readAge, sourcesReadAt } from "../../ingest/stored-metadata.ts";
import { dayMs } from "../../reference/duration.ts";
import type { Served, ServedParts } from "../../store/served/served.ts";
import type { Store } from "../../store/tables.ts";
import { methodologyVersion } from "./divergence/divergence-method.ts";
import { compositeOf, type Evidence, readMetal } from "./divergence/divergence-reading.ts";
import { type Metal, metals } from "./metals.ts";
import type { Finding } from "./premiums/input-state.ts";
import { metalPremiums } from "./premiums/metal-premiums.ts";
import { type LoadedPremiums, loadPremiums, physicalPremiums, priceLegs } from "./premiums/physical-premiums.ts";
import { clocksOf, type StoredPremium } from "./premiums/premium-table.ts";
import { sge } from "./premiums/sge.ts";
import { yahooMetals } from "./premiums/yahoo-metals.ts";

const assetClass = "commodity";
/** The sources of metal prices. The source of the exchange rate is omitted, because the rate is not quoted. */
const priceSources = [sge.name, yahooMetals.name];

function metalQuotes(parts: ServedParts): QuoteBoard {
  return {
    classes: [assetClass],
    freshForMinutes: metalPremiums.freshForMinutes,
    async read(context) {
      // The read time is loaded before the prices, so that it is never later than the time of the prices.
      const fetchedAt = await oldestResponse(parts.database);
      const loaded = await loadPremiums(parts, context);
      const quotes = metals.flatMap((metal) => {
        const row = loaded?.rows.find((stored) => stored.metal === metal.metal);
        return row ? quotesOf(metal, row) : [];
      });
      return { quotes, fetchedAt: quotes.length > 0 ? fetchedAt : undefined };
    },
  };
}

async function oldestResponse(database: Store): Promise<Date | undefined> {
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

interface ShippingDataset {
  readonly name: string;
  readonly message: typeof GetShippingStressResponseSchema;
  readonly freshForMinutes: number;
}

/** The asset class of each type of carrier. Freight rate indexes have none, because they are not assets. */
const classOf: ReadonlyMap<string, string> = new Map([
  ["carrier", "equity"],
  ["etf", "etf"],
]);

function shippingQuotes(served: Served, dataset: ShippingDataset): QuoteBoard {
  return {
    classes: [...classOf.values()],
    freshForMinutes: dataset.freshForMinutes,
    async read(context) {
      const stored = served.messageIfAny(dataset, context, { flagged: "old" });
      // A time of 0 means that the dataset was never stored.
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

interface MarketDataParts extends ServedParts {
  readonly shippingStress: ShippingDataset;
}

const defaultLimit = 30;

function marketData(parts: MarketDataParts) {
  const boards: readonly QuoteBoard[] = [shippingQuotes(parts.served, parts.shippingStress), metalQuotes(parts)];
  const storedClasses = boards.flatMap(({ classes }) => classes);
  return async (
    { symbols, assetClass, limit = defaultLimit, summary }: GetMarketDataRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof GetMarketDataResponseSchema>> => {
    const requested = assetClass.length > 0 ? [...new Set(assetClass)] : storedClasses;
    const behind = boards.filter(({ classes }) => classes.some((name) => requested.includes(name)));
    const readings = await Promise.all(behind.map((board) => board.read(context)));
    const found = readings.flatMap(({ quotes }) => quotes).filter((quote) => requested.includes(quote.assetClass));
    const missing = requested.filter((name) => !found.some((quote) => quote.assetClass === name));
    const chosen = found.filter(({ symbol }) => symbols.length === 0 || symbols.includes(symbol));
    const page = limit === 0 ? chosen : chosen.slice(0, limit);
    return {
      ...readAge(
        behind.map(({ freshForMinutes }, place) => ({
          freshForMinutes,
          readAt: readings[place]?.fetchedAt?.getTime(),
        })),
        parts.clock(),
      ),
      data: { quotes: summary ? page.map(summaryOf) : page },
      unavailable: missing.length > 0,
      unavailableAssetClasses: missing,
    };
  };
}

function summaryOf({ symbol, price, changePct }: Quote): Pick<Quote, "symbol" | "price" | "changePct"> {
  return { symbol, price, ...(changePct !== undefined && { changePct }) };
}

interface Quote {
  readonly symbol: string;
  readonly name: string;
  readonly assetClass: string;
  readonly price: number;
  readonly currency: string;
  /** The change of the price in percent since the previous close. Absent if it is unknown. */
  readonly changePct?: number;
  readonly asOf?: string;
  readonly unit?: string;
}

interface QuoteBoard {
  readonly classes: readonly string[];
  readonly freshForMinutes: number;
  readonly read: (context: HandlerContext) => Promise<QuoteReading>;
}

/** Quotes with the time when the oldest source was read. The time is undefined if a source was never read. */
interface QuoteReading {
  readonly quotes: readonly Quote[];
  readonly fetchedAt: Date | undefined;
}

type Response = MessageInitShape<typeof GetPhysicalDivergenceIndexResponseSchema>;

function physicalDivergence(parts: ServedParts) {
  return async (
    { metals: requested }: GetPhysicalDivergenceIndexRequest,
    context: HandlerContext,
  ): Promise<Response> => {
    const loaded = await loadPremiums(parts, context);
    const now = parts.clock().getTime();
    const nothing = nothingToEvaluate(loaded, now);
    const readings = metals.map((metal) => {
      const row = loaded?.rows.find((stored) => stored.metal === metal.metal);
      return readMetal(metal, nothing ?? (row && evidenceOf(row)), now);
    });
    return {
      readings: readings.filter(({ metal }) => requested.length === 0 || requested.includes(metal)),
      composite: compositeOf(readings, nothing),
      evaluatedAt: nothing ? 0n : BigInt(now),
      methodologyVersion,
      available: !nothing && readings.some(({ premiumPct }) => premiumPct !== undefined),
    };
  };
}

const retentionDays = 16;

function nothingToEvaluate(loaded: LoadedPremiums | undefined, now: number): Finding | undefined {
  const state = State.MISSING_INPUT;
  if (!loaded || now - loaded.provenance.storedAt.getTime() > retentionDays * dayMs)
    return { state, reason: "divergence_snapshot_unavailable" };
  if (loaded.rows.some(({ methodology }) => methodology !== methodologyVersion))
    return { state, reason: "divergence_methodology_unsupported" };
  return undefined;
}

function evidenceOf(row: StoredPremium): Evidence {
  return {
    premiumPct: Number(row.premium_pct),
    premiumUsdPerOz: Number(row.premium_usd_per_oz),
    clocks: clocksOf(row),
    sources: { physical: row.physical_source, paper: row.paper_source, fx: row.fx_source },
    window: row.days.map((day, place) => ({ day, pct: Number(row.pcts[place]) })),
  };
}

export const market = {
  datasets: [scheduled(metalPremiums)],
  implement,
};

function implement(parts: MarketDataParts): ServiceImpl<typeof MarketService> {
  return {
    getPhysicalPremiums: physicalPremiums(parts),
    getPhysicalDivergenceIndex: physicalDivergence(parts),
    getMarketData: marketData(parts),
  };
}
