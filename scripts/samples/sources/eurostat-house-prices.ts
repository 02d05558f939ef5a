import type { SampleFolder } from "../folder.ts";
import { batchedSample, offsets } from "../format/eurostat-batches.ts";
import { randomOf } from "../random.ts";
import { profileOf } from "../world/country-profiles.ts";
import { waveOf } from "../world/drift.ts";

/** The year in which every index is 100. */
const baseYear = -11;
const cycle = waveOf("houses");

/** Returns house prices, which rise every year, and faster in countries whose incomes catch up. */
export function sample(): SampleFolder {
  return batchedSample({
    ...{ table: "prc_hpi_a", version: "13.0", label: "House price index (2015 = 100) - annual data" },
    note: "Illustrative house price indices with invented values in the form of Eurostat's JSON-stat, of the 27 members and two groups in eight batches; Greece begins late.",
    updated: "{{month YYYY-MM-01}}T11:00:00+0200",
    fixed: [
      { id: "freq", label: "Time frequency", codes: [["A", "Annual"]] },
      { id: "purchase", label: "Purchases", codes: [["TOTAL", "Total"]] },
      { id: "unit", label: "Unit of measure", codes: [["I15_A_AVG", "Annual average index, 2015=100"]] },
    ],
    ...{ unit: "year", periods: [-13, -1], digits: 2, value: indexIn },
    gaps: { EL: offsets(-13, -8) },
    provisional: ["AT", "CZ", "FI", "IT", "PL"],
  });
}

function indexIn(alpha2: string, year: number): number {
  const steps = offsets(Math.min(year, baseYear) + 1, Math.max(year, baseYear));
  const factor = steps.reduce((product, step) => product * (1 + riseIn(alpha2, step) / 100), 1);
  return 100 * (year < baseYear ? 1 / factor : factor);
}

/** Returns the rise of prices in percent. */
function riseIn(alpha2: string, year: number): number {
  const level = profileOf(alpha2).kind === "catchingUp" ? 7 : 3.6;
  return level + 1.2 * randomOf("houses", alpha2).normal() + 1.6 * cycle(year) + 1.8 * waveOf("houses", alpha2)(year);
}
