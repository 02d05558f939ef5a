import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { storeBases } from "../../support/domains/stored-bases.ts";
import { syntheticBases } from "../../support/domains/synthetic-bases.ts";
import { allPages, expectSchema, type FeatureCollection, hrefOf } from "../../support/ogc.ts";
import { limitsOf } from "../../support/request-load.ts";

const items = "/ogc/collections/list-military-bases/items";
/** A single response of the read has at most 2,000 of them. */
const bases = syntheticBases(9_000, 5);

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  await storeBases(database, bases);
  app = await startApp(database);
  await app.refresh("conflict-events");
  await eventually(
    async () => (await app.get(`${items}?limit=1`)).status,
    (status) => status === 200,
  );
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const idsIn = (pages: readonly FeatureCollection[]) => pages.flatMap(({ features }) => features.map(({ id }) => id));

describe("A collection that no single response contains", () => {
  test("is read in parts of the world, and has each feature once", async () => {
    const pages = await allPages(app, `${items}?limit=1000`);
    const ids = idsIn(pages);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids)).toEqual(new Set(bases.map(({ id }) => id)));
    for (const page of pages) expect(page.numberMatched).toBeUndefined();
  });

  test("is the same for pages of any size, and for a box across the antimeridian", async () => {
    for (const [west, south, east, north] of [
      [100, -60, -60, 80],
      [-20, 30, 60, 75],
      [-180, -90, 180, 90],
    ] as const) {
      const inBox = bases.filter(({ longitude: x, latitude: y }) => {
        const isBetween = west <= east ? x >= west && x <= east : x >= west || x <= east;
        return isBetween && y >= south && y <= north;
      });
      const ids = idsIn(await allPages(app, `${items}?limit=300&bbox=${west},${south},${east},${north}`));
      expect(ids.length).toBe(inBox.length);
      expect(new Set(ids)).toEqual(new Set(inBox.map(({ id }) => id)));
    }
  });

  test("costs a call for each read, and at most five of them per page", async () => {
    const key = await app.key("enterprise");
    const remaining = async (path: string) => {
      const response = await app.get(path, { key });
      await response.arrayBuffer();
      return limitsOf(response).remaining ?? Number.NaN;
    };
    // The counts do not depend on the responses of other tests.
    let left = await remaining("/api/infrastructure/v1/get-ip-geo");
    let next: string | undefined = `${items}?limit=1000`;
    const costs: number[] = [];
    while (next !== undefined) {
      const response = await app.get(next, { key });
      const now = limitsOf(response).remaining ?? Number.NaN;
      costs.push(left - now);
      left = now;
      next = hrefOf((await response.json()) as FeatureCollection, "next")?.slice(app.url.length);
    }
    expect(costs.length).toBeGreaterThanOrEqual(9);
    expect(Math.min(...costs)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...costs)).toBeLessThanOrEqual(5);
    expect(await remaining(`${items}?limit=1001&bbox=0,0,0,0`)).toBe(left - 1);
  });

  test("returns each of its features by id in one read", async () => {
    const key = await app.key("enterprise");
    const [{ id: last = "" } = {}] = bases.slice(-1);
    const first = await app.get(`${items}/${encodeURIComponent(bases[0]?.id ?? "")}`, { key });
    const second = await app.get(`${items}/${encodeURIComponent(last)}`, { key });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((limitsOf(first).remaining ?? 0) - (limitsOf(second).remaining ?? 0)).toBe(1);
  });

  test("rejects no cursor that another client made, but returns only features of the box", async () => {
    for (const tile of ["3", "0123", "0".repeat(25)]) {
      const cursor = Buffer.from(JSON.stringify({ version: "", cursor: "", tile, after: "" })).toString("base64url");
      const page = await app.json<FeatureCollection>(`${items}?bbox=0,0,90,90&limit=1000&cursor=${cursor}`);
      for (const { geometry } of page.features) {
        const [x = Number.NaN, y = Number.NaN] = geometry?.coordinates ?? [];
        expect(x >= 0 && x <= 90 && y >= 0 && y <= 90).toBe(true);
      }
    }
  });
});

describe("A page after the data changed", () => {
  test("is a 410 that says to start again, and the first page can be read again", async () => {
    const path = "/ogc/collections/list-conflict-events/items?limit=100";
    const before = await app.json<FeatureCollection>(path);
    const next = hrefOf(before, "next")?.slice(app.url.length) ?? "";
    expect((await app.get(next)).status).toBe(200);
    await app.refresh("conflict-events");
    const gone = await app.get(next);
    expect(gone.status).toBe(410);
    const body = await gone.json();
    expectSchema("exception", body);
    expect(body).toEqual({ code: "data-changed", description: expect.stringContaining("without a cursor") });
    const again = await allPages(app, path);
    expect(idsIn(again).slice(0, 100)).toEqual(before.features.map(({ id }) => id));
    expect(new Set(idsIn(again)).size).toBe(before.numberMatched);
  });

  test("is a 410 if the last feature of the page before is gone", async () => {
    const path = "/ogc/collections/list-military-bases/items?limit=1";
    const cursor = Buffer.from(JSON.stringify({ version: "", cursor: "", tile: "00", after: "no such id" }));
    expect((await app.get(`${path}&cursor=${cursor.toString("base64url")}`)).status).toBe(410);
  });
});
