import { describe, expect, test } from "vitest";
import { responseDrift } from "../../../src/ingest/drift/drift.ts";
import { responseValue, type Shape, shapeReader } from "../../../src/ingest/drift/shape.ts";
import { sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import { start } from "../refresh-bed.ts";

const source = { fetch: async () => "", parse: () => ({ rows: [], rejected: [] }) };

function shapeOf(text: string): Shape {
  const form = shapeReader();
  form.add(responseValue(text));
  return form.shape();
}

async function graveBetween(before: string, now: string) {
  const last = { shape: shapeOf(before), drift: [] };
  const { grave } = await responseDrift(source, { shape: shapeOf(now), isWhole: true }, last, () =>
    sampleUpstream("gscpi", () => start),
  );
  return grave.map(({ field }) => field);
}

describe("a table in an answer", () => {
  test("that had an end of its last line and has none now was cut, in a number as well", async () => {
    expect(await graveBetween("day,value\n1,100\n2,200\n", "day,value\n1,100\n2,20")).toEqual([
      "[].(end of the last line)",
    ]);
  });

  test.each([
    ["day,value\n1,100\n", "day,value\n1,100\n2,200\n"],
    ["day,value\n1,100", "day,value\n1,100\n2,200"],
    ["day,value\n1,100", "day,value\n1,100\n2,200\n"],
  ])("%j, and then %j, was not", async (before, now) => {
    expect(await graveBetween(before, now)).toEqual([]);
  });
});
