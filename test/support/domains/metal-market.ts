import { Response } from "undici";
import { metals } from "../../../src/domains/market/metals.ts";
import type { Transport } from "../../../src/upstream/network.ts";
import type { TestAppOptions } from "../app.ts";

/** The current data of the three upstreams of the premiums. The test changes it. */
export interface MetalMarket {
  /** By contract: days as YYYY-MM-DD, newest first, and the afternoon's price. */
  prints: Record<"SHAU" | "SHAG", readonly { readonly day: string; readonly price: number }[]>;
  /** By future: dollars per ounce, and the time, or null if it is unknown. */
  futures: Readonly<Record<"GC=F" | "SI=F", { readonly price: number; readonly at: Date | null }>>;
  /** The newest day with euro rates, and the rates. */
  rates: { readonly day: string; readonly usd: number; readonly cny: number };
  /** Hosts that answer 500. */
  readonly down: Set<"sge" | "yahoo" | "ecb">;
  readonly transport: Transport;
}

/** Everything that lets the sources run live. */
const metalEnvironment = { IDS_DATA: "live", IDS_SGE: "on", IDS_SOURCE_YAHOO_METALS: "on" };

export function metalMarket(now: Date): MetalMarket {
  const market: MetalMarket = {
    ...usual,
    down: new Set(),
    async transport(url) {
      const { host, pathname } = new URL(url);
      const name = (["sge", "yahoo", "ecb"] as const).find((known) => host.includes(known));
      if (!name || market.down.has(name)) return new Response("broken", { status: 500 });
      if (name === "ecb") return new Response(ratesCsv(market.rates));
      if (name === "sge") {
        const contract = pathname.includes("silver") ? "SHAG" : "SHAU";
        return new Response(page(contract, market.prints[contract]), { headers: { "content-type": "text/html" } });
      }
      const { future } = metals.find((metal) => pathname.endsWith(metal.future))!;
      return Response.json(chart(future, market.futures[future]));
    },
  };
  openDay(market, now);
  return market;
}

/** Gold is 2.4585 % and silver 7.4484 % more expensive in Shanghai than as a future. */
const usual: Pick<MetalMarket, "prints" | "futures" | "rates"> = {
  prints: { SHAU: [], SHAG: [] },
  futures: { "GC=F": { price: 3400, at: null }, "SI=F": { price: 38.5, at: null } },
  rates: { day: "", usd: 1.4, cny: 10 },
};

/** Makes a market what a new one is at that moment. */
export function resetMarket(market: MetalMarket, now: Date): void {
  market.down.clear();
  Object.assign(market, usual);
  openDay(market, now);
}

/** Moves every clock to a day on which all sources have new data: the print is of its day. */
export function openDay(market: MetalMarket, now: Date, { gold = 800, silver = 9500 } = {}): void {
  const day = dayOf(now);
  market.prints = { SHAU: [{ day, price: gold }], SHAG: [{ day, price: silver }] };
  const at = new Date(now.getTime() - 3_600_000);
  const { "GC=F": goldFuture, "SI=F": silverFuture } = market.futures;
  market.futures = { "GC=F": { ...goldFuture, at }, "SI=F": { ...silverFuture, at } };
  market.rates = { ...market.rates, day: dayOf(new Date(now.getTime() - 86_400_000)) };
}

/** Options of a live app on this market. */
export function onMarket(market: MetalMarket, now: Date): TestAppOptions {
  const wait = async () => undefined;
  return { now, environment: metalEnvironment, outside: { transport: market.transport, wait } };
}

export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

function page(contract: string, prints: MetalMarket["prints"]["SHAU"]): string {
  const rows = prints.map(
    ({ day, price }) =>
      `<tr><td>${day.replaceAll("-", "")}</td><td>${contract}</td><td>${price - 1}</td><td>${price}</td></tr>`,
  );
  const heads = ["Trade Date", "Contract", "Benchmark Price AM", "Benchmark Price PM"].map(
    (head) => `<th>${head}</th>`,
  );
  return `<html><body><table><tr>${heads.join("")}</tr>${rows.join("")}</table></body></html>`;
}

function chart(symbol: string, { price, at }: MetalMarket["futures"]["GC=F"]) {
  const time = at ? { regularMarketTime: Math.floor(at.getTime() / 1000) } : {};
  return {
    chart: { result: [{ meta: { symbol, currency: "USD", regularMarketPrice: price, ...time } }], error: null },
  };
}

function ratesCsv({ day, usd, cny }: MetalMarket["rates"]): string {
  const lines = [`CNY,EUR,${day},${cny}`, `USD,EUR,${day},${usd}`];
  return ["CURRENCY,CURRENCY_DENOM,TIME_PERIOD,OBS_VALUE", ...lines].join("\r\n");
}
