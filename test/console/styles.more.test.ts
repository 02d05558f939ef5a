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
