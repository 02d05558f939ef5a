import { existsSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";

/** JSON schema of the metadata of GeoParquet. */
const schema = "/work/shared/suites/geoparquet/schema.json";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("conflict-events");
  await app.refresh("tech-events");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const fileOf = async (path: string) => (await app.get(path)).arrayBuffer();
const geoOf = (file: ArrayBuffer) => {
  const text = parquetMetadata(file).key_value_metadata?.find(({ key }) => key === "geo")?.value;
  return text === undefined ? undefined : JSON.parse(text);
};

/** Reads a point in little-endian well-known binary. */
function pointIn(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  expect([bytes.length, view.getUint8(0), view.getUint32(1, true)]).toEqual([21, 1, 1]);
  return [view.getFloat64(5, true), view.getFloat64(13, true)];
}

test("Parquet of rows with places is GeoParquet: points in well-known binary, null without coordinates", async () => {
  const file = await fileOf("/api/research/v1/list-tech-events?format=parquet");
  const { children } = parquetSchema(parquetMetadata(file));
  expect(children.at(-1)?.element).toMatchObject({ name: "geometry", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" });
  expect(geoOf(file)).toEqual({
    version: "1.1.0",
    primary_column: "geometry",
    columns: { geometry: { encoding: "WKB", geometry_types: ["Point"] } },
  });
  const rows = await parquetReadObjects({ file, geoparquet: false, utf8: false });
  const places = rows.map((row) => [row["coords.lng"], row["coords.lat"]]);
  expect(places.some(([longitude]) => longitude === null)).toBe(true);
  expect(places.some(([longitude]) => longitude !== null)).toBe(true);
  expect(rows.map(({ geometry }) => (geometry === null ? [null, null] : pointIn(geometry as Uint8Array)))).toEqual(
    places,
  );
});

test("a reader of GeoParquet gets the geometries of GeoJSON, in one page and in all pages", async () => {
  const path = "/api/conflict/v1/list-conflict-events?country=SD";
  const { features } = await app.json<{ features: { geometry: unknown }[] }>(`${path}&format=geojson`);
  for (const query of ["", "&all=true"]) {
    const rows = await parquetReadObjects({ file: await fileOf(`${path}&format=parquet${query}`) });
    expect(rows.map(({ geometry }) => geometry)).toEqual(features.map(({ geometry }) => geometry));
  }
});

test("Parquet of rows without places has no geometry", async () => {
  const file = await fileOf("/api/conflict/v1/count-conflict-events?group_by=day&format=parquet");
  expect(geoOf(file)).toBeUndefined();
  expect(parquetSchema(parquetMetadata(file)).children.map(({ element }) => element.name)).not.toContain("geometry");
});

test.skipIf(!existsSync(schema))("the metadata conform to the schema of GeoParquet", async () => {
  const geo = geoOf(await fileOf("/api/conflict/v1/list-conflict-events?country=SD&format=parquet"));
  const known = JSON.parse(readFileSync(schema, "utf8"));
  // The schema is of the draft after 1.1, which has the same members. A reference system, which we leave out, has a
  // schema on another host.
  known.properties.version = { const: "1.1.0" };
  known.properties.columns.patternProperties[".+"].properties.crs = false;
  const validate = new Ajv({ strict: false }).compile(known);
  expect([validate(geo), validate.errors]).toEqual([true, null]);
  expect(validate({ ...geo, primary_column: "" })).toBe(false);
});
