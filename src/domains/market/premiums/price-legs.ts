import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PriceLegSchema } from "../../../../gen/es/ids/market/v1/market_pb.ts";
import type { Metal } from "../metals.ts";
import type { StoredPremium } from "./premium-table.ts";

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
