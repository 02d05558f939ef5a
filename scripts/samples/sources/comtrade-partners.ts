import { reporters } from "../../../src/providers/comtrade/comtrade-codes.ts";
import type { SampleFolder } from "../folder.ts";
import { comtradeNumber, comtradeResponse, rowsOf } from "../format/comtrade.ts";
import { randomOf } from "../random.ts";
import { isProfiled, profileOf, profiles } from "../world/country-profiles.ts";
import { importsFrom, merchandiseOf } from "../world/merchandise.ts";

const reportersAtOnce = 10;
/** Shares of the countries that report at all, that have no recent year, and that have reported last year. */
const shares = { reporting: 0.9, old: 0.06, lastYear: 0.5 };
/** Maximum number of named partners, in complete years and in the year that is reported in part. */
const max = { whole: 28, half: 18 };
/** Re-exports as a share of imports. Other countries have few or report none. */
const soldOn: Readonly<Record<string, number>> = {
  ...{ HK: 0.86, SG: 0.42, AE: 0.44, PA: 0.5, NL: 0.38, BE: 0.3, LU: 0.2, MO: 0.3, DJ: 0.35, BH: 0.12, CY: 0.2 },
};
const others = { telling: 0.35, share: [0.005, 0.06] } as const;
const url = "https://comtradeapi.un.org/data/v1/get/C/A/HS";

/** Returns all imports by partner, and the re-exports. */
export function sample(): SampleFolder {
  const codes = [...reporters.keys()];
  const batches = Array.from({ length: Math.ceil(codes.length / reportersAtOnce) }, (_, place) => ({
    file: `reporters-${place + 1}.json`,
    requested: codes.slice(place * reportersAtOnce, (place + 1) * reportersAtOnce),
  }));
  const reported = codes.filter((number) => isReporting(reporters.get(number) ?? ""));
  return {
    index: {
      note: "Illustrative imports by partner and re-exports with invented values in the form of the UN Comtrade API; a tenth of the countries has reported nothing.",
      rows: reported.length,
      responses: batches.map(({ file, requested }) => ({
        ...{ url, query: { reporterCode: requested.join(), cmdCode: "TOTAL" }, file },
      })),
    },
    files: Object.fromEntries(
      batches.map(({ file, requested }) => {
        const rows = requested
          .filter((number) => reported.includes(number))
          .flatMap((number) => rowsOfReporter(number));
        return [file, comtradeResponse(rows, file)];
      }),
    ),
  };
}

function isReporting(alpha2: string): boolean {
  if (!isProfiled(alpha2) || alpha2 === "KP") return false;
  const { population, gdpPerCapita } = profileOf(alpha2);
  return population * gdpPerCapita >= 150_000 || randomOf("partners", alpha2).unit() < shares.reporting;
}

function rowsOfReporter(reporter: number): object[] {
  const alpha2 = reporters.get(reporter) ?? "";
  const { unit, between } = randomOf("partner years", alpha2);
  const isOld = unit() < shares.old && merchandiseOf(alpha2, 0).imports < 100;
  const years = isOld ? [-4] : unit() < shares.lastYear ? [-1, -2] : [-2];
  const share = soldOn[alpha2] ?? (unit() < others.telling ? between(...others.share) : 0);
  return years.flatMap((year) => {
    const partners = partnersOf(alpha2, year);
    const named = partners.slice(0, year === -1 ? max.half : max.whole);
    const rest = partners.slice(named.length).reduce((sum, { value }) => sum + value, 0);
    const imported = rowsOf({ reporter, year, flow: "M", heading: "TOTAL" }, [...named, { partner: "", value: rest }]);
    const again = share * merchandiseOf(alpha2, year).imports * 1e9;
    const [total] = rowsOf({ reporter, year, flow: "RX", heading: "TOTAL" }, [{ partner: "", value: again }]);
    return share > 0 && total ? [...imported, total] : imported;
  });
}

/** Returns the partners, largest first. Countries without a number in Comtrade are part of the rest. */
function partnersOf(alpha2: string, year: number) {
  return profiles
    .filter((partner) => partner.alpha2 !== alpha2 && comtradeNumber(partner.alpha2) !== undefined)
    .map((partner) => ({ partner: partner.alpha2, value: importsFrom(alpha2, partner.alpha2, year) * 1e9 }))
    .toSorted((a, b) => b.value - a.value);
}
