import { type ColumnType, type Insertable, type Selectable, sql } from "kysely";
import { roundedAway } from "../../../reference/rounding.ts";
import type { Store } from "../../../store/tables.ts";
import { history } from "../divergence/divergence-method.ts";
import { gramsPerTroyOunce, type Metal } from "../metals.ts";
import type { InputClocks } from "./input-state.ts";

interface PremiumPrices {
  /** The benchmark price in Shanghai, in yuan per unit of the metal. */
  readonly physical: number;
  /** The price of the futures, in US dollars per troy ounce. */
  readonly paper: number;
  /** The exchange rate in US dollars per yuan. */
  readonly rate: number;
}

/** The price in Shanghai minus the price of the futures, with 4 decimals. */
interface Premium {
  readonly usdPerOz: number;
  /** The premium in percent of the paper price. */
  readonly pct: number;
}

const decimals = 4;

export function premiumOf(
  { gramsPerUnit }: Pick<Metal, "gramsPerUnit">,
  { physical, paper, rate }: PremiumPrices,
): Premium {
  const usdPerOz = (physical / gramsPerUnit) * rate * gramsPerTroyOunce - paper;
  return { usdPerOz: roundedAway(usdPerOz, decimals), pct: roundedAway((usdPerOz / paper) * 100, decimals) };
}

/** `metal_current` has the current premium of each metal. `metal_premium` has one premium per benchmark price. */
export type MarketTables = { metal_current: PremiumTable; metal_premium: PremiumTable };

/** A premium with its prices. Numbers are stored as decimals and read as text. */
interface PremiumTable {
  metal: string;
  /** The day of the benchmark price in Shanghai, YYYY-MM-DD. */
  print_date: ColumnType<unknown, string, string>;
  methodology: string;
  origin: "live" | "sample";
  physical_price: string;
  physical_source: string;
  paper_price: string;
  paper_source: string;
  paper_as_of: Date | null;
  fx_rate: string;
  fx_source: string;
  fx_as_of: Date;
  premium_usd_per_oz: string;
  premium_pct: string;
  computed_at: Date;
}

export type PremiumRow = Insertable<PremiumTable>;

export interface StoredPremium extends Omit<Selectable<PremiumTable>, "print_date"> {
  /** The day of the benchmark price in Shanghai, YYYY-MM-DD. */
  readonly print_day: string;
  /** The days of the premiums that the current premium is compared with, oldest first. */
  readonly days: readonly string[];
  /** The premiums of these days in percent. */
  readonly pcts: readonly string[];
}

/** Reads the current premiums and their history in one statement, so that no refresh can happen in between. */
export async function readPremiums(database: Store): Promise<StoredPremium[]> {
  const { rows } = await sql<StoredPremium>`
    select metal_current.*, metal_current.print_date::text as print_day, points.days, points.pcts
    from metal_current cross join lateral (
      select coalesce(array_agg(print_date::text order by print_date), '{}') as days,
        coalesce(array_agg(premium_pct::text order by print_date), '{}') as pcts
      from (
        select print_date, premium_pct from metal_premium
        where metal = metal_current.metal and methodology = metal_current.methodology
        order by print_date desc limit ${history.window}
      ) as newest
    ) as points`.execute(database);
  return rows;
}

export function clocksOf(row: {
  readonly print_day: string;
  readonly paper_as_of?: Date | null;
  readonly fx_as_of: Date;
}): InputClocks {
  // Postgres dates can be infinite. These become `Infinity`.
  return {
    physical: Date.parse(row.print_day),
    paper: Number(row.paper_as_of ?? Number.NaN),
    fx: Number(row.fx_as_of),
  };
}

export function pricesOf(row: Pick<StoredPremium, "physical_price" | "paper_price" | "fx_rate">): PremiumPrices {
  return { physical: Number(row.physical_price), paper: Number(row.paper_price), rate: Number(row.fx_rate) };
}
