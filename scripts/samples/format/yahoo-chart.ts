import type { Market } from "../../../src/upstream/sample/trading-days.ts";
import { randomOf } from "../random.ts";
import { on, trade } from "../world/trading.ts";
import { jsonText, numeric } from "./json.ts";

export interface Chart {
  readonly symbol: string;
  readonly shortName: string;
  readonly exchange: readonly [code: string, name: string];
  readonly type: "FUTURE" | "ETF" | "EQUITY";
  readonly range: "1d" | "1mo";
  readonly market: Market;
  readonly closes: ReadonlyMap<number, number>;
  /** Trading days with bars, oldest first, and the bars among them without trade. */
  readonly days: readonly number[];
  readonly untraded?: readonly number[];
  readonly decimals: number;
  readonly volume: number;
  /** Start of a bar and time of the day's last trade, in UTC. */
  readonly opens: string;
  readonly closed: string;
}

/** Returns a response of Yahoo's chart API: daily bars around the closing prices of a random walk. */
export function yahooChart(chart: Chart): string {
  const { symbol, closes, decimals, range, untraded = [] } = chart;
  const bars = chart.days.map((day) => (untraded.includes(day) ? undefined : barOf(chart, day)));
  const last = chart.days.at(-1) ?? -1;
  const newest = barOf(chart, last);
  const column = (name: keyof typeof newest) => bars.map((bar) => bar?.[name] ?? null);
  const [exchangeName, fullExchangeName] = chart.exchange;
  const meta = {
    currency: "USD",
    symbol,
    exchangeName,
    fullExchangeName,
    instrumentType: chart.type,
    regularMarketTime: numeric(trade(last, `T${chart.closed} s`, chart.market)),
    hasPrePostMarketData: chart.type !== "FUTURE",
    gmtoffset: -18_000,
    timezone: "EST",
    exchangeTimezoneName: "America/New_York",
    regularMarketPrice: newest.close,
    regularMarketDayHigh: newest.high,
    regularMarketDayLow: newest.low,
    regularMarketVolume: newest.volume,
    longName: chart.shortName,
    shortName: chart.shortName,
    chartPreviousClose: Number(on(closes, previousOf(chart.days[0] ?? last)).toFixed(decimals)),
    priceHint: 2,
    dataGranularity: "1d",
    range,
  };
  const quote = { open: column("open"), high: column("high"), low: column("low"), close: column("close") };
  const result = {
    meta,
    timestamp: chart.days.map((day) => numeric(trade(day, `T${chart.opens} s`, chart.market))),
    indicators: { quote: [{ ...quote, volume: column("volume") }], adjclose: [{ adjclose: quote.close }] },
  };
  return jsonText({ chart: { result: [result], error: null } });
}

function previousOf(day: number): number {
  return day === 1 ? -1 : day - 1;
}

function barOf({ symbol, closes, decimals, volume }: Chart, day: number) {
  const { normal, unit } = randomOf("bar", symbol, day);
  const close = on(closes, day);
  const open = on(closes, previousOf(day)) * (1 + 0.003 * normal());
  const price = (value: number) => Number(value.toFixed(decimals));
  return {
    open: price(open),
    high: price(Math.max(open, close) * (1 + 0.006 * unit())),
    low: price(Math.min(open, close) * (1 - 0.006 * unit())),
    close: price(close),
    volume: Math.round(volume * Math.exp(0.35 * normal())),
  };
}
