import type { JsonValue } from "@bufbuild/protobuf";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { startApp, type TestApp } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import { openLoaded } from "../../../support/loaded.ts";
import { placedQuery } from "../../../support/needed-query.ts";
import { readTables } from "../../../support/table-files.ts";
import { readWorkbook } from "../../../support/workbook.ts";

type Row = Readonly<Record<string, JsonValue>>;

/** How much is known, which is 0 where nothing is; and what a scenario assumes. */
const ofKnowledge =
  /^(runs|failures|drifts|keys|firstParts|historyPoints|coverage|overallCoverage|observedWeight|imputedWeight|certainty|disruptionPct)$/;

/** The names of all members of a value that are 0, however deep. */
function* zerosIn(value: JsonValue, name = ""): Generator<string> {
  if (value === 0 || value === "0") yield name;
  else if (Array.isArray(value)) for (const item of value) yield* zerosIn(item, name);
  else if (value !== null && typeof value === "object")
    for (const [member, inner] of Object.entries(value)) yield* zerosIn(inner, member.split(".").at(-1));
}

async function rowsOf(app: TestApp, path: string, key: string): Promise<Row[]> {
  const response = await app.get(path, { key });
  // What would look like nothing there is no file.
  if (response.status === 503) return [];
  const text = await response.text();
  expect(response.status, `${path} ${text}`).toBe(200);
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Row]));
}

test("no file of any read has a 0 of what was never measured, not in its nested cells either", async () => {
  const database = await openOnce();
  await using app = await startApp(database);
  const key = await app.key("enterprise");
  const found = new Map<string, string[]>();
  for (const { name, operation, table } of readTables) {
    const path = placedQuery(operation);
    const rows = await rowsOf(app, `${path}${path.includes("?") ? "&" : "?"}format=ndjson&rows=${table.name}`, key);
    const zeros = [...new Set(rows.flatMap((row) => [...zerosIn(row)]))].filter((member) => !ofKnowledge.test(member));
    if (zeros.length > 0) found.set(name, zeros);
  }
  await database.close();
  expect(Object.fromEntries(found)).toEqual({});
});

test("a country of which nothing is measured has empty scores, and a movement of 0 that was measured is 0", async () => {
  const database = await openLoaded();
  await using app = await startApp(database);
  const key = await app.key("enterprise");
  const resilience = "/api/resilience/v1/get-resilience-score?countryCode=AQ&format=ndjson&rows=";
  for (const table of ["domains", "domains.dimensions", "pillars"]) {
    const rows = await rowsOf(app, `${resilience}${table}`, key);
    expect(rows.length).toBeGreaterThan(0);
    const zeros = rows.flatMap((row) => [...zerosIn(row)]).filter((member) => !ofKnowledge.test(member));
    expect(zeros, table).toEqual([]);
  }
  const risk = "/api/intelligence/v1/get-risk-scores";
  const { ciiScores } = await app.json<{ ciiScores: { dynamicScore: number; hasDynamicScore: boolean }[] }>(risk);
  const csv: Record<string, string>[] = parse(await (await app.get(`${risk}?format=csv`, { key })).text(), {
    columns: true,
  });
  expect(csv.map(({ dynamicScore }) => dynamicScore)).toEqual(
    ciiScores.map(({ dynamicScore, hasDynamicScore }) => (hasDynamicScore ? String(dynamicScore) : "")),
  );
  const unknown = ciiScores.map(({ hasDynamicScore }) => !hasDynamicScore);
  const workbook = await readWorkbook(await (await app.get(`${risk}?format=xlsx`, { key })).bytes());
  expect(workbook.rows.map(({ dynamicScore }) => dynamicScore === null)).toEqual(unknown);
  const { items } = (await (await app.get(`${risk}?format=jsonfeed`, { key })).json()) as {
    items: { content_text: string }[];
  };
  expect(items.filter(({ content_text }) => !content_text.includes("Change in 24 hours:")).length).toBe(
    unknown.filter((each) => each).length,
  );
  await database.close();
});
