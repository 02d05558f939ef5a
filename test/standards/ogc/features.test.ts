import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";
import {
  allPages,
  expectSchema,
  type Feature,
  type FeatureCollection,
  hrefOf,
  idsOverRest,
  type Linked,
  lists,
} from "../../support/ogc.ts";

const collections = Object.keys(lists);
const pathOf = (collection: string) => `/ogc/collections/${collection}/items`;

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

describe("Pages of features", () => {
  test("are 200, GeoJSON, and have the schema featureCollectionGeoJSON (fc-op, fc-response, geojson)", async () => {
    for (const collection of collections) {
      const response = await app.get(pathOf(collection));
      expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/geo+json"]);
      const body = (await response.json()) as FeatureCollection;
      expectSchema("featureCollectionGeoJSON", body);
      expect(body).toMatchObject({ type: "FeatureCollection", origin: "sample" });
      expect(response.headers.get("X-Data-Origin")).toBe("sample");
    }
  });

  test("have at most `limit` features, 10 by default and 1,000 at most (fc-limit-definition, fc-limit-response-1)", async () => {
    const countOf = async (query: string) =>
      (await app.json<FeatureCollection>(`${pathOf("list-conflict-events")}${query}`)).features.length;
    expect(await countOf("")).toBe(10);
    expect(await countOf("?limit=1")).toBe(1);
    expect(await countOf("?limit=1000")).toBe(1000);
    expect(await countOf("?limit=1000000000")).toBe(1000);
    const page = await app.get(`${pathOf("list-conflict-events")}?limit=1000&f=html`);
    expect((await page.text()).match(/<tr>/g)?.length).toBeLessThan(120);
  });

  test("link to themselves, their other format, and the next page, each with a type (fc-links, fc-rel-type)", async () => {
    for (const collection of collections) {
      const response = await app.get(`${pathOf(collection)}?limit=3`);
      const body = (await response.json()) as FeatureCollection;
      const shown = body.links.map(({ rel, type }) => [rel, type]);
      expect(shown).toEqual([
        ["self", "application/geo+json"],
        ["alternate", "text/html"],
        ["next", "application/geo+json"],
      ]);
      for (const { href, rel } of body.links) expect(response.headers.get("Link")).toContain(`<${href}>; rel="${rel}"`);
    }
  });

  test("have the time of the response, and count the features that they return and all that match (fc-timeStamp, fc-numberReturned, fc-numberMatched)", async () => {
    for (const collection of collections) {
      const all = await idsOverRest(app, collection);
      const body = await app.json<FeatureCollection>(`${pathOf(collection)}?limit=7`);
      expect(body.timeStamp).toBe(testTime.toISOString());
      expect(body.numberReturned).toBe(body.features.length);
      expect([collection, body.numberMatched]).toEqual([collection, all.length]);
    }
  });

  test("read one after the other, contain the rows of the list over REST, each once and in the same order", async () => {
    for (const collection of collections)
      for (const limit of [7, 100, 1000]) {
        const pages = await allPages(app, `${pathOf(collection)}?limit=${limit}`);
        const ids = pages.flatMap(({ features }) => features.map(({ id }) => id));
        expect(ids, `${collection} by ${limit}`).toEqual(await idsOverRest(app, collection));
        for (const page of pages.slice(0, -1)) expect(page.numberReturned).toBe(limit);
      }
  });

  test("accept the filters of the read, and earlier days", async () => {
    const path = pathOf("list-conflict-events");
    const filtered = await allPages(app, `${path}?country=SD&event_type=battles,state-based+conflict&limit=1000`);
    const features = filtered.flatMap((page) => page.features);
    expect(features.length).toBeGreaterThan(0);
    for (const { properties } of features) expect(properties.country).toBe("SD");
    const past = await app.get(`${path}?as_of=2026-11-18`);
    expect([past.status, past.headers.get("X-As-Of")]).toEqual([200, expect.stringContaining("2026-11-18")]);
    const wrong = await app.get(`${path}?country=Nowhereland`);
    expect(wrong.status).toBe(400);
    expectSchema("exception", await wrong.json());
  });

  test("are HTML pages with the features and links, if the client prefers HTML (html)", async () => {
    for (const collection of collections) {
      const response = await app.get(`${pathOf(collection)}?limit=2`, { headers: { Accept: "text/html" } });
      expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'self'");
      const page = await response.text();
      const { features } = await app.json<FeatureCollection>(`${pathOf(collection)}?limit=2`);
      for (const { id } of features) expect(page).toContain(`${pathOf(collection)}/${encodeURIComponent(id)}?f=html`);
      expect(page).toMatch(/<a href="[^"]*&#38;cursor=[^"]*" rel="next"/);
      expect(page).toContain(testTime.toISOString());
    }
  });

  test("have an ETag that a change of the time does not change, and a page is validated before each use", async () => {
    const path = `${pathOf("list-internet-outages")}?limit=5`;
    const response = await app.get(path);
    const etag = response.headers.get("ETag") ?? "";
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(response.headers.get("Cache-Control")).toBe("private, no-cache");
    app.setTime(new Date(testTime.getTime() + 5_000));
    const again = await app.get(path, { headers: { "If-None-Match": etag } });
    app.setTime(testTime);
    expect([again.status, again.headers.get("ETag"), await again.text()]).toEqual([304, etag, ""]);
    expect((await app.get(`${path}&f=html`, { headers: { "If-None-Match": etag } })).status).toBe(200);
    const open = await app.get(pathOf("list-conflict-events"), { key: null });
    expect(open.headers.get("Cache-Control")).toBe("public, no-cache");
  });

  test("are compressed if they are large and the client accepts gzip, and HEAD has no body", async () => {
    const path = `${pathOf("list-conflict-events")}?limit=500`;
    const large = await app.get(path, { headers: { "Accept-Encoding": "gzip" } });
    expect(large.headers.get("Content-Encoding")).toBe("gzip");
    expect(((await large.json()) as FeatureCollection).features).toHaveLength(500);
    const head = await app.get(path, { method: "HEAD", headers: { "Accept-Encoding": "identity" } });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(Number(head.headers.get("Content-Length"))).toBeGreaterThan(10_000);
  });
});

describe("One feature", () => {
  test("is 200, equals its entry in the collection, and links to itself and its collection (f-op, f-success, f-links)", async () => {
    for (const collection of collections) {
      const { features } = await app.json<FeatureCollection>(`${pathOf(collection)}?limit=1000`);
      for (const listed of [features[0], features[Math.floor(features.length / 2)], features.at(-1)]) {
        const { id, geometry, properties } = listed as Feature;
        const response = await app.get(`${pathOf(collection)}/${encodeURIComponent(id)}`);
        expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/geo+json"]);
        const own = (await response.json()) as Feature & Linked;
        expectSchema("featureGeoJSON", own);
        expect(own).toMatchObject({ type: "Feature", id, geometry, properties });
        expect(hrefOf(own, "self")).toBe(`${app.url}${pathOf(collection)}/${encodeURIComponent(id)}?f=json`);
        expect(hrefOf(own, "collection", "application/json")).toBe(`${app.url}/ogc/collections/${collection}?f=json`);
        expect(own.links.every(({ rel, type }) => rel !== "" && type !== "")).toBe(true);
      }
    }
  });

  test("is found even if the list does not return it by default: an old event, or a minor base", async () => {
    const { features } = await app.json<FeatureCollection>(`${pathOf("list-conflict-events")}?limit=1000&sort=oldest`);
    const bases = await allPages(app, `${pathOf("list-military-bases")}?limit=1000`);
    const minor = bases.flatMap((page) => page.features).find(({ properties }) => properties.tier === 3);
    for (const [collection, id] of [
      ["list-conflict-events", features[0]?.id],
      ["list-military-bases", minor?.id],
    ] as const)
      expect((await app.get(`${pathOf(collection)}/${encodeURIComponent(id ?? "")}`)).status).toBe(200);
  });

  test("that does not exist is a 404 with the schema exception, whatever its id", async () => {
    const strange = [
      "nothing",
      "way/1",
      "way%2F1",
      "%E0%A4%A",
      "..%2f..%2fetc",
      "%00",
      "a".repeat(3_000),
      "'--",
      "%3Cscript%3E",
    ];
    for (const collection of collections)
      for (const id of strange) {
        const response = await app.get(`${pathOf(collection)}/${id}`);
        const tag = `${collection} ${id.slice(0, 20)}`;
        expect([tag, id.length > 200 || id === "%00" ? [400, 404] : [404]].flat()).toContain(response.status);
        if (id !== "way/1") expectSchema("exception", await response.json());
      }
  });

  test("is an HTML page with its properties, whose texts are escaped (html)", async () => {
    const { features } = await app.json<FeatureCollection>(`${pathOf("list-tech-events")}?limit=1`);
    const [{ id = "", properties = {} } = {}] = features;
    const page = await (await app.get(`${pathOf("list-tech-events")}/${encodeURIComponent(id)}?f=html`)).text();
    expect(page).toContain(String(properties.title).replaceAll("&", "&#38;"));
    expect(page).toContain(`href="${app.url}/ogc/collections/list-tech-events?f=html"`);
  });
});
