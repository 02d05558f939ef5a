import { randomOf } from "../random.ts";
import { type Payments, paymentsAt } from "./balance-of-payments.ts";
import { isProfiled, type Profile, profileOf } from "./country-profiles.ts";
import { clamped, waveOf } from "./drift.ts";
import { euroArea } from "./euro-area.ts";
import { usual } from "./usual-figures.ts";

/** The economy of a country in a year. Values are in percent of GDP unless a comment names another unit. */
export interface Economy extends Payments {
  /** Population in millions. */
  readonly population: number;
  /** GDP per person in US dollars. */
  readonly gdpPerCapita: number;
  /** GDP in billions of US dollars. */
  readonly gdp: number;
  readonly gni: number;
  /** GDP per person in international dollars. */
  readonly purchasingPower: number;
  readonly growth: number;
  readonly inflation: number;
  readonly unemployment: number;
  readonly revenue: number;
  readonly expenditure: number;
  readonly balance: number;
  readonly primaryBalance: number;
  readonly debt: number | undefined;
  readonly reserveMonths: number;
  /** Percent of GNI. Undefined for a country that does not borrow from the World Bank. */
  readonly shortTermDebt: number | undefined;
}

/** Countries with a higher GDP per person, in US dollars, do not borrow from the World Bank. */
const lentBelow = 22_000;
export function isLentTo({ gdpPerCapita, kind }: Profile): boolean {
  return gdpPerCapita < lentBelow && kind !== "industrial" && kind !== "services";
}

/** The business cycle, which all countries share. */
const cycle = waveOf("business");
const wave = ({ alpha2 }: Profile, what: string, year: number) => waveOf(what, alpha2)(year);
/** Returns how a country differs from others of its kind, in standard deviations, from -2 to 2. */
const bent = ({ alpha2 }: Profile, what: string) => clamped(randomOf(what, alpha2).normal(), -2, 2);

const known = new Map<string, Economy>();

export function economyOf(alpha2: string, year: number): Economy {
  const key = `${alpha2} ${year}`;
  const economy = known.get(key) ?? drawn(profileOf(alpha2), year);
  known.set(key, economy);
  return economy;
}

function drawn(profile: Profile, year: number): Economy {
  const { kind, population, income } = profile;
  const { gni, reserveMonths } = usual[kind];
  const grown = growthAt(profile, 0) / 100;
  const births = 0.002 + 0.024 * (1 - income) ** 1.5;
  const people = population * (1 + births) ** year;
  const gdpPerCapita =
    profile.gdpPerCapita * (1 + grown - births + 0.018) ** year * (1 + 0.012 * wave(profile, "gdp", year));
  const gdp = (people * gdpPerCapita) / 1000;
  return {
    population: people,
    gdpPerCapita,
    gdp,
    gni: gdp * gni * (1 + 0.008 * bent(profile, "gni")),
    purchasingPower: gdpPerCapita * (1.05 + 2.1 * (1 - income) * (1 + 0.12 * bent(profile, "prices"))),
    growth: growthAt(profile, year),
    inflation: inflationAt(profile, year),
    unemployment: unemploymentAt(profile, year),
    ...budgetAt(profile, year),
    ...paymentsAt(profile, year),
    reserveMonths: clamped(
      (profile.reserves ?? reserveMonths * Math.exp(0.35 * bent(profile, "reserves"))) +
        0.4 * wave(profile, "reserves", year),
      0.4,
      // The euro area shares the reserves of one central bank.
      euroArea.has(profile.alpha2) ? 4.5 : 24,
    ),
    shortTermDebt: isLentTo(profile)
      ? Math.max(
          0.3,
          usual[kind].shortTermDebt *
            Math.exp(0.5 * bent(profile, "short")) *
            (1 + 0.05 * wave(profile, "short", year)),
        )
      : undefined,
  };
}

function growthAt(profile: Profile, year: number): number {
  const level = profile.growth ?? usual[profile.kind].growth + 0.6 * bent(profile, "growth");
  return level + 0.4 * cycle(year) + 0.35 * wave(profile, "growth", year);
}

function inflationAt(profile: Profile, year: number): number {
  const level =
    profile.inflation ?? Math.max(1.2, usual[profile.kind].inflation * (1 + 0.25 * bent(profile, "inflation")));
  return Math.max(0.2, level * (1 + 0.12 * cycle(year)) + 0.12 * (level + 1) * wave(profile, "inflation", year));
}

function unemploymentAt(profile: Profile, year: number): number {
  const { kind, gdpPerCapita, unemployment } = profile;
  // Rich oil states have little unemployment.
  const level = usual[kind].unemployment * (kind === "oil" && gdpPerCapita > 25_000 ? 0.5 : 1);
  const own =
    unemployment ??
    level * Math.exp((kind === "conflict" || kind === "emerging" ? 0.4 : 0.18) * bent(profile, "unemployment"));
  return clamped(own * (1 - 0.04 * cycle(year) + 0.04 * wave(profile, "unemployment", year)), 1.1, 34);
}

type Budget = Pick<Economy, "revenue" | "expenditure" | "balance" | "primaryBalance" | "debt">;

function budgetAt(profile: Profile, year: number): Budget {
  const { kind, governance, gdpPerCapita, income } = profile;
  const fromOil = kind === "oil" ? 13 * Math.max(0, governance) + (gdpPerCapita > 25_000 ? 6 : 0) : 0;
  const stored = kind === "conflict" ? 16 * income - 5 : 0;
  const drawn = usual[kind].revenue + stored + fromOil + 3 * bent(profile, "revenue");
  const revenue = (profile.revenue ?? drawn) + 0.7 * wave(profile, "revenue", year);
  const saved = kind === "oil" && gdpPerCapita > 25_000 ? 4 : 0;
  const thrift = clamped((60 - (profile.debt ?? 60)) / 30, -1.5, 1.5);
  const balance =
    usual[kind].balance +
    saved +
    thrift +
    0.8 * bent(profile, "balance") +
    0.4 * cycle(year) +
    0.6 * wave(profile, "balance", year);
  const interest = ((profile.debt ?? 0) * usual[kind].interest * (1 + 0.1 * bent(profile, "interest"))) / 100;
  return {
    revenue,
    expenditure: revenue - balance,
    balance,
    primaryBalance: balance + interest,
    debt: debtAt(profile, balance, year),
  };
}

/** Returns the debt in percent of GDP. Yearly deficits add to it, and growth and inflation reduce it. */
function debtAt(profile: Profile, balance: number, year: number): number | undefined {
  const { debt: level } = profile;
  if (level === undefined) return undefined;
  const nominal = growthAt(profile, 0) + Math.min(inflationAt(profile, 0), 12);
  const slope = clamped(-balance - (nominal / 100) * level, -0.02 * level, 0.025 * level);
  const own = level * (1 + 0.04 * bent(profile, "debt"));
  return Math.max(0.6, own + slope * year + 0.008 * level * wave(profile, "debt", year));
}

/** Returns the sum of an amount in billions over the countries that have a profile. */
export function worldSum(alpha2s: Iterable<string>, billions: (economy: Economy) => number, year: number): number {
  return [...alpha2s].filter(isProfiled).reduce((sum, alpha2) => sum + billions(economyOf(alpha2, year)), 0);
}
