import { beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { neighbors } from "../../support/domains/resilience-responses.ts";
import { type Scores, scoresPath } from "../../support/domains/risk.ts";
import { ids, idsOnTerminal } from "../terminal.ts";

let app: TestApp;
let as: Record<string, string>;

beforeAll(async () => {
  const database = await openOnce();
  app = await startApp(database);
  as = { IDS_URL: app.url, IDS_API_KEY: await app.key("api_starter") };
  for (const dataset of ["conflict-events", "internet-outages", "risk-scores"] as const) await app.refresh(dataset);
  for (const dataset of [...neighbors, "resilience-inputs", "resilience-scores"] as const) await app.refresh(dataset);
  return async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  };
});

const risk = (region: string) => ["get", "get-risk-score-explanation", "--region", region, "--table"];

/** Returns the lines of the table of a list, without its headings. */
function rowsOf(out: string, list: string): string[] {
  const [, table = ""] = new RegExp(`^${list}\\n([^\\n]+\\n(?:[^\\n]+\\n)*)`, "m").exec(out) ?? [];
  return table.trimEnd().split("\n").slice(1);
}

test("a score is explained by tables of its components, their terms and the inputs", async () => {
  const { ciiScores } = await app.json<Scores>(`${scoresPath}?region=MX`);
  const { out, err, status } = await ids(as, ...risk("MX"));
  expect({ err, status }).toEqual({ err: "", status: 0 });
  expect(out).toMatch(new RegExp(`^combinedScore +${ciiScores[0]?.combinedScore}$`, "m"));
  expect(rowsOf(out, "components").map((row) => row.split(/ +/)[0])).toEqual([
    ...["unrest", "conflict", "security", "information"],
  ]);
  expect(rowsOf(out, "components.terms")).toContainEqual(expect.stringMatching(/^conflict +intensity +70·ln/));
  expect(rowsOf(out, "components.terms.inputs")).toContainEqual(
    expect.stringMatching(/^conflict +intensity +battles +[\d.]+ +measured +acled +2026-/),
  );
});

test("a value that no source reports is empty, with its state", async () => {
  const { out } = await ids(as, ...risk("UA"));
  expect(rowsOf(out, "components.terms.inputs")).toContainEqual(
    expect.stringMatching(/^security +military vessels +vessels +absent$/),
  );
});

test("a country without a score has no rows", async () => {
  const { out } = await ids(as, ...risk("SE"));
  expect(out).toMatch(/^scored +false$/m);
  expect(out).toContain("components: none\n");
});

test("lists at four levels each have a table whose rows name the outer rows", async () => {
  const { out } = await ids(as, "get", "get-resilience-score-explanation", "--country-code", "NO", "--table");
  const path = "pillars.domains.dimensions.indicators.inputs";
  expect(rowsOf(out, path)).toContainEqual(
    expect.stringMatching(
      /^structural-readiness +economic +macroFiscal +govRevenuePct +govRevenue +[\d.]+ +2026 +imf-datamapper +GGR_G01_GDP_PT/,
    ),
  );
});

test("on a terminal of 80 columns no line is wider", async () => {
  const { out } = await idsOnTerminal(80, as, ...risk("UA"));
  expect(Math.max(...out.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
});
