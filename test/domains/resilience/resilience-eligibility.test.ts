import { afterAll, beforeAll, expect, test } from "vitest";
import { scoredCountries } from "../../../src/domains/resilience/countries.ts";
import { type InputName, inputs } from "../../../src/domains/resilience/inputs.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import {
  type Explanation,
  explanationPath,
  neighbors,
  type Ranking,
  rankingPath,
} from "../../support/domains/resilience-responses.ts";

let database: Database;
let app: TestApp;

/** A plausible value of a country for every input of the sources with the most data. */
const value = (input: InputName) => (input === "importHhi" ? 0.1 : 20);
const governance: InputName[] = ["voice", "stability", "effectiveness", "regulation", "ruleOfLaw", "corruption"];
const some: InputName[] = [...governance, "waterStress", "mfnTariff", "uhcIndex", "measlesCoverage"];
const own = Object.keys(inputs) as InputName[];
const levels = {
  whole: { inputs: own, within: [0.75, 1] },
  most: { inputs: own.filter((input) => !some.includes(input)), within: [0.65, 0.85] },
  half: {
    inputs: own.filter(
      (input) =>
        !some.includes(input) &&
        !inputs[input].reportedBy.some(([source]) => source === "who-gho" || source === "world-bank-development"),
    ),
    within: [0, 0.65],
  },
} as const;

/** Members of the European Union, so that the gas of its stores is theirs. */
const cases = [
  ["DE", "whole", 0.25],
  ["FR", "whole", 0.2],
  ["IT", "whole", 0.1999],
  ["ES", "whole", undefined],
  ["PL", "most", 0.25],
  ["RO", "most", 0.2],
  ["NL", "most", 0.1999],
  ["BE", "most", undefined],
  ["SE", "half", 9],
  ["AT", "half", 0.1],
] as const;

beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  for (const dataset of [...neighbors, "resilience-inputs"] as const) await app.refresh(dataset);
  await database.query("truncate resilience_input");
  const rows = cases.flatMap(([country, level, population]) => [
    ...levels[level].inputs
      .filter((input) => input !== "population")
      .map((input) => ({ country, input, value: value(input) })),
    ...(population === undefined ? [] : [{ country, input: "population" as const, value: population }]),
  ]);
  // Schooling counts only if it is known of nearly all.
  const taught = scoredCountries
    .filter((country) => !cases.some(([code]) => code === country))
    .map((country) => ({ country, input: "schooling" as const, value: 50 }));
  const reported = [...rows, ...taught].map((row) => {
    const [[source, series] = ["", ""]] = inputs[row.input].reportedBy;
    return { ...row, source, series };
  });
  await database.query(
    `insert into resilience_input select source, input, country, '2025', series, value, 'sample', '${testTime.toISOString()}'
     from json_to_recordset('${JSON.stringify(reported).replaceAll("'", "''")}'::json)
       as t (source text, series text, input text, country text, value float8)`,
  );
  await app.refresh("resilience-scores");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

test.each(cases)(
  "%s, with %s known and %s million people, is ranked by the rule only",
  async (country, level, population) => {
    const reported = await app.json<Explanation>(`${explanationPath}?country_code=${country}`);
    const [least, most] = levels[level].within;
    expect(reported.overallCoverage).toBeGreaterThanOrEqual(least);
    expect(reported.overallCoverage).toBeLessThan(most);
    expect(reported.population).toBe((population ?? 0) * 1e6);
    const { overallCoverage: coverage, lowConfidence } = reported;
    const ranked = !lowConfidence && coverage >= 0.65 && ((population ?? 0) >= 0.2 || coverage >= 0.85);
    if (level !== "whole") expect(ranked).toBe(level === "most" && (population ?? 0) >= 0.2);
    expect([reported.headlineEligible, lowConfidence]).toEqual([ranked, coverage < 0.55]);
    const { items, greyedOut } = await app.json<Ranking>(rankingPath);
    expect(items.some((row) => row.countryCode === country)).toBe(ranked);
    expect(greyedOut.some((row) => row.countryCode === country)).toBe(!ranked);
  },
);

test("a country of which little is known has a score all the same, and is not ranked", async () => {
  const { greyedOut } = await app.json<Ranking>(rankingPath);
  const norway = greyedOut.find(({ countryCode }) => countryCode === "NO");
  expect(norway).toMatchObject({ headlineEligible: false, lowConfidence: true });
  expect(norway?.overallScore).toBeGreaterThan(0);
});
