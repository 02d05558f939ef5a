import type { SampleFolder } from "../folder.ts";
import { batchedSample } from "../format/eurostat-batches.ts";
import { randomOf } from "../random.ts";
import { profileOf } from "../world/country-profiles.ts";
import { waveOf } from "../world/drift.ts";

const business = waveOf("industry");
/** Production varies more in countries with few large firms. */
const restless: ReadonlySet<string> = new Set(["IE", "MT", "LU", "CY", "DK"]);

/** Returns seasonally adjusted industrial production by month. */
export function sample(): SampleFolder {
  return batchedSample({
    ...{ table: "sts_inpr_m", version: "42.0", label: "Production in industry - monthly data" },
    note: "Illustrative industrial production with invented values in the form of Eurostat's JSON-stat, of the 27 members and two groups in eight batches; Greece, Hungary, Luxembourg and Malta lack the last month, Ireland the last two.",
    updated: "{{month YYYY-MM-01}}T11:00:00+0200",
    fixed: [
      { id: "freq", label: "Time frequency", codes: [["M", "Monthly"]] },
      { id: "indic_bt", label: "Business trend indicator", codes: [["PRD", "Volume index of production"]] },
      {
        id: "nace_r2",
        label: "Statistical classification of economic activities in the European Community (NACE Rev. 2)",
        codes: [["B-D", "Mining and quarrying; manufacturing; electricity, gas, steam and air conditioning supply"]],
      },
      { id: "s_adj", label: "Seasonal adjustment", codes: [["SCA", "Seasonally and calendar adjusted data"]] },
      { id: "unit", label: "Unit of measure", codes: [["I21", "Index, 2021=100"]] },
    ],
    ...{ unit: "month", periods: [-46, -2], digits: 1, value: indexIn },
    gaps: { EL: [-2], HU: [-2], IE: [-3, -2], LU: [-2], MT: [-2] },
    provisional: ["CY", "EE", "FR", "IT", "NL", "PL", "SE"],
  });
}

function indexIn(alpha2: string, month: number): number {
  const { kind } = profileOf(alpha2);
  const { normal } = randomOf("industry", alpha2);
  const trend = (kind === "catchingUp" ? 0.12 : -0.02) + 0.06 * normal();
  const [own, noise] = [waveOf("industry", alpha2), randomOf("industry", alpha2, month).normal()];
  const unrest = restless.has(alpha2) ? 3 : 1;
  return 102 + trend * (month + 60) + 2.2 * business(month / 2) + 1.8 * own(month / 3) + 0.6 * unrest * noise;
}
