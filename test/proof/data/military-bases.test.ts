import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test, vi } from "vitest";
import { buildBaseIndex } from "../../../src/domains/military/bases/base-index.ts";
import { type BaseQuery, viewBases } from "../../../src/domains/military/bases/base-view.ts";
import { kinds, types } from "../../../src/domains/military/bases/sources/vocabulary.ts";
import { viewByBruteForce } from "../../domains/military/bases/brute-force.ts";
import { startApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { storeBases } from "../../support/domains/stored-bases.ts";
import { randomOf, syntheticBases } from "../../support/domains/synthetic-bases.ts";

const count = 125_000;
const bases = syntheticBases(count);
const world = { swLat: -90, swLon: -180, neLat: 90, neLon: 180, type: "", kind: "", country: "" };

test("1,000 random boxes with random zooms and filters over 125,000 bases equal brute force", async () => {
  const index = await buildBaseIndex(chunksOf(bases, 2_000));
  const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  const ordered = bases.toSorted((a, b) => a.tier - b.tier || compare(a.name, b.name) || compare(a.id, b.id));
  const random = randomOf(11);
  const maybe = (values: readonly string[]) =>
    random() < 0.6 ? "" : (values[Math.floor(random() * values.length)] ?? "");
  for (let round = 0; round < 1_000; round++) {
    const query: BaseQuery = {
      swLat: random() * 180 - 90,
      neLat: random() * 180 - 90,
      swLon: random() * 360 - 180,
      neLon: random() * 360 - 180,
      zoom: Math.floor(random() * 23),
      type: maybe([...types]),
      kind: maybe([...kinds]),
      country: maybe(["US", "RU", "XK", "ZZ"]),
    };
    expect(viewBases(index, query)).toEqual(viewByBruteForce(ordered, query));
  }
});

describeEachDatabase("125,000 military bases", (openFresh) => {
  test("are loaded without blocking, and any view is answered in time, unprepared", { timeout: 300_000 }, async () => {
    const database = await openFresh();
    await storeBases(database, bases);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const startedAt = performance.now();
    delay.enable();
    await using app = await startApp(database);
    const get = (query: BaseQuery, wiggle: number) =>
      app.get(
        `/api/military/v1/list-military-bases?sw_lat=${query.swLat + wiggle}&sw_lon=${query.swLon}&ne_lat=${query.neLat}&ne_lon=${query.neLon}&zoom=${query.zoom}&type=${query.type}&kind=${query.kind}&country=${query.country}`,
      );
    await vi.waitFor(async () => expect((await get({ ...world, zoom: 0 }, 0)).status).toBe(200), { timeout: 60_000 });
    delay.disable();
    const loadedMs = performance.now() - startedAt;
    const figures: string[] = [];
    for (const [name, query] of views()) figures.push(`${name}: ${await timed((round) => get(query, round * 1e-9))}`);
    const blocked = `loading took ${Math.round(loadedMs)} ms, blocked at most ${(delay.max / 1e6).toFixed(0)} ms, p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms`;
    console.log(`${database.kind}: ${blocked}\n  ${figures.join("\n  ")}`);
    expect(
      (
        await app.json<{ totalInView: number }>(
          "/api/military/v1/list-military-bases?sw_lat=-90&sw_lon=-180&ne_lat=90&ne_lon=180&zoom=22",
        )
      ).totalInView,
    ).toBe(count);
  });
});

function* views(): Generator<[string, BaseQuery]> {
  for (const zoom of [0, 3, 4, 5, 6, 7, 8, 22]) yield [`world, zoom ${zoom}`, { ...world, zoom }];
  yield ["world, zoom 6, us-nato", { ...world, zoom: 6, type: "us-nato" }];
  yield ["world, zoom 12, airfields", { ...world, zoom: 12, kind: "airfield" }];
  yield ["world, zoom 9, country", { ...world, zoom: 9, country: "US" }];
  yield ["Europe, zoom 5", { ...world, swLat: 35, neLat: 70, swLon: -10, neLon: 40, zoom: 5 }];
  yield ["across the antimeridian, zoom 4", { ...world, swLon: 100, neLon: -60, zoom: 4 }];
}

/** Median and worst of many unprepared requests, as a client on the same machine sees them. */
async function timed(request: (round: number) => Promise<Response>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < 25; round++) {
    const startedAt = performance.now();
    const response = await request(round);
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    expect(response.status).toBe(200);
  }
  times.sort((a, b) => a - b);
  return `median ${times[12]?.toFixed(1)} ms, worst ${times.at(-1)?.toFixed(1)} ms`;
}

function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
