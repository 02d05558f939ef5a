import type { DescMethodUnary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { tablesOf } from "../../src/contract/tables.ts";
import { datasets } from "../../src/domains/index.ts";
import { type Followable, followedTables } from "../../src/ingest/changes/followed-tables.ts";
import { dayMs } from "../../src/reference/duration.ts";
import { startApp, testTime } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";
import { changesOf } from "./listed-changes.ts";

const all: readonly (Followable & { readonly name: string })[] = datasets;
const followed = all.filter((dataset) => followedTables(dataset).length > 0);
const readsOf = ({ serves }: Followable) =>
  serves.filter((method): method is DescMethodUnary => method.methodKind === "unary");
const keyedOf = (method: DescMethodUnary) => tablesOf({ method }).filter(({ key }) => key.length > 0);

test.each(followed)(
  "changes of $name are rows of its reads, of the first one too, by the fields of their JSON",
  (dataset) => {
    const [first] = readsOf(dataset)
      .map(keyedOf)
      .filter(({ length }) => length > 0);
    const names = followedTables(dataset).map(({ table }) => table.name);
    expect(names).toContain(first?.[0]?.name);
    for (const { table, columns } of followedTables(dataset)) {
      const shown = readsOf(dataset).flatMap((method) =>
        tablesOf({ method }).filter(({ name }) => name === table.name),
      );
      const fields = new Set(shown.flatMap((each) => each.columns.map(({ name }) => name)));
      expect(columns.map(({ name }) => name).filter((name) => !fields.has(name))).toEqual([]);
    }
  },
);

test("changes of scores that are kept with their explanations are those of the scores", async () => {
  const database = await openLoaded();
  await using app = await startApp(database);
  const { nextPosition } = await changesOf(app, "datasets=risk-scores");
  app.setTime(new Date(testTime.getTime() + dayMs));
  for (const name of ["conflict-events", "internet-outages", "risk-scores"] as const) await app.refresh(name);
  const { changes } = await changesOf(app, `datasets=risk-scores&after=${nextPosition}`);
  const { ciiScores } = await app.json<{ ciiScores: { region: string; combinedScore: number }[] }>(
    "/api/intelligence/v1/get-risk-scores",
  );
  const ofScores = changes.filter(({ rows }) => rows === "ciiScores");
  expect(ofScores.length).toBeGreaterThan(0);
  for (const { subject, country, after = {} } of ofScores) {
    const score = ciiScores.find(({ region }) => region === subject);
    expect(country).toBe(subject);
    for (const [field, value] of Object.entries(after))
      if (field !== "components" && value !== null) expect(score).toMatchObject({ [field]: value });
  }
  expect(new Set(changes.map(({ rows }) => rows))).toEqual(new Set(["ciiScores", "strategicRisks"]));
  await database.close();
});
