import { load } from "cheerio";
import { beforeAll, describe, expect, test } from "vitest";
import { liveSummary, unreachable } from "../../src/contract/live-summary.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";

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
      expect(text, path).toMatch(/Most live data are not connected yet\s+\d of 29 datasets are complete\./);
      expect(text, path).toContain("Settings that are missing: ");
      expect(text, path).toContain("Run npx ids init: it says what each setting opens.");
      expect(text, path).not.toContain("the store holds samples");
      expect(await textOf(apps.sample, path), path).not.toContain("not connected yet");
    }
    expect(await textOf(apps.local, "/")).not.toContain("The world now");
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

test("a summary asks about the network only if all failures are of sources that cannot be reached", () => {
  const source = (state: string, error?: string, missing: readonly string[] = []) => ({
    ...{ name: `${state}-${error ?? ""}`, state, missing },
    ...(error !== undefined && { error }),
  });
  const summaryOf = (...sources: ReturnType<typeof source>[]) => liveSummary([{ state: "empty", sources }]).join(" ");
  const lost = Array.from({ length: 5 }, () => source("failed", unreachable));
  const asks = "No source can be reached. Is this machine connected to the internet?";
  expect(summaryOf(...lost)).toContain(asks);
  expect(summaryOf(...lost, source("ok"), source("waiting"), source("unconfigured", "A", ["KEY"]))).toContain(asks);
  expect(summaryOf(...lost, source("failed", "The source failed (HTTP 500)"))).not.toContain(asks);
  expect(summaryOf(...lost, source("ok"), source("ok"), source("ok"))).not.toContain(asks);
  expect(summaryOf(source("waiting"), source("ok"))).not.toContain(asks);
});
