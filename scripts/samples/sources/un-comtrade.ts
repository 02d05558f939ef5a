import { reporters } from "../../../src/providers/comtrade/comtrade-codes.ts";
import { coastSides } from "../../../src/reference/trade/coast-sides.ts";
import { hsHeadings } from "../../../src/reference/trade/hs-headings.ts";
import type { SampleFolder } from "../folder.ts";
import { comtradeResponse, rowsOf } from "../format/comtrade.ts";
import { randomOf } from "../random.ts";
import { isProfiled, profileOf } from "../world/country-profiles.ts";
import { importedOf } from "../world/imported-goods.ts";

/** Shares of the countries that report late, and of the headings that only have an earlier year. */
const shares = { late: 0.08, earlier: 0.03 };
/** Countries with at least this GDP, in billions of US dollars, are never late. */
const largeFrom = 150;
const address = "^https://comtradeapi\\.un\\.org/data/v1/get/C/A/HS\\?reporterCode=";
const none = "none.json";

/** Returns imports of watched goods by country of origin. */
export function sample(): SampleFolder {
  const countries = [...reporters].filter(([, alpha2]) => isReporting(alpha2));
  const fileOf = (alpha2: string) => `${alpha2.toLowerCase()}.json`;
  return {
    index: {
      note: "Illustrative: values are invented around plausible sizes; no row is taken from UN Comtrade. Countries that are absent here have reported nothing.",
      rows: countries.length,
      responses: [
        ...countries.map(([number, alpha2]) => ({ match: `${address}${number}&`, file: fileOf(alpha2) })),
        { match: address, file: none },
      ],
    },
    files: {
      ...Object.fromEntries(countries.map(([number, alpha2]) => [fileOf(alpha2), responseOf(number, alpha2)])),
      [none]: comtradeResponse([], none),
    },
  };
}

function isLarge(alpha2: string): boolean {
  const { population, gdpPerCapita } = profileOf(alpha2);
  return (population * gdpPerCapita) / 1000 >= largeFrom;
}

/**
 * Returns whether a country has imports here: every country with a vulnerability score. The values of closed states and
 * of countries at war are those that their partners report.
 */
function isReporting(alpha2: string): boolean {
  return isProfiled(alpha2) && coastSides.has(alpha2);
}

function responseOf(reporter: number, alpha2: string): string {
  const { unit } = randomOf("comtrade years", alpha2);
  const newest = !isLarge(alpha2) && unit() < shares.late ? -3 : -2;
  const rows = [...hsHeadings.keys()].flatMap((heading) => {
    const year = unit() < shares.earlier ? -3 : newest;
    const partners = importedOf(alpha2, heading, year).map(({ exporter, value }) => ({ partner: exporter, value }));
    return partners.length < 2 ? [] : rowsOf({ reporter, year, flow: "M", heading }, partners);
  });
  return comtradeResponse(rows, alpha2);
}
