import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { startUpstreamServer, type UpstreamServer } from "../../../support/servers/upstream-server.ts";

const path = "/api/intelligence/v1/get-news-topic-timeline";
const topics = ["military", "cyber", "nuclear", "sanctions", "intelligence", "maritime"];

interface Point {
  readonly date: string;
  readonly value: number;
}

interface Timeline {
  readonly topic: string;
  readonly fetchedAt: string;
  readonly tone: readonly Point[];
  readonly vol: readonly Point[];
  readonly error: string;
}

describeEachDatabase("GetNewsTopicTimeline", (openFresh) => {
  let app: TestApp;
  let live: TestApp;
  let outside: UpstreamServer;
  beforeAll(async () => {
    app = await startApp(await openFresh());
    outside = await startUpstreamServer(
      topics.map((topic) => `gdelt-${topic}`),
      () => testTime,
    );
    live = await startApp(await openFresh(), {
      environment: { IDS_DATA: "live" },
      outside: { transport: outside.transport, wait: async () => undefined, maxMs: 1_000 },
    });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await live[Symbol.asyncDispose]();
    await outside[Symbol.asyncDispose]();
  });

  const sendRequest = (of: TestApp, topic: string) => of.json<Timeline>(`${path}?topic=${topic}`);

  test("before the first refresh every topic says that it is unavailable, and is not kept", async () => {
    for (const topic of topics) {
      const response = await app.get(`${path}?topic=${topic}`);
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(await response.json()).toEqual({ topic, fetchedAt: "", tone: [], vol: [], error: "unavailable" });
    }
  });

  test("after a refresh each topic has its days, ascending, some left out, and none with a tone of exactly 0", async () => {
    await app.refresh("news-topic-timelines");
    const seen = new Set<string>();
    for (const topic of topics) {
      const response = await app.get(`${path}?topic=${topic}`);
      expect(response.headers.get("x-data-origin")).toBe("sample");
      expect(response.headers.get("cache-control")).toMatch(/max-age/);
      const { tone, vol, ...rest } = (await response.json()) as Timeline;
      expect(rest).toEqual({ topic, fetchedAt: testTime.toISOString(), error: "" });
      for (const points of [tone, vol]) {
        const dates = points.map(({ date }) => date);
        expect(dates).toEqual([...new Set(dates)].sort((a, b) => a.localeCompare(b)));
        expect(dates.length).toBeGreaterThanOrEqual(60);
        expect(dates.at(-1)).toBe("2026-11-18");
        const days = (Date.parse(dates.at(-1) ?? "") - Date.parse(dates[0] ?? "")) / 86_400_000 + 1;
        expect(dates.length).toBeLessThan(days);
      }
      expect(tone.filter(({ value }) => value === 0)).toEqual([]);
      expect(vol.every(({ value }) => Number.isInteger(value) && value > 0)).toBe(true);
      expect(tone.length).toBeLessThan(vol.length);
      seen.add(JSON.stringify(tone));
    }
    expect(seen.size).toBe(topics.length);
  });

  test("a topic is read in either case, with blanks round it", async () => {
    const cyber = await sendRequest(app, "cyber");
    for (const topic of ["CYBER", "%20Cyber%20"]) expect(await sendRequest(app, topic)).toEqual(cyber);
  });

  test.each([
    "",
    "topic=",
    "topic=sports",
    "topic=cyber,nuclear",
    "topic=cyb%C3%A9r",
    "topic=%00",
    "topic=military%0a%0d.",
    "Topic=cyber",
  ])("%s is refused with the parameter's name", async (query) => {
    expect([...new Set(await app.rejected(`${path}?${query}`))]).toEqual(["topic"]);
  });

  test("a topic that fails keeps its last good points and their time, while the others move on", async () => {
    expect((await live.refresh("news-topic-timelines")).generation).toBe(1);
    const before = await sendRequest(live, "nuclear");
    const later = new Date(testTime.getTime() + 3_600_000);
    live.setTime(later);
    outside.behave("429", /IAEA/);
    const { generation, sources } = await live.refresh("news-topic-timelines");
    expect(generation).toBe(2);
    expect(sources.filter(({ state }) => state !== "ok")).toMatchObject([
      { source: "gdelt-nuclear", state: "failed", detail: expect.stringContaining("429") },
    ]);
    expect(await sendRequest(live, "nuclear")).toEqual(before);
    for (const topic of topics.filter((each) => each !== "nuclear"))
      expect(await sendRequest(live, topic)).toMatchObject({ fetchedAt: later.toISOString(), error: "" });
  });

  test("health names the topic that fails, and if no topic updates, the dataset is stale and the points stay", async () => {
    outside.behave("gone");
    const stale = new Date(testTime.getTime() + 8 * 3_600_000);
    live.setTime(stale);
    expect(await live.refresh("news-topic-timelines")).not.toHaveProperty("generation");
    const condition = await live.condition("news-topic-timelines");
    expect([condition.state, condition.sources.map(({ state }) => state)]).toEqual([
      "stale",
      topics.map(() => "failed"),
    ]);
    const { fetchedAt, tone, error } = await sendRequest(live, "cyber");
    expect([tone.length > 0, error]).toEqual([true, ""]);
    expect(stale.getTime() - Date.parse(fetchedAt)).toBeGreaterThan(6 * 3_600_000);
  });

  test("a topic that never responded is unavailable among others that did", async () => {
    const fresh = await startApp(await openFresh(), {
      environment: { IDS_DATA: "live" },
      outside: { transport: outside.transport, wait: async () => undefined },
    });
    try {
      outside.behave("html", /tanker/);
      await fresh.refresh("news-topic-timelines");
      expect(await sendRequest(fresh, "maritime")).toEqual({
        topic: "maritime",
        fetchedAt: "",
        tone: [],
        vol: [],
        error: "unavailable",
      });
      expect(await sendRequest(fresh, "cyber")).toMatchObject({ error: "" });
    } finally {
      await fresh[Symbol.asyncDispose]();
    }
  });
});
