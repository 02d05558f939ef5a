import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type {
  GetPhysicalPremiumsRequest,
  GetPhysicalPremiumsResponseSchema,
  PhysicalPremiumSchema,
  PriceLegSchema,
} from "../../../../gen/es/ids/market/v1/market_pb.ts";
import { dayMs } from "../../../reference/duration.ts";
import type { Provenance, ServedParts } from "../../../store/served/served.ts";
import { methodologyVersion } from "../divergence/divergence-method.ts";
import { fxPair, type Metal, metals } from "../metals.ts";
import { calendarDaysOld, isFresh } from "./input-state.ts";
import { metalPremiums } from "./metal-premiums.ts";
import { clocksOf, premiumOf, pricesOf, readPremiums, type StoredPremium } from "./premium-table.ts";

type PriceLeg = Required<Omit<MessageInitShape<typeof PriceLegSchema>, "$typeName" | "$unknown">>;

export function priceLegs({ unit }: Metal, row: StoredPremium): Readonly<Record<"physical" | "paper", PriceLeg>> {
  return {
    physical: {
      price: Number(row.physical_price),
      currency: "CNY",
      unit,
      source: row.physical_source,
      asOf: row.print_day,
    },
    paper: {
      price: Number(row.paper_price),
      currency: "USD",
      unit: "troy ounce",
      source: row.paper_source,
      asOf: row.paper_as_of?.toISOString() ?? "",
    },
  };
}

export interface LoadedPremiums {
  readonly provenance: Provenance;
  readonly rows: readonly StoredPremium[];
}

/** Returns the stored premiums. Undefined if there were never any. Throws `Unavailable` if the store cannot be read. */
export async function loadPremiums(
  { database, served }: ServedParts,
  context: HandlerContext,
): Promise<LoadedPremiums | undefined> {
  const provenance = served.datasetIfAny(metalPremiums, context, { flagged: "old" });
  return provenance && { provenance, rows: await readPremiums(database) };
}

type Response = MessageInitShape<typeof GetPhysicalPremiumsResponseSchema>;

export function physicalPremiums(parts: ServedParts) {
  return async ({ metals: requested }: GetPhysicalPremiumsRequest, context: HandlerContext): Promise<Response> => {
    const loaded = await loadPremiums(parts, context);
    const now = parts.clock().getTime();
    const premiums = metals.flatMap((metal) => {
      const row = loaded?.rows.find((stored) => stored.metal === metal.metal);
      return row && isServable(metal, row, now) ? [{ metal, row }] : [];
    });
    const [any] = premiums;
    if (!any || premiums.length < metals.length) return { available: false };
    return {
      available: true,
      premiums: premiums
        .filter(({ metal }) => requested.length === 0 || requested.includes(metal.metal))
        .map(({ metal, row }) => premiumMessage(metal, row)),
      fx: {
        pair: fxPair,
        rate: Number(any.row.fx_rate),
        source: any.row.fx_source,
        asOf: any.row.fx_as_of.toISOString(),
      },
    };
  };
}

const daysServed = 3;
const printDays = 10;
const tolerance = 0.0001;

/** Returns whether a premium may be served: it is recent, its prices were fresh, and it can be computed from them. */
function isServable(metal: Metal, row: StoredPremium, now: number): boolean {
  const clocks = clocksOf(row);
  const computedAt = row.computed_at.getTime();
  const { usdPerOz, pct } = premiumOf(metal, pricesOf(row));
  return (
    row.methodology === methodologyVersion &&
    isFresh(clocks, computedAt) &&
    computedAt <= now &&
    now - computedAt <= daysServed * dayMs &&
    calendarDaysOld(clocks.physical, now) <= printDays &&
    Math.abs(usdPerOz - Number(row.premium_usd_per_oz)) <= tolerance &&
    Math.abs(pct - Number(row.premium_pct)) <= tolerance
  );
}

function premiumMessage(metal: Metal, row: StoredPremium): MessageInitShape<typeof PhysicalPremiumSchema> {
  return {
    metal: metal.metal,
    ...priceLegs(metal, row),
    premiumUsdPerOz: Number(row.premium_usd_per_oz),
    premiumPct: Number(row.premium_pct),
    computedAt: row.computed_at.toISOString(),
  };
}
