import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";
import { allPages, expectSchema, type Feature, type FeatureCollection, lists } from "../../support/ogc.ts";

const collections = Object.keys(lists);
const timeNames: Readonly<Record<string, string>> = {
  "list-conflict-events": "occurredAt",
  "list-internet-outages": "detectedAt",
  "list-tech-events": "startDate",
};
const dayMs = 86_400_000;

let database: Database;
let app: TestApp;
let all: ReadonlyMap<string, readonly Feature[]>;
const featuresOf = async (path: string) => (await allPages(app, path)).flatMap(({ features }) => features);
const pathOf = (collection: string, query: string) => `/ogc/collections/${collection}/items?limit=1000&${query}`;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  all = new Map(
    await Promise.all(collections.map(async (each) => [each, await featuresOf(pathOf(each, ""))] as const)),
  );
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const idsOf = (features: readonly Feature[]) => features.map(({ id }) => id);

/** The plain definition of the standard: a feature without a place is in every box. */
function isInBox({ geometry }: Feature, [west, south, east, north]: readonly [number, number, number, number]) {
  if (!geometry) return true;
  const [x, y] = geometry.coordinates;
  return y >= south && y <= north && (west <= east ? x >= west && x <= east : x >= west || x <= east);
}

/** First and last millisecond of the time of a feature; undefined for a feature without one. */
function timeOf(collection: string, { properties }: Feature): readonly [number, number] | undefined {
  const value = properties[timeNames[collection] ?? ""];
  if (typeof value === "number") return [value, value];
  const day = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(day) ? undefined : [day, day + dayMs - 1];
}

describe("bbox", () => {
  test("selects the features in the box, across the antimeridian too, and those without a place (fc-bbox-definition, fc-bbox-response)", async () => {
    const longitude = fc.double({ min: -180, max: 180, noNaN: true });
    const latitude = fc.double({ min: -90, max: 90, noNaN: true });
    const boxes = fc.tuple(longitude, latitude, longitude, latitude, fc.boolean());
    await fc.assert(
      fc.asyncProperty(boxes, fc.constantFrom(...collections), async ([west, a, east, b, hasHeights], collection) => {
        const box = [west, Math.min(a, b), east, Math.max(a, b)] as const;
        const text = hasHeights ? [west, box[1], -10, east, box[3], 10] : box;
        const found = await featuresOf(pathOf(collection, `bbox=${text.join(",")}`));
        const expected = all.get(collection)?.filter((feature) => isInBox(feature, box)) ?? [];
        expect(idsOf(found)).toEqual(idsOf(expected));
      }),
      { numRuns: 60 },
    );
  });

  test("of the exact place of a feature contains the feature", async () => {
    for (const collection of collections) {
      const feature = all.get(collection)?.find(({ geometry }) => geometry);
      const [x, y] = feature?.geometry?.coordinates ?? [];
      const found = await featuresOf(pathOf(collection, `bbox=${x},${y},${x},${y}`));
      expect(idsOf(found)).toContain(feature?.id);
    }
  });

  test("and datetime together select the features that both select", async () => {
    const found = await featuresOf(pathOf("list-conflict-events", "bbox=20,-5,50,20&datetime=2026-11-01/2026-11-10"));
    const expected = all.get("list-conflict-events")?.filter((feature) => {
      const [at = 0] = timeOf("list-conflict-events", feature) ?? [];
      const isThen = at >= Date.parse("2026-11-01") && at < Date.parse("2026-11-11");
      return isThen && isInBox(feature, [20, -5, 50, 20]);
    });
    expect(found.length).toBeGreaterThan(0);
    expect(idsOf(found)).toEqual(idsOf(expected ?? []));
  });
});

describe("crs and bbox-crs", () => {
  const [crs84, epsg4326] = [
    "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
    "http://www.opengis.net/def/crs/EPSG/0/4326",
  ];

  test("are listed by every collection (crs-list, storage-crs)", async () => {
    for (const each of collections) {
      const body = await app.json(`/ogc/collections/${each}`);
      expect(body).toMatchObject({ crs: [crs84, epsg4326], storageCrs: crs84 });
    }
  });

  test.each([
    ["CRS84", crs84, false],
    ["EPSG:4326", epsg4326, true],
  ])("return coordinates in the order of %s, named in Content-Crs (crs-output)", async (_, crs, isReversed) => {
    for (const each of collections) {
      const response = await app.get(pathOf(each, `crs=${crs}`));
      const { features } = (await response.json()) as FeatureCollection;
      expect(response.headers.get("Content-Crs")).toBe(`<${crs}>`);
      const original = all.get(each)?.slice(0, features.length) ?? [];
      const expected = original.map(({ geometry }) =>
        isReversed ? geometry?.coordinates.toReversed() : geometry?.coordinates,
      );
      expect(features.map(({ geometry }) => geometry?.coordinates)).toEqual(expected);
      const one = await app.get(
        `/ogc/collections/${each}/items/${encodeURIComponent(features[0]?.id ?? "")}?crs=${crs}`,
      );
      expect(one.headers.get("Content-Crs")).toBe(`<${crs}>`);
      expect(((await one.json()) as Feature).geometry).toEqual(features[0]?.geometry);
    }
  });

  test("select the same features by a box in either order, and CRS84 is the default (bbox-crs)", async () => {
    const query = "list-conflict-events";
    const plain = await featuresOf(pathOf(query, "bbox=20,-5,50,20"));
    expect(plain.length).toBeGreaterThan(0);
    expect(await featuresOf(pathOf(query, `bbox=20,-5,50,20&bbox-crs=${crs84}`))).toEqual(plain);
    expect(await featuresOf(pathOf(query, `bbox=-5,20,20,50&bbox-crs=${epsg4326}`))).toEqual(plain);
    expect(await featuresOf(pathOf(query, `bbox=-5,20,0,20,50,9&bbox-crs=${epsg4326}`))).toEqual(plain);
  });
});

describe("datetime", () => {
  const bounds = fc
    .tuple(fc.integer({ min: -90, max: 400 }), fc.integer({ min: 0, max: 3 * dayMs }), fc.integer({ min: 0, max: 60 }))
    .map(([day, ms, days]) => [Date.UTC(2026, 10, 18) + day * dayMs + ms, days * dayMs] as const);
  const manners = fc.constantFrom("closed", "from", "to", "instant");

  test("selects the features of the interval, with open ends too, and those without a time (fc-time-definition, fc-time-response)", async () => {
    await fc.assert(
      fc.asyncProperty(
        bounds,
        manners,
        fc.boolean(),
        fc.constantFrom(...collections),
        async ([at, ms], manner, isDotted, collection) => {
          const [first, last] = [new Date(at).toISOString(), new Date(at + ms).toISOString()];
          const open = isDotted ? ".." : "";
          const texts = { closed: `${first}/${last}`, from: `${first}/${open}`, to: `${open}/${last}`, instant: first };
          const from = manner === "to" ? Number.NEGATIVE_INFINITY : at;
          const to = manner === "from" ? Number.POSITIVE_INFINITY : manner === "instant" ? at : at + ms;
          const found = await featuresOf(pathOf(collection, `datetime=${texts[manner]}`));
          const expected = all.get(collection)?.filter((feature) => {
            const [start, end] = timeOf(collection, feature) ?? [from, to];
            return start <= to && end >= from;
          });
          expect(idsOf(found)).toEqual(idsOf(expected ?? []));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("accepts a day and offsets, and counts exactly the features that it selects", async () => {
    const day = await app.json<FeatureCollection>(pathOf("list-conflict-events", "datetime=2026-11-10"));
    const hours = "2026-11-10T02:00:00%2B02:00/2026-11-11T01:59:59.999%2B02:00";
    const offset = await app.json<FeatureCollection>(pathOf("list-conflict-events", `datetime=${hours}`));
    expect(day.numberReturned).toBeGreaterThan(0);
    expect(day.numberMatched).toBe(day.numberReturned);
    expect(idsOf(offset.features)).toEqual(idsOf(day.features));
  });
});

describe("Invalid parameters", () => {
  const rejections: (readonly [query: string, field: string])[] = [
    ...["0", "-1", "1.5", "1e3", "ten", "", "%00", "9".repeat(20)].map((each) => [`limit=${each}`, "limit"] as const),
    ...["NaN,0,1,1", "1e400,0,1,1", "0,0,Infinity,1", "1,2,3", "1,2,3,4,5", "1,2,3,4,5,6,7", ""].map(
      (each) => [`bbox=${each}`, "bbox"] as const,
    ),
    ...["0,10,1,5", "-181,0,1,1", "0,0,180.1,1", "0,-91,1,1", "0,0,1,90.5", "a,b,c,d", "0x1,0,1,1"].map(
      (each) => [`bbox=${each}`, "bbox"] as const,
    ),
    ...["garbage", "", "/", "../..", "2026-13-01", "2026-02-30", "2026-11-10/2026-11-01", "2026/2027/2028", "../x"].map(
      (each) => [`datetime=${each}`, "datetime"] as const,
    ),
    ...["1", "e30", "....", "a".repeat(5_000)].map((each) => [`cursor=${each}`, "cursor"] as const),
    ["bbox=0,0,1,1&bbox=0,0,2,2", "bbox"],
    ["bbox=100,0,101,1&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/4326", "bbox"],
    ...["", "EPSG:4326", "http://www.opengis.net/def/crs/EPSG/0/3857"].flatMap((each) => [
      [`crs=${each}`, "crs"] as const,
      [`bbox-crs=${each}`, "bbox-crs"] as const,
    ]),
    ["limit=1&limit=2", "limit"],
    ["nothing=1", "nothing"],
    ["page_size=1", "page_size"],
    ["BBOX=0,0,1,1", "BBOX"],
    ["f=xml", "f"],
    ["as_of=yesterday", "as_of"],
  ];

  test("are a 400 with the schema exception, and name the parameter (query-param-unknown, query-param-invalid)", async () => {
    for (const collection of collections)
      for (const [query, field] of rejections) {
        const response = await app.get(`/ogc/collections/${collection}/items?${query}`);
        const body = (await response.json()) as { code: string; description: string };
        expect([collection, query.slice(0, 40), response.status]).toEqual([collection, query.slice(0, 40), 400]);
        expectSchema("exception", body);
        expect(body.code).toBe("invalid-request");
        expect(body.description).toMatch(new RegExp(`^${field}: `));
      }
  });

  test("of one feature are a 400, those of a page too", async () => {
    for (const query of ["limit=1", "bbox=0,0,1,1", "x", "f=json&f=html"])
      expect((await app.get(`/ogc/collections/list-tech-events/items/x?${query}`)).status).toBe(400);
  });

  test("that any client could send never lead to a fault of the service", async () => {
    const value = fc.oneof(fc.string({ unit: "grapheme", maxLength: 60 }), fc.constantFrom("0,0,1,1", "..", "1"));
    const name = fc.constantFrom("limit", "bbox", "datetime", "cursor", "f", "country", "event_type", "sort", "as_of");
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(pairs, fc.constantFrom(...collections), async (parameters, collection) => {
        const query = new URLSearchParams(parameters);
        const { status } = await app.get(`/ogc/collections/${collection}/items?${query}`);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 300 },
    );
  });
});
