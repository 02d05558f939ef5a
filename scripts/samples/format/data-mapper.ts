import { randomOf } from "../random.ts";
import { type Profile, profiles } from "../world/country-profiles.ts";
import { type Economy, economyOf, worldSum } from "../world/economy.ts";
import { euroArea } from "../world/euro-area.ts";
import { decimal, placeholder } from "./decimal.ts";
import { text } from "./json-lines.ts";

// The IMF's DataMapper returns a series of all countries and years, and a nameless one, which is null.

export interface DataMapperSeries {
  readonly code: string;
  readonly of: (economy: Economy) => number | undefined;
  readonly digits: number;
  /** If true, the value of a group is the mean weighted by GDP, otherwise the sum. */
  readonly isRate: boolean;
  /** Returns whether a country reports the series. */
  readonly isReported: (profile: Profile) => boolean;
}

const [firstYear, lastYear] = [-5, 2];
/** Countries that are not members of the IMF. */
const outsiders = "CU KP LI MC".split(" ");
/** Codes of the IMF that differ from ISO 3166-1 alpha-3. */
const ownCodes: Readonly<Record<string, string>> = { XK: "UVK", PS: "WBG" };
/** Economies of at least this size in billions of dollars have a value in every year. */
const wholeFrom = 250;
/** Shares of the economies whose values end with last year, and of those without a forecast. */
const shares = { ended: 0.03, unforeseen: 0.07 };

const advanced = profiles
  .filter(({ kind }) => ["industrial", "services", "hub"].includes(kind))
  .map(({ alpha2 }) => alpha2);

export function dataMapperFile(series: DataMapperSeries): string {
  const groups = [groupLine("ADVEC", advanced, series), groupLine("EURO", [...euroArea], series)];
  const lines = [...groups, ...members().map((profile) => line(profile, series))].join(",\n");
  return `{"values":{${text(series.code)}:{\n${lines}\n},"":null},"api":{"version":"1","output-method":"json"}}\n`;
}

/** Returns the number of values of countries from one year to another, both included. */
export function dataMapperRows(series: DataMapperSeries, from: number, to: number): number {
  return members().reduce((sum, profile) => {
    const years = yearsOf(profile, series);
    return sum + years.filter((year) => year >= from && year <= to).length;
  }, 0);
}

function members(): readonly Profile[] {
  const code = (profile: Profile) => ownCodes[profile.alpha2] ?? profile.alpha3;
  return profiles.filter(({ alpha2 }) => !outsiders.includes(alpha2)).toSorted((a, b) => (code(a) < code(b) ? -1 : 1));
}

function yearsOf(profile: Profile, { code, of, isReported }: DataMapperSeries): number[] {
  const { alpha2 } = profile;
  if (!isReported(profile) || of(economyOf(alpha2, 0)) === undefined) return [];
  const { unit } = randomOf("last year", code, alpha2);
  const drawn = unit();
  const isWhole = economyOf(alpha2, 0).gdp >= wholeFrom;
  const last = isWhole || drawn >= shares.unforeseen ? lastYear : drawn < shares.ended ? -1 : 0;
  return Array.from({ length: last - firstYear + 1 }, (_, place) => firstYear + place);
}

/** Returns the line of a country. Without any value, it has an empty list. */
function line(profile: Profile, series: DataMapperSeries): string {
  const years = yearsOf(profile, series);
  const values = years.map((year) => [year, series.of(economyOf(profile.alpha2, year)) ?? 0] as const);
  return `${text(ownCodes[profile.alpha2] ?? profile.alpha3)}:${values.length === 0 ? "[]" : byYear(values, series)}`;
}

function groupLine(code: string, alpha2s: readonly string[], series: DataMapperSeries): string {
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, place) => firstYear + place);
  const values = years.map((year) => {
    const sum = worldSum(alpha2s, (economy) => (series.of(economy) ?? 0) * (series.isRate ? economy.gdp : 1), year);
    return [year, series.isRate ? sum / worldSum(alpha2s, ({ gdp }) => gdp, year) : sum] as const;
  });
  return `${text(code)}:${byYear(values, series)}`;
}

function byYear(values: readonly (readonly [number, number])[], { digits }: DataMapperSeries): string {
  return text(Object.fromEntries(values.map(([year, value]) => [placeholder("year", year), decimal(value, digits)])));
}
