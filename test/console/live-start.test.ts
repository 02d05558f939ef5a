import { load } from "cheerio";
import { beforeAll, describe, expect, test } from "vitest";
import { liveSummary, unreachable } from "../../src/contract/live-summary.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded, relabelAsLive } from "../support/loaded.ts";

describe("live mode over a folder of samples", () => {
  let apps: Readonly<Record<"local" | "shared" | "sample", TestApp>>;
  beforeAll(async () => {
    const database = await openLoaded();
    const live = (environment = {}) => startApp(database, { environment: { IDS_DATA: "live", ...environment } });
    const [local, shared, sample] = await Promise.all([
      live(),
      live({ IDS_TRUSTED_PROXIES: "127.0.0.0/8" }),
      startApp(database),
    ]);
    apps = { local, shared, sample };
    return async () => {
      for (const app of [local, shared, sample]) await app[Symbol.asyncDispose]();
      await database.close();
    };
  }, 120_000);
  const textOf = async (app: TestApp, path: string) =>
    load(await (await app.get(path, { key: null, headers: { Accept: "text/html" } })).text())("main").text();

  test("shows what is missing and the next step on the first page and on the status page", async () => {
    for (const path of ["/", "/status"]) {
      const text = await textOf(apps.local, path);
      expect(text, path).toMatch(/Most live data is not connected yet\s+\d of 29 datasets have data\./);
      expect(text, path).toContain("Settings that are missing: ");
      expect(text, path).toContain("Run npx ids init: it explains what each setting enables.");
      expect(text, path).not.toContain("the store holds samples");
      expect(await textOf(apps.sample, path), path).not.toContain("not connected yet");
    }
    expect(await textOf(apps.local, "/")).not.toContain("The world now");
    expect(await textOf(apps.local, "/")).toMatch(/Changes in the last refreshes\..*Sign-in needed\./s);
    const status = load(await (await apps.local.get("/status", { headers: { Accept: "text/html" } })).text());
    expect(status("main [href='/status']")).toHaveLength(0);
    expect(status("main [href='/status#sources']").text()).toBe("Status of every source");
    expect(status("#sources")).toHaveLength(1);
    expect(await textOf(apps.local, "/status")).toMatch(/EU gas storage: agsi: (AGSI_API_KEY is not set|not read yet)/);
  });

  test("names the file of the operator's key only if no proxy lets others reach the service", async () => {
    for (const path of ["/countries/UA", "/chokepoints", "/series/risk.score"]) {
      expect(await textOf(apps.local, path), path).toMatch(/sign in with the operator's key in \S*operator-key\./);
      expect(await textOf(apps.shared, path), path).not.toContain("operator-key");
    }
  });

  test("reports on /readyz how many datasets have data", async () => {
    const ready = (app: TestApp) => app.json<{ datasets: { total: number; withData: number } }>("/readyz");
    const [{ datasets: live }, { datasets: sample }] = [await ready(apps.local), await ready(apps.sample)];
    expect(live).toEqual({ total: 29, withData: expect.any(Number) });
    expect(live.withData).toBeLessThan(5);
    expect(sample).toEqual({ total: 29, withData: 29 });
  });
});

test("counts the same datasets with data on /readyz as on the pages, without incomplete, expired, and empty ones", async () => {
  const database = await openLoaded();
  await database.query("update source set fetched_at = null");
  await database.query("update dataset set rows = 0 where name = 'energy-crisis-policies'");
  await relabelAsLive(database);
  await using app = await startApp(database, { environment: { IDS_DATA: "live" } });
  const counts = async () => {
    // A clock that leaps makes it 503, with the same counts.
    const { datasets } = (await (await app.get("/readyz")).json()) as { datasets: { withData: number } };
    const page = await (await app.get("/status", { headers: { Accept: "text/html" } })).text();
    return [datasets.withData, Number(/(\d+) of 29 datasets have data/.exec(page)?.[1])];
  };
  const listed = await app.json<{ datasets: { state: string; rows?: number }[] }>("/api/catalog/v1/list-datasets");
  const states = new Set(listed.datasets.map(({ state }) => state));
  expect([...states]).toEqual(expect.arrayContaining(["incomplete", "ok"]));
  const [ready, shown] = await counts();
  expect(ready).toBe(shown);
  expect(ready).toBe(listed.datasets.filter(({ state, rows = 0 }) => state !== "incomplete" && rows > 0).length);
  app.setTime(new Date("2046-01-01T00:00:00Z"));
  expect(await counts()).toEqual([0, 0]);
  await database.close();
});

test("a summary asks about the network only if all failures are of sources that cannot be reached", () => {
  const source = (state: string, error?: string, missing: readonly string[] = []) => ({
    ...{ name: `${state}-${error ?? ""}`, state, missing },
    ...(error !== undefined && { error }),
  });
  const summaryOf = (...sources: ReturnType<typeof source>[]) => liveSummary([{ state: "empty", sources }]).join(" ");
  const lost = Array.from({ length: 5 }, () => source("failed", unreachable));
  const requests = "No source can be reached. Is this machine connected to the internet?";
  expect(summaryOf(...lost)).toContain(requests);
  expect(summaryOf(...lost, source("ok"), source("waiting"), source("unconfigured", "A", ["KEY"]))).toContain(requests);
  expect(summaryOf(...lost, source("failed", "The source failed (HTTP 500)"))).not.toContain(requests);
  expect(summaryOf(...lost, source("ok"), source("ok"), source("ok"))).not.toContain(requests);
  expect(summaryOf(source("waiting"), source("ok"))).not.toContain(requests);
});
