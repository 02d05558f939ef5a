import { chapterOf } from "./hs-chapters.ts";

export interface Commodity {
  readonly id: string;
  readonly name: string;
  /** The four-digit heading of the Harmonized System that contains the commodity. */
  readonly hs4: string;
  /** True if the heading also contains other goods, so that its trade only approximates that of the commodity. */
  readonly headingCoversMore: boolean;
  readonly mineral: boolean;
  readonly buffer?: "stocks_to_use" | "gas_storage_fill" | "fuel_stock_days";
}

export const commodities: readonly Commodity[] = [
  mineral("ree", "Rare earths", "2805", true),
  mineral("lithium", "Lithium", "2836", true),
  mineral("cobalt", "Cobalt", "8105"),
  mineral("copper", "Copper", "2603"),
  mineral("nickel", "Nickel", "2604"),
  mineral("graphite", "Graphite", "2504"),
  mineral("tungsten", "Tungsten", "2611"),
  mineral("gallium", "Gallium", "8112", true),
  mineral("germanium", "Germanium", "8112", true),
  mineral("helium", "Helium", "2804", true),
  mineral("aluminum", "Aluminum", "7601"),
  mineral("bauxite", "Bauxite", "2606"),
  mineral("alumina", "Alumina", "2818"),
  mineral("uranium", "Uranium", "2612", true),
  stocked("crude_oil", "Crude oil", "2709", "fuel_stock_days"),
  stocked("lng", "LNG", "2711", "gas_storage_fill"),
  stocked("refined_petroleum", "Refined petroleum", "2710", "fuel_stock_days"),
  stocked("wheat", "Wheat", "1001", "stocks_to_use"),
  stocked("soybeans", "Soybeans", "1201", "stocks_to_use"),
  stocked("corn", "Corn", "1005", "stocks_to_use"),
  stocked("rice", "Rice", "1006", "stocks_to_use"),
  stocked("barley", "Barley", "1003", "stocks_to_use"),
  stocked("palm_oil", "Palm oil", "1511", "stocks_to_use"),
];

export function transitChapterOf({ hs4 }: Commodity): string {
  return chapterOf(hs4);
}

function mineral(id: string, name: string, hs4: string, headingCoversMore = false): Commodity {
  return { id, name, hs4, headingCoversMore, mineral: true };
}

function stocked(id: string, name: string, hs4: string, buffer: NonNullable<Commodity["buffer"]>): Commodity {
  return { id, name, hs4, headingCoversMore: false, mineral: false, buffer };
}
