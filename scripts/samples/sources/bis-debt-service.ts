import type { SampleFolder } from "../folder.ts";
import { decimal, placeholder } from "../format/decimal.ts";
import { randomOf } from "../random.ts";
import { waveOf } from "../world/drift.ts";

const file = "ratios.csv";
const borrowers = "AU BE CA DE DK ES FI FR GB IT JP KR NL NO PT SE US".split(" ");
const quarters = [-7, -6, -5, -4, -3];
/** Households pay most in countries with expensive houses. */
const indebted: ReadonlySet<string> = new Set(["AU", "CA", "DK", "KR", "NL", "NO", "SE"]);
/** This country has not reported its newest quarter. */
const late = "BE";

/** Returns the shares of income that households, firms, and both together pay for their debts. */
export function sample(): SampleFolder {
  const lines = borrowers.flatMap((country) => {
    const { between } = randomOf("debt service", country);
    const levels = { H: indebted.has(country) ? between(11, 17) : between(5, 9), N: between(30, 52) };
    const groups = { ...levels, P: 0.55 * levels.H + 0.45 * levels.N * 0.7 };
    return Object.entries(groups).flatMap(([group, level]) =>
      quarters.map((quarter) => {
        const value = decimal(level * (1 + 0.012 * waveOf("debt service", country, group)(quarter)), 1);
        const isReported = country !== late || quarter !== quarters.at(-1);
        return ["Q", country, group, "A", placeholder("quarter", quarter), isReported ? value : "NaN"].join(",");
      }),
    );
  });
  return {
    index: {
      note: "Illustrative debt service ratios with invented values in the CSV of the BIS, of the households, firms and both of seventeen countries.",
      rows: borrowers.length,
      responses: [{ match: "^https://stats\\.bis\\.org/api/v1/data/WS_DSR/Q\\.", file }],
    },
    files: {
      [file]: `${["FREQ,BORROWERS_CTY,DSR_BORROWERS,DSR_ADJUST,TIME_PERIOD,OBS_VALUE", ...lines].join("\n")}\n`,
    },
  };
}
