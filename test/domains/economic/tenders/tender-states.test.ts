import { type fetch, Response } from "undici";
import { expect, test } from "vitest";
import { globalTenders } from "../../../../src/domains/economic/tenders/global-tenders.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, testTime } from "../../../support/app.ts";
import { describeOnce } from "../../../support/databases.ts";
import { startUpstreamServer } from "../../../support/servers/upstream-server.ts";

const path = "/api/economic/v1/list-global-tenders";
const hour = 3_600_000;

interface Body {
  readonly tenders: readonly { readonly source: string }[];
  readonly total: number;
  readonly dataAvailable: boolean;
  readonly availability: string;
  readonly fetchedAt: string;
  readonly sourceStatuses: readonly Status[];
}

interface Status {
  readonly source: string;
  readonly state: string;
  readonly recordCount: number;
  readonly fetchedAt: string;
  readonly lastSuccessfulAt: string;
  readonly stale: boolean;
  readonly paced?: boolean;
  readonly error?: string;
}

/** Part of each source's addresses. */
const hosts: Readonly<Record<string, string>> = {
  sam: "sam.gov",
  ted: "ted.europa.eu",
  "contracts-finder": "contractsfinder",
  "canada-buys": "canadabuys",
  gets: "gets.govt.nz",
  "world-bank": "worldbank",
};
const names = Object.keys(hosts);

/** A live app over a world in which any source can be broken, and time is what the test says. */
async function startWorld(database: Database, environment: Record<string, string> = { SAM_API_KEY: "key" }) {
  const outside = await startUpstreamServer(names, () => testTime);
  const broken = new Set<string>();
  const requested: string[] = [];
  let now = testTime.getTime();
  const app = await startApp(database, {
    environment: { IDS_DATA: "live", ...environment },
    outside: {
      async transport(url, init) {
        const source = names.find((name) => url.includes(hosts[name]!)) ?? url;
        requested.push(source);
        if (broken.has(source)) return new Response("down", { status: 500 });
        return outside.transport(url, init) as ReturnType<typeof fetch>;
      },
      wait: async () => undefined,
      floorOf: () => 10,
    },
  });
  return {
    requested,
    async refresh(down: readonly string[] = []) {
      broken.clear();
      for (const name of down) broken.add(name);
      await app.refresh("global-tenders");
    },
    later(milliseconds: number) {
      now += milliseconds;
      app.setTime(new Date(now));
    },
    async read(query = "") {
      const response = await app.get(`${path}?${query}`);
      const body = (await response.json()) as Body;
      const of = (name: string) => body.sourceStatuses.find(({ source }) => source === name)!;
      return { response, body, of };
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await outside[Symbol.asyncDispose]();
    },
  };
}

describeOnce("The state of the tender feed", (openFresh) => {
  test("with every source read it is available", async () => {
    await using world = await startWorld(await openFresh());
    await world.refresh();
    const { body, response } = await world.read();
    expect(body).toMatchObject({ availability: "available", dataAvailable: true, fetchedAt: testTime.toISOString() });
    expect(response.headers.get("x-data-origin")).toBeNull();
    expect(body.sourceStatuses.map(({ source }) => source)).toEqual(globalTenders.sources.map(({ name }) => name));
    const counting = ["sam", "ted", "world-bank"];
    for (const status of body.sourceStatuses)
      expect(status).toEqual({
        ...(counting.includes(status.source) && { availableCount: expect.any(Number) }),
        ...{ source: expect.any(String), state: "ok", recordCount: expect.any(Number), stale: false },
        ...{ fetchedAt: testTime.toISOString(), lastSuccessfulAt: testTime.toISOString() },
      });
    // Of 110 notices of the sample some can no longer be answered.
    expect(body.sourceStatuses.find(({ source }) => source === "sam")).toMatchObject({ availableCount: 110 });
    expect(body.sourceStatuses.reduce((sum, { recordCount }) => sum + recordCount, 0)).toBe(body.total);
  });

  test("a source without its key is unavailable with the variable's name, and the others continue", async () => {
    await using world = await startWorld(await openFresh(), {});
    await world.refresh();
    const { body, of } = await world.read();
    expect(body).toMatchObject({ availability: "partial", dataAvailable: true });
    expect(of("sam")).toMatchObject({ state: "unavailable", recordCount: 0, error: "not set: SAM_API_KEY" });
    expect(of("ted").state).toBe("ok");
    expect(world.requested).not.toContain("sam");
  });

  test("a source that fails keeps its notices and is stale; one that never answered is an error", async () => {
    await using world = await startWorld(await openFresh());
    await world.refresh(["gets"]);
    expect((await world.read()).of("gets")).toMatchObject({
      ...{ state: "error", recordCount: 0, lastSuccessfulAt: "", stale: false },
      error: "The source failed (HTTP 500)",
    });
    world.later(hour);
    await world.refresh(["ted"]);
    const { body, of } = await world.read("source=ted");
    expect(body).toMatchObject({ availability: "partial" });
    expect(body.total).toBeGreaterThan(100);
    expect(of("ted")).toMatchObject({
      ...{ state: "stale", stale: true, error: "The source failed (HTTP 500)" },
      fetchedAt: new Date(testTime.getTime() + hour).toISOString(),
      lastSuccessfulAt: testTime.toISOString(),
    });
    expect(of("gets").state).toBe("ok");
  });

  test("when none is read, what was read before is served as stale, with the time of then", async () => {
    await using world = await startWorld(await openFresh());
    await world.refresh();
    const before = (await world.read()).body.total;
    world.later(7 * hour);
    await world.refresh(names);
    const { body } = await world.read();
    // Some deadlines have passed.
    expect(body.total).toBeGreaterThan(0.9 * before);
    expect(body).toMatchObject({
      ...{ availability: "stale", dataAvailable: true, fetchedAt: testTime.toISOString() },
      sourceStatuses: names.map(() => ({ state: "stale", stale: true })),
    });
  });

  test("when nothing was ever read, it is unavailable and not empty, and kept by no cache", async () => {
    await using world = await startWorld(await openFresh());
    await world.refresh(names);
    const { body, response } = await world.read();
    expect(body).toMatchObject({ availability: "unavailable", dataAvailable: false, total: 0, fetchedAt: "" });
    expect(body.sourceStatuses.map(({ state }) => state)).toEqual(names.map(() => "error"));
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("sources without a single open notice make it empty, which is an answer", async () => {
    await using world = await startWorld(await openFresh());
    world.later(200 * 24 * hour);
    await world.refresh();
    const { body } = await world.read();
    expect(body).toMatchObject({ availability: "empty", dataAvailable: true, total: 0, tenders: [] });
    expect(body.sourceStatuses.every(({ state, recordCount }) => state === "ok" && recordCount === 0)).toBe(true);
  });

  test("a feed older than 180 minutes is stale as a whole", async () => {
    await using world = await startWorld(await openFresh());
    await world.refresh();
    world.later(3 * hour);
    expect((await world.read()).body.availability).toBe("available");
    world.later(1_000);
    const { body } = await world.read();
    expect(body.availability).toBe("stale");
    expect(body.sourceStatuses.every(({ state, stale }) => state === "stale" && stale)).toBe(true);
  });

  test("SAM.gov, which allows ten requests a day, receives none between its turns and says so", async () => {
    await using world = await startWorld(await openFresh());
    await world.refresh();
    world.later(hour);
    await world.refresh();
    expect((await world.read()).of("sam")).toMatchObject({ state: "ok", paced: true });
    expect((await world.read()).of("ted").paced).toBeUndefined();
    for (let hours = 0; hours < 23; hours++) {
      world.later(hour);
      await world.refresh(names);
    }
    expect(world.requested.filter((name) => name === "sam").length).toBeLessThanOrEqual(5);
    expect(world.requested.filter((name) => name === "sam").length).toBeGreaterThanOrEqual(4);
  });

  test("the open notices of each source are counted as of now once the feed is stale, and the response is not cached", async () => {
    await using world = await startWorld(await openFresh());
    await world.refresh();
    for (const days of [2, 20, 60]) {
      world.later(days * 24 * hour);
      const { body, response } = await world.read();
      expect(body.sourceStatuses.reduce((sum, { recordCount }) => sum + recordCount, 0)).toBe(body.total);
      expect(["stale", "unavailable"]).toContain(body.availability);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("a notice whose deadline passes is gone at once, before any refresh", async () => {
    await using world = await startWorld(await openFresh());
    await world.refresh();
    const { body } = await world.read("sort=closing_soon&page_size=1");
    const [next] = body.tenders as unknown as { id: string; deadline: string }[];
    world.later(Date.parse(next!.deadline) - testTime.getTime());
    const after = (await world.read("sort=closing_soon&page_size=1")).body;
    expect(after.tenders).not.toContainEqual(expect.objectContaining({ id: next!.id }));
    expect(after.total).toBeLessThan(body.total);
  });
});
