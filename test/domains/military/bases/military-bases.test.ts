import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { kmBetween } from "../../../support/distance.ts";

const path = "/api/military/v1/list-military-bases";
const world = "ne_lat=90&ne_lon=180&sw_lat=-90&sw_lon=-180";

interface Base {
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly tier: number;
  readonly type: string;
  readonly kind: string;
  readonly countryIso2: string;
}

interface Body {
  readonly bases: readonly Base[];
  readonly clusters: readonly { readonly count: number }[];
  readonly totalInView: number;
}

interface Box {
  readonly north: number;
  readonly east: number;
  readonly south: number;
  readonly west: number;
}

/** The plain definition: latitudes in between, longitudes in between or, across the antimeridian, outside. */
function inside({ latitude, longitude }: Base, { north, east, south, west }: Box): boolean {
  const [low, high] = [Math.min(north, south), Math.max(north, south)];
  const lies = west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return latitude >= low && latitude <= high && lies;
}

/** A small generator with a fixed seed: the same boxes every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

describeEachDatabase("ListMilitaryBases", (openFresh) => {
  let app: TestApp;
  let all: readonly Base[];
  const view = (box: Box, more = "&zoom=12") =>
    app.json<Body>(`${path}?ne_lat=${box.north}&ne_lon=${box.east}&sw_lat=${box.south}&sw_lon=${box.west}${more}`);
  const ids = (bases: readonly Base[]) => bases.map(({ id }) => id).sort();
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("before the first refresh it is a 503, and not an empty map", async () => {
    expect((await app.get(`${path}?${world}`)).status).toBe(503);
  });

  test("the sample has at least 400 bases the world over, every one within the contract's bounds", async () => {
    const { rows = 0 } = await app.refresh("military-bases");
    const body = await app.json<Body>(`${path}?${world}&zoom=8`);
    all = body.bases;
    expect(body.totalInView).toBe(rows);
    expect(all.length).toBe(rows);
    expect(rows).toBeGreaterThanOrEqual(400);
    expect(new Set(all.map(({ countryIso2 }) => countryIso2)).size).toBeGreaterThanOrEqual(60);
  });

  test("random boxes, across the antimeridian and inverted too, hold exactly the bases of the plain definition", async () => {
    const next = random(7);
    for (let round = 0; round < 60; round++) {
      const box = {
        north: next() * 180 - 90,
        south: next() * 180 - 90,
        east: next() * 360 - 180,
        west: next() * 360 - 180,
      };
      const body = await view(box);
      const expected = all.filter((base) => inside(base, box));
      expect(ids(body.bases)).toEqual(ids(expected));
      expect(body.totalInView).toBe(expected.length);
    }
  });

  test("bases near a place are those within the distance, at any zoom and also in a box", async () => {
    const next = random(11);
    for (let round = 0; round < 30; round++) {
      const center = { latitude: next() * 180 - 90, longitude: next() * 360 - 180 };
      const query = `near=${center.latitude},${center.longitude}&within_km=1000`;
      const expected = ids(all.filter((base) => kmBetween(base, center) <= 1_000));
      const { bases, clusters } = await app.json<Body>(`${path}?${query}&zoom=${round % 9}`);
      expect([ids(bases), clusters]).toEqual([expected, []]);
      const northern = await app.json<Body>(`${path}?${query}&ne_lat=90&ne_lon=180&sw_lat=0&sw_lon=-180`);
      expect(ids(northern.bases)).toEqual(ids(bases.filter(({ latitude }) => latitude >= 0)));
    }
    const strait = await app.json<Body & { center: object }>(`${path}?near=Bab%20el-Mandeb&within_km=200`);
    expect(strait.center).toEqual({ latitude: 12.5, longitude: 43.3 });
    expect(strait.bases.length).toBeGreaterThan(0);
    expect(await app.rejected(`${path}?near=Nowhereville`)).toEqual(["near"]);
  });

  test("a box without area is its point, and poles and edges are themselves", async () => {
    const base = all[3] ?? expect.unreachable();
    const { latitude, longitude } = base;
    const point = await view({ north: latitude, south: latitude, east: longitude, west: longitude });
    expect(ids(point.bases)).toContain(base.id);
    expect(point.totalInView).toBe(
      all.filter((other) => other.latitude === latitude && other.longitude === longitude).length,
    );
    for (const pole of [90, -90])
      expect((await view({ north: pole, south: pole, east: 180, west: -180 })).totalInView).toBe(
        all.filter((base) => base.latitude === pole).length,
      );
  });

  test("values beyond the globe are pulled in, inverted latitudes are swapped", async () => {
    const plain = await app.json<Body>(`${path}?${world}&zoom=9`);
    expect(await app.json<Body>(`${path}?ne_lat=900&ne_lon=181&sw_lat=-91&sw_lon=-9999&zoom=9`)).toEqual(plain);
    expect(await app.json<Body>(`${path}?ne_lat=-90&ne_lon=180&sw_lat=90&sw_lon=-180&zoom=9`)).toEqual(plain);
  });

  test("at low zoom the groups and single bases together are everything in view of that tier", async () => {
    for (const [zoom, tier] of [
      [0, 1],
      [3, 1],
      [4, 1],
      [5, 2],
      [7, 2],
    ] as const) {
      const body = await app.json<Body>(`${path}?${world}&zoom=${zoom}`);
      const expected = all.filter((base) => base.tier <= tier).length;
      const grouped = body.clusters.reduce((sum, { count }) => sum + count, 0);
      expect(body.totalInView).toBe(expected);
      expect(body.bases.length + grouped).toBe(expected);
      expect(body.clusters.every(({ count }) => count >= 2)).toBe(true);
    }
  });

  test("an absent zoom is 3, an explicit 0 stays 0, fractions are cut off", async () => {
    expect(await app.json<Body>(`${path}?${world}`)).toEqual(await app.json<Body>(`${path}?${world}&zoom=3`));
    expect(await app.json<Body>(`${path}?${world}&zoom=5.99`)).toEqual(await app.json<Body>(`${path}?${world}&zoom=5`));
    expect((await app.json<Body>(`${path}?${world}&zoom=0`)).totalInView).toBeGreaterThan(0);
  });

  test("an id selects its base at any zoom, and in the whole world if no corner is sent", async () => {
    const minor = all.find(({ tier }) => tier === 3) ?? expect.unreachable();
    const id = encodeURIComponent(minor.id);
    for (const query of [`id=${id}`, `id=${id}&zoom=0`, `id=${id}&${world}`]) {
      const { bases, clusters, totalInView } = await app.json<Body>(`${path}?${query}`);
      expect([bases, clusters, totalInView]).toEqual([[minor], [], 1]);
    }
    expect((await app.json<Body>(`${path}?id=none`)).bases).toEqual([]);
    const { latitude } = minor;
    const away = `ne_lat=${latitude + 2}&sw_lat=${latitude + 1}&ne_lon=180&sw_lon=-180`;
    expect((await app.json<Body>(`${path}?id=${id}&${away}`)).bases).toEqual([]);
    expect(await app.rejected(`${path}?id=${id}&ne_lat=1`)).toEqual(["sw_lat", "sw_lon", "ne_lon"]);
  });

  test("type, kind, and country filter exactly, separately and together", async () => {
    const filtered = async (query: string) => ids((await app.json<Body>(`${path}?${world}&zoom=10${query}`)).bases);
    expect(await filtered("&type=US-NATO")).toEqual(ids(all.filter(({ type }) => type === "us-nato")));
    expect(await filtered("&kind=nuclear_explosion_site")).toEqual(
      ids(all.filter(({ kind }) => kind === "nuclear_explosion_site")),
    );
    expect((await filtered("&kind=nuclear_explosion_site")).length).toBeGreaterThan(0);
    expect(await filtered("&country=jp&kind=airfield")).toEqual(
      ids(all.filter(({ countryIso2, kind }) => countryIso2 === "JP" && kind === "airfield")),
    );
  });

  test("without any corner the answer is empty and says why; with some it is a 400 naming the others", async () => {
    const unavailableReason = "A box is required. Set sw_lat, sw_lon, ne_lat, and ne_lon, or near";
    const empty = await app.get(path);
    expect(empty.status).toBe(200);
    expect(await empty.json()).toEqual({
      bases: [],
      clusters: [],
      totalInView: 0,
      truncated: false,
      unavailableReason,
    });
    expect(empty.headers.get("x-bbox")).toBe("missing");
    expect(empty.headers.get("x-data-origin")).toBe("sample");
    expect(empty.headers.get("cache-control")).toBe("no-store");
    const file = await app.get(`${path}?country=DE&format=csv`);
    expect([file.status, await file.text()]).toEqual([404, expect.stringContaining(unavailableReason)]);
    expect(new Set(await app.rejected(`${path}?ne_lat=1&sw_lon=2`))).toEqual(new Set(["ne_lon", "sw_lat"]));
  });

  test.each([
    [`${world.replace("ne_lat=90", "ne_lat=x")}`, "ne_lat"],
    [`${world}&zoom=far`, "zoom"],
    [`${world}&type=martian`, "type"],
    [`${world}&kind=castle`, "kind"],
    [`${world}&country=Atlantis`, "country"],
  ])("%s is refused and names %s", async (query, field) => {
    expect(await app.rejected(`${path}?${query}`)).toEqual([field]);
  });
});
