import type { HandlerContext } from "@connectrpc/connect";

/** The last price of one symbol. */
export interface Quote {
  readonly symbol: string;
  readonly name: string;
  readonly assetClass: string;
  readonly price: number;
  readonly currency: string;
  /** Percent; absent where no change is measured. */
  readonly changePct?: number;
  readonly asOf?: string;
  readonly unit?: string;
}

/** One place that quotes are read from. */
export interface QuoteBoard {
  /** Classes of its quotes. */
  readonly classes: readonly string[];
  /** Age past which it counts as stale. */
  readonly freshForMinutes: number;
  readonly read: (context: HandlerContext) => Promise<QuoteReading>;
}

/** What is on record, and when the oldest source of it was read; undefined when one never was. */
export interface QuoteReading {
  readonly quotes: readonly Quote[];
  readonly fetchedAt: Date | undefined;
}
