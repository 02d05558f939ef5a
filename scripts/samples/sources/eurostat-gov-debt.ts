import type { SampleFolder } from "../folder.ts";
import { batchedSample } from "../format/eurostat-batches.ts";
import { waveOf } from "../world/drift.ts";
import { economyOf } from "../world/economy.ts";

/** Returns government debt by quarter, which interpolates the yearly values of the IMF's sample. */
export function sample(): SampleFolder {
  return batchedSample({
    ...{ table: "gov_10q_ggdebt", version: "17.0", label: "Quarterly government debt" },
    note: "Illustrative government debt with invented values in the form of Eurostat's JSON-stat, of the 27 members and two groups in eight batches; Ireland lacks a quarter, Luxembourg the last one.",
    updated: "{{quarter YYYY-MM-14}}T11:00:00+0200",
    fixed: [
      { id: "freq", label: "Time frequency", codes: [["Q", "Quarterly"]] },
      { id: "unit", label: "Unit of measure", codes: [["PC_GDP", "Percentage of gross domestic product (GDP)"]] },
      { id: "sector", label: "Sector", codes: [["S13", "General government"]] },
      {
        id: "na_item",
        label: "National accounts indicator (ESA 2010)",
        codes: [["GD", "Government consolidated gross debt"]],
      },
    ],
    ...{ unit: "quarter", periods: [-19, -2], digits: 1, value: debtIn },
    gaps: { IE: [-8], LU: [-2] },
    provisional: ["CY", "EE", "FR", "IT", "NL"],
  });
}

function debtIn(alpha2: string, quarter: number): number {
  const year = quarter / 4;
  const debt = (at: number) => economyOf(alpha2, at).debt ?? 0;
  const [before, after] = [debt(Math.floor(year)), debt(Math.ceil(year))];
  const own = before + (after - before) * (year - Math.floor(year));
  return own * (1 + 0.004 * waveOf("quarterly debt", alpha2)(quarter));
}
