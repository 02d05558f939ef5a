import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { lookOf, startBrowserBed } from "../../support/console/bed.ts";
import { median } from "../../support/median.ts";
import { hasBrowser } from "../../support/servers/browser.ts";

const pages = ["/", "/countries/UA", "/data/conflict-events", "/status"];
const loads = 5;
/** How much slower than this machine the processor of the reader is. */
const slowness = 4;
const lighthouse = "lighthouse@13.5.0";
const categories = ["performance", "accessibility", "best-practices", "seo"];

const run = promisify(execFile);
const hasLighthouse = await run("npx", ["--yes", lighthouse, "--version"]).then(
  () => true,
  () => false,
);
if (!hasLighthouse) console.warn("Lighthouse cannot be fetched: ITS SCORES ARE NOT TAKEN");

describe.skipIf(!hasBrowser)("the first view of a page", () => {
  const bed = startBrowserBed();

  test.each(pages)(`of %s is there within a second where the processor is ${slowness} times slower`, async (path) => {
    const looks = [];
    for (let load = 0; load < loads; load++) looks.push(await firstLook(path));
    const paints = looks.map(({ paintMs }) => paintMs).sort((a, b) => a - b);
    const [{ requests, kilobytes } = { requests: 0, kilobytes: 0 }] = looks;
    console.log(
      `${path}: largest paint after ${median(paints).toFixed(0)} ms (${paints.map((each) => each.toFixed(0)).join(", ")}), ${requests} requests, ${kilobytes.toFixed(0)} kB in all`,
    );
    expect(median(paints)).toBeLessThanOrEqual(1_000);
    expect(requests).toBeLessThanOrEqual(8);
    // Geometry is part of the page itself.
    expect(kilobytes).toBeLessThanOrEqual(100);
  });

  test.skipIf(!hasLighthouse).each(pages)(
    "of %s has at least 95 of 100 in each of Lighthouse's categories",
    async (path) => {
      const folder = mkdtempSync(join(tmpdir(), "ids-lighthouse-"));
      const report = join(folder, "report.json");
      const flags = `--headless=new --no-sandbox --user-data-dir=${folder}/profile`;
      await run(
        "npx",
        [
          "--yes",
          lighthouse,
          bed.app.url + path,
          "--quiet",
          "--output=json",
          `--output-path=${report}`,
          `--chrome-flags=${flags}`,
        ],
        { env: { ...process.env, CHROME_PATH: "/usr/bin/chromium" } },
      );
      const reported: { categories: Record<string, { score: number }> } = JSON.parse(readFileSync(report, "utf8"));
      rmSync(folder, { recursive: true, force: true });
      const scores = categories.map((category) => Math.round(100 * (reported.categories[category]?.score ?? 0)));
      console.log(`${path}: ${categories.map((category, index) => `${category} ${scores[index]}`).join(", ")}`);
      expect(Math.min(...scores)).toBeGreaterThanOrEqual(95);
    },
  );

  async function firstLook(path: string) {
    const context = await bed.browser.newContext(lookOf(390, "light"));
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send("Emulation.setCPUThrottlingRate", { rate: slowness });
    await client.send("Network.enable");
    let requests = 0;
    let bytes = 0;
    client.on("Network.loadingFinished", ({ encodedDataLength }) => {
      requests += 1;
      bytes += encodedDataLength;
    });
    await page.goto(bed.app.url + path, { waitUntil: "networkidle" });
    const paintMs: number = await page.evaluate(`new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
        .observe({ type: "largest-contentful-paint", buffered: true });
    })`);
    await context.close();
    return { paintMs, requests, kilobytes: bytes / 1_000 };
  }
});
