import fc from "fast-check";
import { expect, test } from "vitest";
import { riskCountries } from "../../../../src/domains/intelligence/risk/risk-countries.ts";
import { type RiskInputName, riskInputList } from "../../../../src/domains/intelligence/risk/risk-inputs.ts";
import { type InputValues, scoreCountry, worldScore } from "../../../../src/domains/intelligence/risk/risk-method.ts";

const country = (code: string) => {
  const found = riskCountries.find((each) => each.code === code);
  if (!found) throw new Error(`${code} is not scored`);
  return found;
};
const partsOf = (code: string, values: InputValues) => {
  const { components, additions, blended, combined } = scoreCountry(country(code), values);
  return {
    scores: Object.fromEntries(components.map(({ component, score }) => [component.name, score])),
    points: Object.fromEntries(additions.map(({ term, points }) => [term.name, Math.min(term.cap, points)])),
    blended,
    combined,
  };
};

test("there are 31 countries, each once, with constants within their bounds", () => {
  expect(new Set(riskCountries.map(({ code }) => code)).size).toBe(31);
  for (const { baseline, multiplier } of riskCountries) {
    expect(baseline >= 0 && baseline <= 100).toBe(true);
    expect(multiplier > 0 && multiplier <= 10).toBe(true);
  }
});

test("their constants are those of the methodology, in its order: baseline and event multiplier", () => {
  expect(riskCountries.map(({ code, baseline, multiplier }) => `${code} ${baseline}/${multiplier}`).join(" · ")).toBe(
    [
      "US 5/0.3 · RU 35/2 · CN 25/2.5 · UA 50/0.8 · IR 40/2 · IL 45/0.7 · TW 30/1.5 · KP 45/3 · SA 20/2 · TR 25/1.2",
      "PL 10/0.8 · DE 5/0.5 · FR 10/0.6 · GB 5/0.5 · IN 20/0.8 · PK 35/1.5 · SY 50/0.7 · YE 50/0.7 · MM 45/1.8",
      "VE 40/1.8 · CU 45/2 · MX 35/1 · BR 15/0.6 · AE 10/1.5 · KR 15/0.8 · IQ 40/1.2 · AF 45/0.8 · LB 40/1.5",
      "EG 20/1 · JP 5/0.5 · QA 10/0.8",
    ].join(" · "),
  );
});

const cold: Readonly<Record<number, string>> = {
  60: "UA SY YE MM AF",
  50: "IR IL PK VE CU MX IQ LB",
  19: "RU",
  18: "KP",
  15: "TR",
  12: "TW",
  10: "CN",
  8: "SA IN EG",
  6: "BR KR",
  4: "PL FR AE QA",
  2: "US DE GB JP",
};

test("without any data a score is baseline, advisory of the fixed list and its floor", () => {
  const scores: Record<number, string[]> = {};
  for (const each of riskCountries) {
    const { combined } = scoreCountry(each, { advisoryLevel: each.fallbackLevel });
    scores[combined] = [...(scores[combined] ?? []), each.code];
  }
  const sorted = (codes: readonly string[]) => [...codes].sort((a, b) => a.localeCompare(b));
  expect(Object.fromEntries(Object.entries(scores).map(([score, codes]) => [score, sorted(codes)]))).toEqual(
    Object.fromEntries(Object.entries(cold).map(([score, codes]) => [score, sorted(codes.split(" "))])),
  );
  expect(worldScore([60, 60, 60, 60, 60])).toBe(57);
});

test("Ukraine at war: 55, 98, 54 and 18 make 88", () => {
  const { scores, points, blended, combined } = partsOf("UA", {
    ...{ protests: 5, severeProtests: 1, majorOutages: 1 },
    ...{ battles: 40, explosions: 60, civilianViolence: 5, conflictDeaths: 100 },
    ...{ ownFlights: 5, closedAirports: 1, strongJamming: 3, mediumJamming: 2 },
    ...{ newsScore: 6, criticalThreats: 3, displaced: 6_000_000, advisoryLevel: 4, warDeaths: 1001 },
  });
  expect(scores).toEqual({ unrest: 55, conflict: 98, security: 54, information: 18 });
  expect(points).toMatchObject({ displacement: 18, "travel advisory": 15, "news urgency": 0 });
  expect(blended).toBeCloseTo(88.07, 10);
  expect(combined).toBe(88);
});

test("the United States with protests: 66, 13, 0 and 5 make 15", () => {
  const { scores, combined } = partsOf("US", {
    ...{ protests: 32, severeProtests: 2, partialOutages: 2, civilianViolence: 1, conflictDeaths: 1 },
    ...{ newsScore: 2, mediumThreats: 3 },
  });
  expect(scores).toEqual({ unrest: 66, conflict: 13, security: 0, information: 5 });
  expect(combined).toBe(15);
});

test.each<[string, InputValues, string, number]>([
  ["one strong fire among three", { strongFires: 1, fires: 3 }, "fires", 2.25],
  ["many fires", { strongFires: 30, fires: 900 }, "fires", 8],
  ["quakes of each band", { greatQuakes: 1, majorQuakes: 1, strongQuakes: 1 }, "earthquakes", 17],
  ["many quakes", { greatQuakes: 9 }, "earthquakes", 25],
  ["no sanctioned party", { sanctionedParties: 0 }, "sanctions", 0],
  ["1 party", { sanctionedParties: 1 }, "sanctions", 3],
  ["100 parties", { sanctionedParties: 100 }, "sanctions", 3],
  ["101 parties", { sanctionedParties: 101 }, "sanctions", 5],
  ["500 parties", { sanctionedParties: 500 }, "sanctions", 5],
  ["501 parties", { sanctionedParties: 501 }, "sanctions", 8],
  ["1999 parties", { sanctionedParties: 1999 }, "sanctions", 8],
  ["2000 parties, some new", { sanctionedParties: 2000, newSanctions: 1 }, "sanctions", 14],
  ["caution", { advisoryLevel: 2 }, "travel advisory", 5],
  ["normal precautions", { advisoryLevel: 1 }, "travel advisory", 0],
  ["no one displaced", { displaced: 0 }, "displacement", 0],
  ["ten displaced", { displaced: 10 }, "displacement", 0],
  ["100,000 displaced", { displaced: 100_000 }, "displacement", 4],
  ["12 million displaced", { displaced: 12_000_000 }, "displacement", 20],
  ["information of 50", { newsScore: 50 }, "news urgency", 3],
  ["information of 70", { newsScore: 70 }, "news urgency", 5],
  ["climate", { climateSeverity: 4 }, "climate", 12],
  ["shipping", { highDisruptions: 1, elevatedDisruptions: 1, lowDisruptions: 1 }, "shipping", 4.5],
  ["cyber", { criticalCyber: 3, highCyber: 3 }, "cyber", 12],
])("%s add what the table says", (_what, values, name, points) => {
  expect(partsOf("DE", values).points[name]).toBe(points);
});

test("sirens count only in Israel", () => {
  const values = { activeSirens: 2, sirensOfDay: 12 };
  expect(partsOf("IL", values)).toMatchObject({ scores: { conflict: 35 }, points: { sirens: 15 } });
  expect(partsOf("IL", { sirensOfDay: 10 }).points.sirens).toBe(10);
  expect(partsOf("IL", { sirensOfDay: 3 }).points.sirens).toBe(5);
  expect(partsOf("LB", values)).toMatchObject({ scores: { conflict: 0 }, points: { sirens: 0 } });
});

test.each<[InputValues, number]>([
  [{ warDeaths: 1000, warEvents: 10 }, 2],
  [{ warEvents: 11 }, 50],
  [{ warEvents: 101 }, 70],
  [{ warDeaths: 1001 }, 70],
  [{ advisoryLevel: 3 }, 50],
  [{ advisoryLevel: 4 }, 60],
  [{ advisoryLevel: 4, warEvents: 101 }, 70],
])("with %o Germany cannot be below %i", (values, lowest) => {
  expect(partsOf("DE", values).combined).toBe(lowest);
});

const levels = new Set<RiskInputName>(["advisoryLevel"]);
const flags = new Set<RiskInputName>(["newSanctions"]);
const amounts = (name: RiskInputName) =>
  levels.has(name)
    ? fc.integer({ min: 0, max: 4 })
    : flags.has(name)
      ? fc.constantFrom(0, 1)
      : fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 20_000_000 }));
const inputs = fc.record(Object.fromEntries(riskInputList.map(({ name }) => [name, amounts(name)])), {
  requiredKeys: [],
});
const anyCountry = fc.constantFrom(...riskCountries);

test("whatever the inputs, every part stays within its bounds and no term counts below 0", () => {
  fc.assert(
    fc.property(anyCountry, inputs, (each, values) => {
      const { components, additions, combined } = scoreCountry(each, values);
      for (const { score } of components) expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
      for (const { points } of [...additions, ...components.flatMap(({ terms }) => terms)])
        expect(points >= 0 && Number.isFinite(points)).toBe(true);
      expect(Number.isInteger(combined) && combined >= 0 && combined <= 100).toBe(true);
    }),
  );
});

test.each(riskInputList.map(({ name }) => name))("more %s never lower a score", (name) => {
  fc.assert(
    fc.property(anyCountry, inputs, amounts(name), amounts(name), (each, values, a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      const score = (amount: number) => scoreCountry(each, { ...values, [name]: amount });
      expect(score(more).combined).toBeGreaterThanOrEqual(score(less).combined);
      expect(score(more).blended).toBeGreaterThanOrEqual(score(less).blended);
    }),
    { numRuns: 60 },
  );
});

test.each(riskInputList.map(({ name }) => name))("%s have a part in the score of some country", (name) => {
  const max = levels.has(name) ? 4 : 1e7;
  const moved = riskCountries.some((each) => {
    const { components, additions, floors } = scoreCountry(each, { [name]: max });
    const none = scoreCountry(each, {});
    return (
      JSON.stringify([components, additions, floors]) !== JSON.stringify([none.components, none.additions, none.floors])
    );
  });
  expect(moved).toBe(true);
});
