import { describe, expect, test } from "vitest";
import { startBrowserBed } from "../support/console/bed.ts";
import { hasBrowser } from "../support/servers/browser.ts";

const timeoutMs = 120_000;

describe.skipIf(!hasBrowser)("styles of different pages", { timeout: timeoutMs }, () => {
  const bed = startBrowserBed();

  test("headings, text, and the logo look the same on pages of the documentation as on others", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await bed.opened("/countries", { colorScheme });
      const look = `(() => {
        const style = (selector) => getComputedStyle(document.querySelector(selector));
        const logo = style(".logo path");
        return [style("h1").color, style("body").color, logo.stroke, logo.strokeDasharray];
      })()`;
      const usual = await page.evaluate(look);
      for (const path of ["/docs", "/docs/list-conflict-events", "/docs/guides/faq", "/docs/search?q=risk"]) {
        await page.goto(bed.app.url + path);
        expect(await page.evaluate(look), path).toEqual(usual);
      }
      await page.close();
    }
  });

  test("the request of an operation stays in view while its parameters scroll, but not on phones or paper", async () => {
    const page = await bed.opened("/docs/list-conflict-events", { viewport: { width: 1440, height: 900 } });
    await page.evaluate(`document.querySelector("#response-fields").scrollIntoView()`);
    const edges = `(() => { const { top, bottom } = document.querySelector(".samples").getBoundingClientRect(); return { top, bottom }; })()`;
    const { top, bottom } = await page.evaluate<{ top: number; bottom: number }>(edges);
    expect([top >= -1, bottom > 300, bottom <= 901], `${top} to ${bottom}`).toEqual([true, true, true]);
    const send = page.getByRole("button", { name: "Send GET" });
    await send.scrollIntoViewIfNeeded();
    const box = await send.boundingBox();
    expect(box && box.y >= 0 && box.y + box.height <= 900).toBe(true);
    const look = `(() => { const { position, maxHeight } = getComputedStyle(document.querySelector(".samples")); return [position, maxHeight]; })()`;
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate(look)).toEqual(["static", "none"]);
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(look)).toEqual(["static", "none"]);
    await page.close();
  });

  test("paper names sample data on pages with filters, but a brief has no ribbon", async () => {
    const page = await bed.opened("/countries/UA/brief");
    await page.emulateMedia({ media: "print" });
    const ribbon = page.locator(".ribbon");
    expect(await ribbon.isVisible()).toBe(false);
    await page.goto(`${bed.app.url}/tenders`);
    expect([await page.locator("form.brief").count(), await ribbon.isVisible()]).toEqual([1, true]);
    await page.close();
  });
});
