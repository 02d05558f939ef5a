import { Response } from "undici";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { storedRests } from "../../src/ingest/request-limits.ts";
import type { Database } from "../../src/store/database.ts";
import { liveUpstream } from "../../src/upstream/live.ts";
import type { Upstream } from "../../src/upstream/upstream.ts";
import { describeEachDatabase } from "../support/databases.ts";

const request = { url: "https://data.example/a", tries: 1 };
const minuteMs = 60_000;

describeEachDatabase("a host that refuses", (openFresh) => {
  let database: Database;
  let now: number;
  let sent: number;
  let status: number;

  beforeAll(async () => {
    database = await openFresh();
  });
  beforeEach(async () => {
    await database.query("truncate host_rest");
    now = Date.parse("2026-11-18T12:00:00Z");
    sent = 0;
    status = 403;
  });

  /** As a process that has just begun. */
  const process = (): Upstream =>
    liveUpstream({
      clock: () => new Date(now),
      variable: () => undefined,
      random: () => 0,
      wait: async (milliseconds) => {
        now += milliseconds;
      },
      async transport() {
        sent += 1;
        return new Response("{}", { status });
      },
      rests: storedRests(database.kysely),
    });
  const words = (upstream: Upstream) => upstream.text(request).catch((error: Error) => error.message);

  test("is paused for the next process and for a concurrent one, until the announced time", async () => {
    const adjacent = process();
    expect(await words(process())).toBe("data.example answered 403; it is paused until 2026-11-18T12:01:00Z");
    expect(await words(process())).toBe("data.example is paused until 2026-11-18T12:01:00Z: it answered 403");
    expect(await words(adjacent)).toContain("is paused until 2026-11-18T12:01:00Z");
    expect(sent).toBe(1);
  });

  test("is paused for longer each time, whatever process sends the request", async () => {
    const rests: number[] = [];
    for (let rejections = 0; rejections < 5; rejections++) {
      const until = /until (\S+)/.exec(await words(process()))?.[1] ?? "";
      rests.push((Date.parse(until) - now) / minuteMs);
      now = Date.parse(until);
    }
    expect(rests).toEqual([1, 5, 30, 120, 360]);
    expect(sent).toBe(5);
  });

  test("is asked as any other once it answered", async () => {
    await words(process());
    now += minuteMs;
    status = 200;
    expect(await words(process())).toBe("{}");
    expect(await database.kysely.selectFrom("host_rest").selectAll().execute()).toEqual([]);
    status = 429;
    expect(await words(process())).toContain("until 2026-11-18T12:02:00Z");
  });

  test("is not paused forever by a clock that was wrong", async () => {
    const stored = { refusals: 1, until: now + 1_000 * 86_400_000, status: 403, passes: false };
    await storedRests(database.kysely).retain("data.example", stored);
    expect(await words(process())).toContain("is paused until 2026-11-18T18:00:00Z");
  });
});
