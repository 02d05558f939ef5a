import { namesOf } from "../../../reference/named.ts";
import { rounded } from "../../../reference/rounding.ts";
import type { RiskCountry } from "./risk-countries.ts";
import type { RiskInputName } from "./risk-inputs.ts";

// The methodology, version 8: the terms with their formulas, caps, and inputs. `m` is the event multiplier of a
// country.

export const methodologyVersion = "v8";
export const baselineWeight = 0.4;
export const eventWeight = 0.6;

/** The values of the inputs of a country. An input without a known value counts as 0. */
export type InputValues = Readonly<Partial<Record<RiskInputName, number>>>;

/** A term of the score of a component. Its points count only up to its cap. */
export interface Term {
  readonly name: string;
  readonly formula: string;
  readonly cap: number;
  readonly inputs: readonly RiskInputName[];
  /** Returns the points of the term for the inputs. `of` has the country and the score of its information component. */
  readonly points: (
    inputs: readonly number[],
    of: { readonly country: RiskCountry; readonly information: number },
  ) => number;
}

interface Component {
  readonly name: "unrest" | "conflict" | "security" | "information";
  readonly weight: number;
  readonly terms: readonly Term[];
}

interface Floor {
  readonly name: string;
  readonly condition: string;
  readonly score: number;
  readonly inputs: readonly RiskInputName[];
  readonly holds: (inputs: readonly number[]) => boolean;
}

function sum(
  name: string,
  cap: number,
  parts: Readonly<Partial<Record<RiskInputName, number>>>,
  byMultiplier = false,
): Term {
  const weights = Object.values(parts);
  const formula = Object.entries(parts).map(([input, weight]) => `${weight}·${byMultiplier ? "m·" : ""}${input}`);
  return {
    name,
    formula: formula.join(" + "),
    cap,
    inputs: namesOf(parts),
    points: (values, { country }) =>
      weights.reduce((total, weight, place) => total + weight * (values[place] ?? 0), 0) *
      (byMultiplier ? country.multiplier : 1),
  };
}

function term(
  name: string,
  cap: number,
  inputs: readonly RiskInputName[],
  formula: string,
  points: Term["points"],
): Term {
  return { name, cap, inputs, formula, points };
}

export const components: readonly Component[] = [
  {
    name: "unrest",
    weight: 0.25,
    terms: [
      term(
        "protests",
        50,
        ["protests"],
        "8·(m < 0.7 ? 5·m·log2(n+1) : m·n)",
        ([n = 0], { country: { multiplier: m } }) => 8 * (m < 0.7 ? 5 * m * Math.log2(n + 1) : m * n),
      ),
      sum("protest deaths", 30, { protestDeaths: 5 }, true),
      sum("severe protests", 20, { severeProtests: 10 }, true),
      sum("internet outages", 50, { totalOutages: 30, majorOutages: 15, partialOutages: 5 }),
    ],
  },
  {
    name: "conflict",
    weight: 0.3,
    terms: [
      term(
        "intensity",
        70,
        ["battles", "explosions", "civilianViolence"],
        "70·ln(1+raw)/ln 4001, raw = m·(3·battles + 4·explosions + 5·civilianViolence)",
        ([battles = 0, explosions = 0, civilian = 0], { country: { multiplier: m } }) =>
          (70 * Math.log(1 + m * (3 * battles + 4 * explosions + 5 * civilian))) / Math.log(4001),
      ),
      term("deaths", 40, ["conflictDeaths"], "round(5·m·√n)", ([n = 0], { country: { multiplier: m } }) =>
        rounded(5 * m * Math.sqrt(n)),
      ),
      sum("civilians", 10, { civilianViolence: 3 }),
      sum("strikes", 50, { strikes: 3, severeStrikes: 5 }),
      term(
        "sirens",
        50,
        ["activeSirens"],
        "only IL: n > 0 ? 25 + min(25, 5·n) : 0",
        ([n = 0], { country: { code } }) => (code === "IL" && n > 0 ? 25 + Math.min(25, 5 * n) : 0),
      ),
    ],
  },
  {
    name: "security",
    weight: 0.2,
    terms: [
      sum("military flights", 50, { ownFlights: 3, foreignFlights: 6 }),
      sum("military vessels", 30, { vessels: 5 }),
      sum("airports", 40, { closedAirports: 20, severeDelays: 15, majorDelays: 10, moderateDelays: 5 }),
      sum("satellite navigation", 35, { strongJamming: 5, mediumJamming: 2 }),
    ],
  },
  {
    name: "information",
    weight: 0.25,
    terms: [
      sum("news", 100, { newsScore: 1 }),
      sum("threats", 20, { criticalThreats: 4, highThreats: 2, mediumThreats: 1, lowThreats: 0.5 }),
    ],
  },
];

export const additions: readonly Term[] = [
  sum("climate", 15, { climateSeverity: 3 }),
  sum("cyber", 12, { criticalCyber: 3, highCyber: 1.8, mediumCyber: 0.9 }),
  term(
    "fires",
    8,
    ["strongFires", "fires"],
    "1.5·strongFires + 0.25·min(20, fires)",
    ([strong = 0, all = 0]) => 1.5 * strong + 0.25 * Math.min(20, all),
  ),
  term(
    "travel advisory",
    15,
    ["advisoryLevel"],
    "level 4: 15, 3: 10, 2: 5",
    ([level = 0]) => [0, 0, 5, 10, 15][level] ?? 0,
  ),
  term(
    "sirens",
    15,
    ["activeSirens", "sirensOfDay"],
    "only IL: 15 while active, else 10 from 10 in a day, 5 from 3",
    ([active = 0, ofDay = 0], { country: { code } }) => {
      if (code !== "IL") return 0;
      if (active > 0) return 15;
      return ofDay >= 10 ? 10 : ofDay >= 3 ? 5 : 0;
    },
  ),
  term("displacement", 20, ["displaced"], "n > 0 ? max(0, round((log10 n − 5)·8 + 4)) : 0", ([n = 0]) =>
    n > 0 ? Math.max(0, rounded((Math.log10(n) - 5) * 8 + 4)) : 0,
  ),
  term("news urgency", 5, [], "information ≥ 70: 5, ≥ 50: 3", (_, { information }) =>
    information >= 70 ? 5 : information >= 50 ? 3 : 0,
  ),
  sum("earthquakes", 25, { greatQuakes: 10, majorQuakes: 5, strongQuakes: 2 }),
  term(
    "sanctions",
    14,
    ["sanctionedParties", "newSanctions"],
    "n ≥ 2000: 12, ≥ 501: 8, ≥ 101: 5, > 0: 3; +2 if newSanctions",
    ([n = 0, listed = 0]) => (n >= 2000 ? 12 : n >= 501 ? 8 : n >= 101 ? 5 : n > 0 ? 3 : 0) + (listed > 0 ? 2 : 0),
  ),
  sum("shipping", 10, { highDisruptions: 2.5, elevatedDisruptions: 1.5, lowDisruptions: 0.5 }),
];

export const floors: readonly Floor[] = [
  {
    name: "war",
    condition: "more than 1000 deaths or more than 100 events in two years",
    score: 70,
    inputs: ["warDeaths", "warEvents"],
    holds: ([deaths = 0, events = 0]) => deaths > 1000 || events > 100,
  },
  {
    name: "minor conflict",
    condition: "more than 10 events in two years",
    score: 50,
    inputs: ["warEvents"],
    holds: ([events = 0]) => events > 10,
  },
  {
    name: "do-not-travel",
    condition: "travel advisory of level 4",
    score: 60,
    inputs: ["advisoryLevel"],
    holds: ([level]) => level === 4,
  },
  {
    name: "reconsider",
    condition: "travel advisory of level 3",
    score: 50,
    inputs: ["advisoryLevel"],
    holds: ([level]) => level === 3,
  },
];

export interface TermScore {
  readonly term: Term;
  readonly points: number;
}

export interface RiskScore {
  readonly components: readonly {
    readonly component: Component;
    readonly score: number;
    readonly terms: readonly TermScore[];
  }[];
  readonly additions: readonly TermScore[];
  readonly floors: readonly { readonly floor: Floor; readonly holds: boolean }[];
  readonly blended: number;
  readonly combined: number;
}

export function scoreCountry(country: RiskCountry, values: InputValues): RiskScore {
  const valuesOf = (names: readonly RiskInputName[]) => names.map((name) => values[name] ?? 0);
  const scoreTerms = (terms: readonly Term[], information: number) =>
    terms.map((term) => ({ term, points: term.points(valuesOf(term.inputs), { country, information }) }));
  const scored = components.map((component) => {
    const terms = scoreTerms(component.terms, 0);
    return { component, terms, score: Math.min(100, rounded(counted(terms))) };
  });
  const information = scored.find(({ component }) => component.name === "information")?.score ?? 0;
  const added = scoreTerms(additions, information);
  const event = scored.reduce((total, { component, score }) => total + component.weight * score, 0);
  const blended = baselineWeight * country.baseline + eventWeight * event + counted(added);
  const checkedFloors = floors.map((floor) => ({ floor, holds: floor.holds(valuesOf(floor.inputs)) }));
  const lowest = Math.max(0, ...checkedFloors.filter(({ holds }) => holds).map(({ floor }) => floor.score));
  const combined = Math.min(100, Math.max(lowest, rounded(blended)));
  return { components: scored, additions: added, floors: checkedFloors, blended, combined };
}

function counted(terms: readonly TermScore[]): number {
  return terms.reduce((total, { term, points }) => total + Math.min(term.cap, points), 0);
}

export const worldWeights = [1, 0.85, 0.7, 0.55, 0.4];
export const worldScale = { factor: 0.7, base: 15 };

export function worldScore(highest: readonly number[]): number {
  const taken = worldWeights.map((weight, place) => ({ weight, score: highest[place] ?? 0 }));
  const weights = worldWeights.reduce((total, weight) => total + weight, 0);
  const mean = taken.reduce((total, { weight, score }) => total + weight * score, 0) / weights;
  return Math.min(100, rounded(mean * worldScale.factor + worldScale.base));
}
