import { randomOf } from "../random.ts";
import { type Kind, type Profile, profileOf } from "./country-profiles.ts";
import { clamped, waveOf } from "./drift.ts";

/** Living conditions of a country in a year. Values are in percent unless a comment names another unit. */
export interface Society {
  readonly voice: number;
  readonly stability: number;
  readonly effectiveness: number;
  readonly regulation: number;
  readonly ruleOfLaw: number;
  readonly corruption: number;
  /** Percent of the people. */
  readonly electricityAccess: number;
  readonly pavedRoads: number;
  /** Subscriptions per 100 people. */
  readonly broadband: number;
  readonly powerLosses: number;
  readonly lowCarbon: number;
  readonly energyImports: number;
  readonly waterStress: number;
  /** Percent of women of at least 25 years with upper secondary education. */
  readonly schooling: number;
  /** Index, 0 to 100. */
  readonly healthCoverage: number;
  readonly measles: number;
  /** Per 10,000 people. */
  readonly hospitalBeds: number;
  readonly physicians: number;
  /** US dollars per person. */
  readonly healthSpending: number;
}

/** Formerly planned economies, which have more public services than their income suggests. */
const planned: ReadonlySet<string> = new Set(
  "AM AZ BA BG BY CN CU CZ EE GE HR HU KG KP KR KZ LT LV MD ME MK MN PL RO RS RU SI SK TJ TM UA UZ VN XK".split(" "),
);
/** Deductions from the stability of a government. */
const unrest: Readonly<Partial<Record<Kind, number>>> = { conflict: 0.5, tourism: -0.4, hub: -0.1 };

export function societyOf(alpha2: string, year: number): Society {
  const profile = profileOf(alpha2);
  const bent = (what: string) => clamped(randomOf("society", what, alpha2).normal(), -2, 2);
  const wave = (what: string) => waveOf("society", what, alpha2)(year);
  return { ...rule(profile, bent, wave), ...grids(profile, bent, wave, year), ...people(profile, bent, wave, year) };
}

type Draw = (what: string) => number;

function rule({ governance, voice, kind, population }: Profile, bent: Draw, wave: Draw) {
  const estimate = (what: string, level: number) => clamped(level + 0.12 * bent(what) + 0.03 * wave(what), -2.5, 2.45);
  const crowd = population > 60 ? 0.45 : population > 20 ? 0.2 : 0;
  return {
    voice: estimate("voice", voice ?? governance * 0.9),
    stability: estimate("stability", governance * 0.8 - (unrest[kind] ?? 0) - crowd),
    effectiveness: estimate("effectiveness", governance),
    regulation: estimate("regulation", governance * 0.97),
    ruleOfLaw: estimate("ruleOfLaw", governance),
    corruption: estimate("corruption", governance * 1.05 - 0.05),
  };
}

function grids(profile: Profile, bent: Draw, wave: Draw, year: number) {
  const { alpha2, income, governance, kind, gdpPerCapita, lowCarbon, energyImports, waterStress } = profile;
  const lead = planned.has(alpha2) ? 1 : 0;
  const lit =
    100 * ((Math.log10(gdpPerCapita) - 2.3) / 1.15) + 6 * bent("lit") + 30 * lead - (kind === "conflict" ? 4 : 0);
  return {
    electricityAccess: gdpPerCapita > 5500 ? 100 : clamped(lit + 0.9 * year, 7, 100),
    pavedRoads: clamped(12 + 92 * income ** 1.3 + 7 * bent("roads") + 12 * lead + 0.5 * year, 3, 100),
    broadband: clamped(
      44 * income ** 2.2 * (1 + 0.15 * bent("broadband")) + 6 * lead * (1 - income) + 0.5 * year,
      0.05,
      49,
    ),
    powerLosses: clamped(
      11.5 - 4.4 * governance + 2 * bent("losses") + (kind === "conflict" ? 5 : 0) + 0.4 * wave("losses"),
      2.2,
      48,
    ),
    lowCarbon: clamped(lowCarbon + 2.2 * bent("carbon") + 0.9 * wave("carbon") + 0.5 * year, 0.2, 99.8),
    energyImports: clamped(energyImports * (1 + 0.025 * bent("energy") + 0.008 * wave("energy")), -900, 98),
    waterStress: waterStress * Math.exp(0.09 * bent("water")),
  };
}

function people({ alpha2, income, governance, kind, gdpPerCapita }: Profile, bent: Draw, wave: Draw, year: number) {
  const lead = planned.has(alpha2) ? 1 : 0;
  const war = kind === "conflict" ? 1 : 0;
  const cared = 34 + 46 * income + 4.5 * governance + 1.8 * bent("coverage") + 5 * lead - 3 * war + 0.3 * year;
  return {
    schooling: clamped(3 + 88 * income ** 1.6 + 4 * bent("school") + 24 * lead + 0.6 * year, 1.5, 97),
    healthCoverage: clamped(cared, 24, 91),
    measles: clamped(
      76 + 16 * income + 5 * governance + 4 * bent("measles") + 4 * lead - 9 * war + 1.2 * wave("measles"),
      33,
      99,
    ),
    hospitalBeds: clamped(5 + 42 * income ** 1.8 + 5 * bent("beds") + 0.3 * wave("beds") + 16 * lead, 2, 128),
    physicians: clamped(0.6 + 40 * income ** 2.2 + 3 * bent("physicians") * income + 11 * lead + 0.2 * year, 0.2, 62),
    healthSpending:
      gdpPerCapita * (0.045 + 0.05 * income + (kind === "services" ? 0.02 : 0) + 0.006 * bent("health")) * 1.03 ** year,
  };
}
