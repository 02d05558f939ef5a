import type { Cargo } from "./bypass-corridors.ts";

/** The chapters of the Harmonized System, by two-digit code, of which this service has import data. */
export const hsChapters: ReadonlyMap<string, string> = new Map([
  ["27", "Energy"],
  ["84", "Machinery"],
  ["85", "Electronics"],
  ["87", "Vehicles"],
  ["30", "Pharma"],
  ["72", "Iron & Steel"],
  ["39", "Plastics"],
  ["29", "Chemicals"],
  ["10", "Cereals"],
  ["62", "Apparel"],
  ["12", "Oilseeds"],
  ["15", "Fats & Oils"],
  ["25", "Stone & Earths"],
  ["26", "Ores"],
  ["28", "Inorganic Chemicals"],
  ["76", "Aluminium"],
  ["81", "Other Base Metals"],
  ["02", "Meat"],
  ["71", "Precious Metals"],
]);

/** The chapters for which a cost shock is computed. Responses list equal results in this order. */
export const costShockChapters: readonly string[] = [...hsChapters.keys()].slice(0, 10);

/** The usual type of cargo of a chapter. Goods of chapters that are not listed travel in containers. */
export const cargoOfChapter: Record<string, Cargo> = { "27": "tanker", "87": "roro", "72": "bulk", "10": "bulk" };

export function chapterOf(heading: string): string {
  return heading.slice(0, 2);
}
