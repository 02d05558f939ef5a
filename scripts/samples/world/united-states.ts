import { randomOf } from "../random.ts";
import { waveOf } from "./drift.ts";

const business = waveOf("payrolls");
/** A recession: its start in months ago, its length, and thousands of lost jobs. The recovery has the same length. */
const slump = { ago: 190, months: 16, lost: 6_400 };

/** Returns the seasonally adjusted jobs in private firms a number of months ago, in thousands. */
export function payrollsIn(ago: number): number {
  const hole = slump.lost * Math.exp(-(((ago - slump.ago) / slump.months) ** 2));
  const noise = 18 * randomOf("payrolls", ago).normal();
  return Math.round(131_600 - 128 * ago - hole + 140 * business(-ago / 6) + noise);
}

/** Returns the index of labor cost a number of quarters ago. */
export function workCostIn(ago: number): number {
  return 175 * 1.0078 ** -ago * (1 + 0.002 * waveOf("work cost")(-ago / 2));
}

/** Returns duties and imports a number of quarters ago, in billions of dollars at an annual rate. */
export function customsIn(ago: number): { readonly duties: number; readonly imports: number } {
  const imports = 3420 * 1.011 ** -ago * (1 + 0.012 * waveOf("customs")(-ago));
  // In this world, tariffs rose in steps within two years.
  const rate = 0.029 + 0.066 / (1 + Math.exp(0.9 * (ago - 7)));
  return { imports, duties: imports * rate * (1 + 0.01 * waveOf("duties")(-ago)) };
}
