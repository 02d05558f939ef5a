import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startBrowserBed } from "../support/console/bed.ts";
import { hasBrowser } from "../support/servers/browser.ts";

const timeoutMs = 180_000;
/** Middles of what the Tab key stops at in the header, in its order. */
const stops = `[...document.querySelectorAll("header.site :is(a, input, button)")].flatMap((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return width > 0 ? [[left + width / 2, top + height / 2]] : [];
})`;
const stepMs = 500;

/** How long a page waits, by its own clock, until it asks again. */
async function waitOf(page: Page, requested: () => number): Promise<number> {
  const before = requested();
  for (let waited = 0; waited < 120_000; waited += stepMs) {
    await page.clock.runFor(stepMs);
    await page.waitForTimeout(10);
    if (requested() > before) {
      // Until the refusal has come.
      await page.waitForTimeout(250);
      return waited + stepMs;
    }
  }
  throw new Error("It asked no more");
}

describe.skipIf(!hasBrowser)("addresses and order in a browser", { timeout: timeoutMs }, () => {
  const bed = startBrowserBed();

  test("layers that are taken away stay away for who loads, shares or embeds the view", async () => {
    const page = await bed.opened("/");
    const checked = page.locator(".layers input:checked");
    while ((await checked.count()) > 0) await checked.first().uncheck();
    expect(new URL(page.url()).search).toBe("?layer=none");
    const embed = await page.locator("section:has(#world) footer a", { hasText: "Embed" }).getAttribute("href");
    await page.reload();
    expect(await checked.count()).toBe(0);
    await page.goto(new URL(embed ?? "", bed.app.url).href);
    expect([await page.locator("svg.world").count(), await checked.count()]).toEqual([1, 0]);
    await page.locator("#layer-3").check();
    const leads = await page.locator(".credit a").getAttribute("href");
    expect(new URL(leads ?? "").search).toMatch(/^\?layer=(?!none)[\w-]+$/);
    await page.goto(`${bed.app.url}/?layer=none`);
    await page.locator("#shade").selectOption("resilience");
    await page.waitForURL("**/?shade=resilience&layer=none");
    await page.close();
  });

  test("a page that comes back shows in its form what it was asked for, and layers as they were left", async () => {
    const page = await bed.opened("/series/risk.score?keys=UA");
    const interval = page.locator("form.filters select[name=interval]");
    const requested = await interval.inputValue();
    await interval.selectOption("week");
    await page.locator("form.filters button").click();
    await page.waitForURL(/interval=week/);
    expect(await interval.inputValue()).toBe("week");
    await page.goBack();
    expect([new URL(page.url()).search, await interval.inputValue()]).toEqual(["?keys=UA", requested]);
    await page.goto(`${bed.app.url}/`);
    await page.locator("#layer-1").uncheck();
    await page.goto(`${bed.app.url}/data`);
    await page.goBack();
    expect(await page.locator("#layer-1").isChecked()).toBe(false);
    expect(new URL(page.url()).search).toMatch(/^\?layer=/);
  });

  test("the Tab key goes through the header as it is read, from line to line", async () => {
    for (const width of [320, 390, 768, 1280, 1600]) {
      const page = await bed.opened("/countries", { viewport: { width, height: 800 } });
      const middles = (await page.evaluate(stops)) as [number, number][];
      // On a phone, the links are in a menu.
      expect(middles.length).toBeGreaterThan(width < 700 ? 2 : 10);
      for (const [place, [x, y]] of middles.slice(1).entries()) {
        const [left, above] = middles[place] ?? [0, 0];
        const isSameLine = Math.abs(y - above) < 12;
        expect(isSameLine ? x > left : y > above, `${width} px, stop ${place + 1}`).toBe(true);
      }
      await page.close();
    }
  });

  test("a page that is cut off asks again after ever longer times, up to a minute, and soon after a success", async () => {
    const context = await bed.browser.newContext();
    let requested = 0;
    const reject = (route: Route) => route.abort("connectionrefused");
    // A stream that begins, and is cut off.
    const begin = (route: Route) => route.fulfill({ contentType: "text/event-stream", body: ": begun\n\n" });
    let response = reject;
    await context.route("**/watch-changes*", (route) => {
      requested += 1;
      return response(route);
    });
    const page = await bed.signedIn(context, await bed.app.key("pro_monthly"));
    await page.clock.install();
    await page.goto(`${bed.app.url}/countries/UA`);
    await page.locator(".live", { hasText: "Connecting again" }).waitFor();
    const waits: number[] = [];
    for (let turn = 0; turn < 7; turn += 1) waits.push(await waitOf(page, () => requested));
    for (const [turn, wait] of waits.entries()) {
      const max = Math.min(60_000, 2_000 * 2 ** turn);
      expect(wait, `turn ${turn}: ${waits}`).toBeGreaterThan(max / 2 - 2 * stepMs);
      expect(wait, `turn ${turn}: ${waits}`).toBeLessThanOrEqual(max + 2 * stepMs);
    }
    response = begin;
    await waitOf(page, () => requested);
    response = reject;
    expect(await waitOf(page, () => requested)).toBeLessThanOrEqual(3_000);
    await context.close();
  });
});
