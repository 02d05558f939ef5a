import { Response } from "undici";
import { expect, test } from "vitest";
import { startApp, testTime } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { startUpstreamServer } from "../support/servers/upstream-server.ts";

const minute = 60_000;
const bureau = "api.bls.gov";

test("a host that rejects requests is paused for longer each time, read data stays, and a response ends the pause", async () => {
  let now = testTime.getTime();
  const rejecting = new Set<string>();
  let requested = 0;
  await using outside = await startUpstreamServer(["ecb-exr", "bls"], () => new Date(now));
  const database = await openOnce();
  await using app = await startApp(database, {
    environment: { IDS_DATA: "live" },
    outside: {
      async transport(url, init) {
        const { host } = new URL(url);
        if (host === bureau) requested += 1;
        return rejecting.has(host) ? new Response("", { status: 403 }) : outside.transport(url, init);
      },
      wait: async () => undefined,
      floorOf: () => 1,
    },
  });
  const refreshed = async (minutes: number) => {
    now += minutes * minute;
    app.setTime(new Date(now));
    const before = requested;
    const { sources } = await app.refresh("labor-stats");
    return { requested: requested - before, detail: sources[0]?.detail, state: sources[0]?.state };
  };
  expect(await refreshed(0)).toMatchObject({ state: "ok" });
  rejecting.add(bureau);
  expect(await refreshed(1)).toMatchObject({ state: "failed", requested: 1 });
  // With the test's chance of a half, each pause is a twentieth longer.
  for (const rest of [1, 5, 30, 120, 360, 360].map((minutes) => minutes * 1.05)) {
    expect(await refreshed(rest / 2)).toMatchObject({
      state: "failed",
      requested: 0,
      detail: expect.stringContaining("is paused until"),
    });
    expect(await refreshed(rest / 2)).toMatchObject({ state: "failed", requested: 1 });
  }
  const condition = (await app.condition("labor-stats")).sources[0];
  expect(condition).toMatchObject({
    ...{ state: "failed", failureStatus: 403 },
    failure: "The source refused the request (HTTP 403)",
  });
  expect((await app.get("/api/economic/v1/get-labor-stats-series?series_id=USPRIV")).status).toBe(200);
  rejecting.clear();
  expect(await refreshed(361 * 1.05)).toMatchObject({ state: "ok" });
  await database.close();
});
