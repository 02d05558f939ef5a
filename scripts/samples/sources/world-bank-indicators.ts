import type { SampleFolder } from "../folder.ts";
import { decimal } from "../format/decimal.ts";
import { type Cell, indicatorFile, members, placeOf, type WorldBankIndicator } from "../format/world-bank.ts";
import { randomOf } from "../random.ts";
import type { Profile } from "../world/country-profiles.ts";
import { burdenOf, deliveredIn, hasNoForces, isArmed, militarySpendingOf, soldiersOf } from "../world/forces.ts";

interface MilitaryIndicator extends WorldBankIndicator {
  readonly of: (alpha2: string, year: number) => number;
  readonly digits: number;
  /** Age of the newest value in years. Personnel is reported late. */
  readonly age: number;
  /** A country without forces reports only its spending, as 0. */
  readonly isSpending: boolean;
  /** Years without deliveries are not reported. */
  readonly isTraded: boolean;
}

const usual = { database: "2", decimal: 0, digits: 0, age: 1, isSpending: false, isTraded: false } as const;
const traded = { ...usual, isTraded: true } as const;
const indicators: readonly MilitaryIndicator[] = [
  {
    ...{ ...usual, id: "MS.MIL.XPND.GD.ZS", label: "Military expenditure (% of GDP)", isSpending: true },
    ...{ decimal: 1, digits: 6, of: burdenOf },
  },
  {
    ...{ ...usual, id: "MS.MIL.XPND.CD", label: "Military expenditure (current USD)", isSpending: true },
    ...{ digits: 1, of: (alpha2, year) => militarySpendingOf(alpha2, year) * 1e9 },
  },
  { ...usual, id: "MS.MIL.TOTL.P1", label: "Armed forces personnel, total", age: 4, of: soldiersOf },
  {
    ...{ ...traded, id: "MS.MIL.XPRT.KD", label: "Arms exports (SIPRI trend indicator values)" },
    of: (alpha2, year) => deliveredIn(year, "supplier", alpha2),
  },
  {
    ...{ ...traded, id: "MS.MIL.MPRT.KD", label: "Arms imports (SIPRI trend indicator values)" },
    of: (alpha2, year) => deliveredIn(year, "importer", alpha2),
  },
];

const oldest = -5;
/**
 * Share of the countries with a row for every year, and with none for the current one. Others have two years with
 * values.
 */
const wholeShare = 0.6;
const groups = [
  ["ZH", "Africa Eastern and Southern", "AFE", ({ latitude }: Profile) => latitude < 15],
  ["1A", "Arab World", "ARB", ({ alpha2 }: Profile) => "AE DZ EG IQ JO KW LB LY MA OM QA SA SY TN YE".includes(alpha2)],
  ["1W", "World", "WLD", () => true],
  [
    "EU",
    "European Union",
    "EUU",
    ({ alpha2 }: Profile) => "AT BE BG CY CZ DE DK EE ES FI FR GR HU IE IT NL PL PT RO SE".includes(alpha2),
  ],
] as const;

/** Returns values of armed forces and of the trade in arms. */
export function sample(): SampleFolder {
  const tables = indicators.map((indicator) => ({ indicator, cells: cellsOf(indicator) }));
  const codes = new Set(members.map(({ alpha3 }) => alpha3));
  const reported = tables.flatMap(({ cells }) =>
    cells.filter(({ place, value }) => codes.has(place.alpha3) && value !== null),
  );
  return {
    index: {
      note: "Illustrative military indicators with invented values in the form of the World Bank's API, of countries and four aggregates; two of the countries have no forces and spend a measured 0.",
      rows: reported.length,
      responses: indicators.map(({ id }) => ({
        url: `https://api.worldbank.org/v2/country/all/indicator/${id}`,
        file: `${id}.json`,
      })),
    },
    files: Object.fromEntries(
      tables.map(({ indicator, cells }) => [`${indicator.id}.json`, indicatorFile(indicator, cells)]),
    ),
  };
}

function cellsOf(indicator: MilitaryIndicator): Cell[] {
  const { id, isSpending, isTraded, age, of } = indicator;
  const armed = members.filter((profile) => isArmed(profile) || (isSpending && hasNoForces(profile)));
  const reporters = armed.filter(({ alpha2 }) => !isTraded || yearsFrom(-age).some((year) => of(alpha2, year) > 0));
  const countries = reporters.flatMap((profile) => {
    const isWhole = hasNoForces(profile) || randomOf("whole", id, profile.alpha2).unit() < wholeShare;
    return yearsFrom(isWhole ? 0 : -age, isWhole ? oldest : -age - 1).map((year) => ({
      place: placeOf(profile),
      year,
      value: reportedValue(indicator, year, of(profile.alpha2, year)),
    }));
  });
  return [...groupCells(indicator, reporters), ...countries];
}

function groupCells(indicator: MilitaryIndicator, reporters: readonly Profile[]): Cell[] {
  return groups.flatMap(([id, name, alpha3, has]) => {
    const inside = reporters.filter(has);
    return yearsFrom(0).map((year) => {
      const sum = inside.reduce((total, { alpha2 }) => total + indicator.of(alpha2, year), 0);
      const isRate = indicator.id === "MS.MIL.XPND.GD.ZS";
      return {
        place: { id, name, alpha3 },
        year,
        value: reportedValue(indicator, year, isRate ? sum / inside.length : sum),
      };
    });
  });
}

/** Returns null for a year that is not reported yet, and for a year without trade. */
function reportedValue({ age, isTraded, digits }: MilitaryIndicator, year: number, value: number): number | null {
  return year > -age || (isTraded && value === 0) ? null : decimal(value, digits);
}

function yearsFrom(newest: number, last = oldest): number[] {
  return Array.from({ length: newest - last + 1 }, (_, place) => newest - place);
}
