import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeAsItIs } from "../support/console/axe.ts";
import { complaintsOf, lookOf, startBrowserBed } from "../support/console/bed.ts";
import { hasBrowser } from "../support/servers/browser.ts";

const timeoutMs = 300_000;
const pages = ["/", "/countries/UA", "/data/conflict-events", "/chokepoints", "/chokepoints/hormuz_strait"];
const scaleOf = async (page: Page) =>
  Number(/scale\(([\d.]+)\)/.exec((await page.locator(".view").getAttribute("transform")) ?? "")?.[1]);
const circles = (page: Page) => page.locator(".view .l1 circle");

describe.skipIf(!hasBrowser)("maps in a browser", { timeout: timeoutMs }, () => {
  const bed = startBrowserBed();
  const opened = (path: string) =>
    bed.opened(path, { reducedMotion: "reduce", viewport: { width: 1280, height: 800 } });

  test("buttons, keys and a double click zoom, a drag pans, and closer views have finer marks", async () => {
    const page = await opened("/");
    const before = await circles(page).count();
    for (let press = 0; press < 3; press += 1) await page.getByRole("button", { name: "Zoom in" }).click();
    expect(await scaleOf(page)).toBe(8);
    expect(await circles(page).count()).toBeGreaterThan(before);
    await page.getByRole("button", { name: "Show the whole map" }).click();
    expect([await scaleOf(page), await circles(page).count()]).toEqual([1, before]);
    await page.locator("figure.map a[tabindex='0']").focus();
    await page.keyboard.press("+");
    expect(await scaleOf(page)).toBe(2);
    const place = await page.locator(".view").getAttribute("transform");
    await page.mouse.move(600, 500);
    await page.mouse.down();
    await page.mouse.move(500, 450, { steps: 4 });
    await page.mouse.up();
    expect(await page.locator(".view").getAttribute("transform")).not.toBe(place);
    expect(new URL(page.url()).pathname).toBe("/");
    await page.keyboard.press("-");
    expect(await scaleOf(page)).toBe(1);
    await page.mouse.dblclick(600, 400);
    expect(await scaleOf(page)).toBe(2);
    await page.mouse.wheel(0, 300);
    expect(await scaleOf(page)).toBe(2);
    await page.close();
  });

  test("a mark opens its details by Enter and by a click, with a link to exactly its rows; Escape closes them", async () => {
    const page = await opened("/");
    await page.locator("figure.map a[tabindex='0']").focus();
    await page.keyboard.press("PageDown");
    await page.keyboard.press("Enter");
    const popup = page.locator(".popup");
    const text = (await popup.textContent()) ?? "";
    expect(text).toMatch(/^Conflict events: \d+.*\d{4}/s);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Show the rows");
    await page.keyboard.press("Escape");
    expect(await popup.isVisible()).toBe(false);
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toMatch(/^Conflict events: /);
    await page.keyboard.press("Enter");
    await popup.getByRole("link").click();
    await page.waitForURL("**/data/conflict-events?**");
    const count = /: (\d+)/.exec(text)?.[1];
    expect(await page.locator("section:has(#rows)").textContent()).toContain(`${count} rows.`);
    await page.goto(`${bed.app.url}/chokepoints`);
    await page.locator(".pins a").first().click();
    await popup.getByRole("link", { name: "Open Suez Canal" }).click();
    await page.waitForURL("**/chokepoints/suez");
    await page.close();
  });

  test("the handles of the slider choose days, which the address names and a reload shows", async () => {
    const page = await opened("/data/conflict-events");
    const [from, until] = [page.getByRole("slider", { name: "From" }), page.getByRole("slider", { name: "Until" })];
    const before = await circles(page).count();
    await until.focus();
    for (let press = 0; press < 20; press += 1) await page.keyboard.press("ArrowLeft");
    const after = await circles(page).count();
    expect(after).toBeLessThan(before);
    const shown = await page.locator(".times output").textContent();
    expect(new URL(page.url()).searchParams.get("until")).toMatch(/^\d{4}-\d\d-\d\d$/);
    await page.reload();
    expect([await circles(page).count(), await page.locator(".times output").textContent()]).toEqual([after, shown]);
    await from.focus();
    await page.keyboard.press("End");
    expect(await from.inputValue()).toBe(await until.inputValue());
    await until.focus();
    await page.keyboard.press("End");
    await from.focus();
    await page.keyboard.press("Home");
    expect([await circles(page).count(), new URL(page.url()).search]).toEqual([before, ""]);
    await page.close();
  });

  test("without scripts a map is a picture with its legend, tables, and two date fields", async () => {
    const context = await bed.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    for (const path of pages) {
      await page.goto(bed.app.url + path);
      expect(await page.locator(".view circle:visible").count(), path).toBeGreaterThan(0);
      expect(await page.locator(".stage button:visible").count(), path).toBe(0);
    }
    await page.goto(`${bed.app.url}/data/conflict-events?country=UA`);
    const before = await circles(page).count();
    const last = await page.getByLabel("Until").last().getAttribute("max");
    await page
      .getByLabel("From")
      .last()
      .fill(last ?? "");
    await page.locator(".map-key button").click();
    expect(await circles(page).count()).toBeLessThan(before);
    expect(new URL(page.url()).searchParams.get("country")).toBe("UA");
    await context.close();
  });

  test("axe finds nothing on a map in use, which breaks no policy", async () => {
    for (const look of [lookOf(390, "dark"), lookOf(1280, "light")]) {
      const context = await bed.browser.newContext(look);
      const strict = await bed.browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
      const wrong = complaintsOf(strict, bed.app.url);
      const [page, other] = [await context.newPage(), await strict.newPage()];
      for (const path of pages) {
        await page.goto(bed.app.url + path);
        await page.getByRole("button", { name: "Zoom in" }).click();
        await page.locator("svg.world [tabindex='0']").focus();
        await page.keyboard.press("PageDown");
        // The Enter key follows the link of a chokepoint.
        if ((await page.locator(".pins a").count()) === 0) await page.keyboard.press("Enter");
        expect((await axeAsItIs(page)).found, path).toEqual([]);
        await other.goto(bed.app.url + path, { waitUntil: "networkidle" });
        await other.getByRole("button", { name: "Zoom in" }).tap();
        const targets = other.locator(
          "figure.map :is(button:visible, label:has(input):visible, input[type=range], select)",
        );
        for (const box of await Promise.all((await targets.all()).map((target) => target.boundingBox())))
          expect(Math.min(box?.width ?? 0, box?.height ?? 0), path).toBeGreaterThanOrEqual(24);
      }
      expect(wrong).toEqual([]);
      await context.close();
      await strict.close();
    }
  });

  test("the map of the world is whole in view on a desktop, and leaves room on a phone", async () => {
    for (const [width, height, least] of [
      [1280, 800, 0],
      [390, 844, 0.4],
    ] as const) {
      const page = await bed.opened("/", { viewport: { width, height } });
      await page.locator(".stage .zoom").waitFor();
      const box = await page.locator("figure.map").boundingBox();
      const end = least === 0 ? (box?.y ?? 0) + (box?.height ?? 0) : (box?.height ?? 0);
      expect(end, `${width}`).toBeLessThanOrEqual(height * (1 - least));
      const fill = `getComputedStyle(document.querySelector(".land.none")).fill`;
      expect(await page.evaluate(fill), `${width}`).toContain("no-value");
      await page.close();
    }
  });
});
