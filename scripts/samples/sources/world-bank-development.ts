import type { SampleFolder } from "../folder.ts";
import { decimal } from "../format/decimal.ts";
import { type DevelopmentIndicator, developmentIndicators } from "../format/development-indicators.ts";
import { linesOf } from "../format/json-lines.ts";
import { type Cell, groups, indicatorFile, members, placeOf } from "../format/world-bank.ts";
import { randomOf } from "../random.ts";
import type { Profile } from "../world/country-profiles.ts";
import { economyOf, isLentTo } from "../world/economy.ts";
import { isReported } from "../world/silence.ts";

const address = "https://api.worldbank.org/v2/country";
/** Share of the countries whose newest year is listed without a value. */
const emptyYears = 0.14;

/** Returns the World Bank's values of each country's development and government. */
export function sample(): SampleFolder {
  const tables = developmentIndicators.map((indicator) => ({ indicator, cells: cellsOf(indicator) }));
  const known = tables.flatMap(({ cells }) =>
    cells.filter(({ place, value }) => isCountry(place.alpha3) && value !== null),
  );
  return {
    index: {
      note: "Illustrative indicators with invented values in the form of the World Bank's API, of its members and a few aggregates; small and closed states lack many, and most values are one to five years old.",
      rows: known.length + members.length,
      responses: [
        ...developmentIndicators.map(({ id }) => ({ url: `${address}/all/indicator/${id}?`, file: `${id}.json` })),
        { url: `${address}?`, file: "countries.json" },
      ],
    },
    files: {
      ...Object.fromEntries(
        tables.map(({ indicator, cells }) => [`${indicator.id}.json`, indicatorFile(indicator, cells)]),
      ),
      "countries.json": countriesFile(),
    },
  };
}

function isCountry(alpha3: string): boolean {
  return members.some((profile) => profile.alpha3 === alpha3);
}

/** Returns only the newest value of each place. A newer year without a value may precede it. */
function cellsOf(indicator: DevelopmentIndicator): Cell[] {
  const { id, of, digits, ages, silent } = indicator;
  const [youngest, oldest] = ages;
  const grouped = groups.map(({ id: group, name, alpha3, has }) => ({
    ...{ place: { id: group, name, alpha3 }, year: -youngest },
    value: decimal(groupValue(indicator, members.filter(has), -youngest), digits),
  }));
  const ofCountries = members.flatMap((profile): Cell[] => {
    const { integer, unit } = randomOf("age", id, profile.alpha2);
    const year = -integer(youngest, oldest);
    const place = placeOf(profile);
    const value = of(profile.alpha2, year);
    if (value === undefined || !isReported(profile, id, silent))
      return unit() < 0.7 ? [{ place, year, value: null }] : [];
    const empty = year < -1 && unit() < emptyYears ? [{ place, year: -1, value: null }] : [];
    return [...empty, { place, year, value: decimal(value, digits) }];
  });
  return [...grouped, ...ofCountries];
}

function groupValue({ of, group }: DevelopmentIndicator, among: readonly Profile[], year: number): number {
  const weight = (alpha2: string) =>
    group === "sum" ? 1 : group === "people" ? economyOf(alpha2, year).population : economyOf(alpha2, year).gdp;
  let [sum, weights] = [0, 0];
  for (const { alpha2 } of among) {
    const value = of(alpha2, year);
    if (value === undefined) continue;
    sum += value * weight(alpha2);
    weights += weight(alpha2);
  }
  return group === "sum" ? sum : sum / weights;
}

/** Returns the list of countries with their lending terms. It includes aggregates. */
function countriesFile(): string {
  const aggregate = { id: "NA", iso2code: "NA", value: "Aggregates" };
  const none = { id: "", iso2code: "", value: "" };
  const place = { capitalCity: "", longitude: "", latitude: "" };
  const arabs = {
    ...{ id: "ARB", iso2Code: "1A", name: "Arab World", region: aggregate, adminregion: none },
    ...{ incomeLevel: aggregate, lendingType: { ...none, value: "Aggregates" }, ...place },
  };
  const countries = members.map((profile) => ({
    ...{ id: profile.alpha3, iso2Code: profile.alpha2, name: profile.name },
    ...{ region: { id: "WLD", iso2code: "1W", value: "World" }, adminregion: none },
    ...{ incomeLevel: incomeOf(profile), lendingType: lendingOf(profile), ...place },
  }));
  return linesOf(
    `[{"page":1,"pages":1,"per_page":"400","total":${countries.length + 1}},[`,
    [arabs, ...countries],
    "]]",
  );
}

function incomeOf({ gdpPerCapita }: Profile) {
  if (gdpPerCapita > 14_500) return { id: "HIC", iso2code: "XD", value: "High income" };
  if (gdpPerCapita > 1_150) return { id: "MIC", iso2code: "XP", value: "Middle income" };
  return { id: "LIC", iso2code: "XM", value: "Low income" };
}

function lendingOf(profile: Profile) {
  if (!isLentTo(profile)) return { id: "LNX", iso2code: "XX", value: "Not classified" };
  if (profile.gdpPerCapita > 3_500) return { id: "IBD", iso2code: "XF", value: "IBRD" };
  if (profile.gdpPerCapita > 2_400) return { id: "IDB", iso2code: "XH", value: "Blend" };
  return { id: "IDX", iso2code: "XI", value: "IDA" };
}
