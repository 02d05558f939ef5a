import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { hostOf } from "../../../../../src/domains/military/bases/merge.ts";
import { curated } from "../../../../../src/domains/military/bases/sources/curated.ts";
import { types } from "../../../../../src/domains/military/bases/sources/vocabulary.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";

const now = new Date("2026-11-01T00:00:00Z");
const list = await readFile(
  new URL("../../../../../src/domains/military/bases/sources/curated-bases.csv", import.meta.url),
  "utf8",
);

test("the list has no bad line, no double and a base of every power", () => {
  const { rows, rejected } = curated.parse(list, now);
  expect(rejected).toEqual([]);
  expect(curated.rows.atLeast).toBe(Math.ceil(rows.length * 0.9));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(new Set(rows.map(({ type }) => type))).toEqual(types);
});

test("the list has bases whose power is not the host's", () => {
  const abroad = curated
    .parse(list, now)
    .rows.filter((row) => hostOf(row.latitude ?? 0, row.longitude ?? 0).type !== row.type);
  expect(abroad.length).toBeGreaterThan(50);
});

test("a line with an unknown word is rejected by its number", () => {
  const [header] = list.split("\n");
  const line = (type: string) => `x,X,1,2,${type},active,Army,airforce nuclear`;
  expect(curated.parse([header, line("nobody"), line("uk")].join("\n"), now)).toMatchObject({
    rows: [{ id: "x", type: "uk", kind: "base", tier: 1, catAirforce: true, catNaval: false, catNuclear: true }],
    rejected: [{ row: "line 2", reason: "type: not an operating power" }],
  });
});

test("other columns are refused", () => {
  expect(() => curated.parse("id,name\nx,X", now)).toThrow(UpstreamError);
});
