import type { SampleFolder } from "../folder.ts";
import { decimal, placeholder } from "../format/decimal.ts";
import { randomOf } from "../random.ts";
import { type Profile, profiles } from "../world/country-profiles.ts";
import { economyOf } from "../world/economy.ts";
import { societyOf } from "../world/society.ts";

const file = "share-electricity-low-carbon.csv";
/** Codes of Our World in Data that differ from ISO 3166-1 alpha-3. */
const ownCodes: Readonly<Record<string, string>> = { XK: "OWID_KOS" };
/** Countries that are too small to be listed. */
const omitted = "AD LI MC SM MH FM PW TV VA PS".split(" ");
/** Groups with their codes, if they have one. */
const groups = [
  ["ASEAN (Ember)", "", ({ alpha2 }: Profile) => "BN ID KH LA MM MY PH SG TH VN".split(" ").includes(alpha2)],
  ["High-income countries", "", ({ gdpPerCapita }: Profile) => gdpPerCapita > 15_000],
  ["World", "OWID_WRL", () => true],
] as const;
/** Share of the countries that have not reported last year. */
const lateShare = 0.3;

/** Returns low-carbon electricity in the format of a chart of Our World in Data. */
export function sample(): SampleFolder {
  const countries = profiles.filter(({ alpha2 }) => !omitted.includes(alpha2));
  const lines = [
    ...groups.flatMap(([name, code, has]) =>
      yearsOf(-1).map((year) => row(name, code, year, meanOf(countries.filter(has), year))),
    ),
    ...countries.flatMap(({ alpha2, alpha3, name }) => {
      const newest = randomOf("owid", alpha2).unit() < lateShare ? -2 : -1;
      return yearsOf(newest).map((year) =>
        row(name, ownCodes[alpha2] ?? alpha3, year, societyOf(alpha2, year).lowCarbon),
      );
    }),
  ];
  return {
    index: {
      note: "Illustrative shares of low-carbon electricity with invented values in the form of Our World in Data's charts, of countries and a few groups.",
      rows: countries.length,
      responses: [{ url: `https://ourworldindata.org/grapher/${file}`, file }],
    },
    files: {
      [file]: `${["entity,code,year,low_carbon_share_of_electricity__pct", ...lines.toSorted((a, b) => (a < b ? -1 : 1))].join("\n")}\n`,
    },
  };
}

function yearsOf(newest: number): number[] {
  return [-4, -3, -2, -1].filter((year) => year <= newest);
}

function row(name: string, code: string, year: number, share: number): string {
  return [name, code, placeholder("year", year), decimal(share, 4)].join(",");
}

function meanOf(countries: readonly Profile[], year: number): number {
  let [sum, gdp] = [0, 0];
  for (const { alpha2 } of countries) {
    sum += societyOf(alpha2, year).lowCarbon * economyOf(alpha2, year).gdp;
    gdp += economyOf(alpha2, year).gdp;
  }
  return sum / gdp;
}
