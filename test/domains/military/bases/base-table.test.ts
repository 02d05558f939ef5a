import { create } from "@bufbuild/protobuf";
import { afterAll, expect, test } from "vitest";
import { MilitaryBaseSchema } from "../../../../gen/es/ids/military/v1/military_pb.ts";
import { buildBaseIndex } from "../../../../src/domains/military/bases/base-index.ts";
import { type Base, insertBases, readBases } from "../../../../src/domains/military/bases/base-table.ts";
import { militaryBases } from "../../../../src/domains/military/bases/military-bases.ts";
import { openOnce } from "../../../support/databases.ts";
import { syntheticBases } from "../../../support/domains/synthetic-bases.ts";

const { kysely: database, close } = await openOnce();
const bases = syntheticBases(4_500);

afterAll(close);

const write = (generation: number, rows = bases) =>
  database.transaction().execute((transaction) => insertBases(transaction, generation, rows));
const read = async (generation: number) => {
  const stored: Base[] = [];
  for await (const chunk of readBases(database, generation)) stored.push(...chunk);
  return stored;
};

test("a generation is read as it was written, in chunks", async () => {
  await write(1);
  const stored = await read(1);
  expect(stored.toSorted(byNumber)).toEqual(bases.toSorted(byNumber));
  expect((await buildBaseIndex(readBases(database, 1))).size).toBe(bases.length);
});

test("a new generation leaves the previous one to its readers and removes older ones", async () => {
  await write(2, bases.slice(0, 10));
  await write(7, bases.slice(0, 5));
  expect(await read(1)).toEqual([]);
  expect(await read(2)).toHaveLength(10);
  expect(await read(7)).toHaveLength(5);
});

test("a refresh stores the merged rows of the sources that responded and reports their number", async () => {
  const row = (id: string, name: string) =>
    create(MilitaryBaseSchema, { id, name, latitude: 48.1, longitude: 11.5, kind: "base", tier: 1 });
  const bySource = new Map([
    ["overpass", [row("node/1", "Kaserne"), row("way/2", "Kaserne")]],
    ["curated", [row("depot", "Depot")]],
  ]);
  const refresh = {
    bySource,
    responses: new Map(),
    generation: 8,
    origin: "live" as const,
    now: new Date("2026-11-01T00:00:00Z"),
  };
  const count = await database.transaction().execute((transaction) => militaryBases.write(transaction, refresh));
  expect(count).toBe(2);
  expect(await read(8)).toMatchObject([
    { id: "depot", countryIso2: "DE", type: "us-nato" },
    { id: "way/2", countryIso2: "DE", type: "us-nato" },
  ]);
});

function byNumber(a: { id: string }, b: { id: string }): number {
  return Number(a.id.split("/")[1]) - Number(b.id.split("/")[1]);
}
