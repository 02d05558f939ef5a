import { waveOf } from "../world/drift.ts";
import { type Tariffs, tariffOf, unionMembers, union as unionTariffs } from "../world/tariffs.ts";
import { decimal } from "./decimal.ts";
import { union, type WtoEconomy } from "./wto.ts";

const unreported: ReadonlySet<string> = new Set(["KP", "SO", "SS", "ER", "PS", "XK", "PR", "MC"]);

/** Returns whether an economy has its own tariff. The European Union has one, and its members have none. */
export function hasTariff({ code, alpha2 }: WtoEconomy): boolean {
  if (code === union) return true;
  return !unionMembers.has(alpha2) && !unreported.has(alpha2);
}

/** Returns the tariff in percent. It falls by one percent of its value per year. */
export function tariffValue({ code, alpha2 }: WtoEconomy, of: keyof Tariffs, year: number, digits: number): number {
  const tariffs = code === union ? unionTariffs : tariffOf(alpha2);
  return decimal(tariffs[of] * 0.99 ** (year + 1) * (1 + 0.01 * waveOf("tariff", code)(year)), digits);
}
