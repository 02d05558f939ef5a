import type { SampleFolder } from "../folder.ts";
import { yahooChart } from "../format/yahoo-chart.ts";
import { thisWeek, upTo, walk } from "../world/trading.ts";

const charts = "https://query1.finance.yahoo.com/v8/finance/chart";
const bars = 22;
/** Trading day on which the fund was not traded. */
const untraded = -16;

const shares = [
  { symbol: "BDRY", name: "Breakwave Dry Bulk Shipping ETF", level: 8.86, exchange: ["PCX", "NYSEArca"], type: "ETF" },
  {
    symbol: "ZIM",
    name: "ZIM Integrated Shipping Services Ltd.",
    level: 17.4,
    exchange: ["NYQ", "NYSE"],
    type: "EQUITY",
  },
  { symbol: "MATX", name: "Matson, Inc.", level: 118.3, exchange: ["NYQ", "NYSE"], type: "EQUITY" },
  { symbol: "SBLK", name: "Star Bulk Carriers Corp.", level: 19.6, exchange: ["NMS", "NasdaqGS"], type: "EQUITY" },
  { symbol: "GNK", name: "Genco Shipping & Trading Limited", level: 17.9, exchange: ["NYQ", "NYSE"], type: "EQUITY" },
] as const;

/** Returns a month of daily bars for shares of carriers and a freight fund. */
export function sample(): SampleFolder {
  const closes = new Map(
    shares.map(({ symbol, level }) => [symbol, walk(symbol, { level, drift: 0.0004, volatility: 0.019 })]),
  );
  const files = (day: number) =>
    Object.fromEntries(
      shares.map(({ symbol, name, exchange, type }) => [
        `${symbol.toLowerCase()}.json`,
        yahooChart({
          symbol,
          shortName: name,
          exchange,
          type,
          range: "1mo",
          market: "nyse",
          closes: closes.get(symbol) ?? new Map(),
          days: upTo(day, bars).toReversed(),
          untraded: type === "ETF" ? [untraded] : [],
          decimals: 2,
          volume: 1_500_000,
          opens: "14:30",
          closed: "21:00",
        }),
      ]),
    );
  return {
    index: {
      note: "Illustrative shares with invented prices in the form of the chart API of Yahoo Finance: a month of daily bars up to the trading day before, one day of the fund without trade. There is none on weekends and closing days of the New York Stock Exchange.",
      rows: shares.length,
      editions: "editions.json",
      responses: shares.map(({ symbol }) => ({ url: `${charts}/${symbol}`, file: `${symbol.toLowerCase()}.json` })),
    },
    files: { ...files(-1), "editions.json": thisWeek("nyse", files) },
  };
}
