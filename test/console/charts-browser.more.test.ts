import { readFile } from "node:fs/promises";
import { load } from "cheerio";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeAsItIs } from "../support/console/axe.ts";
import { complaintsOf, lookOf, startBrowserBed } from "../support/console/bed.ts";
import { hasBrowser } from "../support/servers/browser.ts";

const timeoutMs = 300_000;

describe.skipIf(!hasBrowser)("charts in a browser", { timeout: timeoutMs }, () => {
  const bed = startBrowserBed();

  const saved = async (page: Page, format: "PNG" | "SVG") => {
    const started = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save ${format}` }).click();
    const download = await started;
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };

  test("a chart is saved as PNG and SVG with title, unit, sources, sample mark, and address", async () => {
    const context = await bed.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const wrong = complaintsOf(context, bed.app.url);
    const page = await context.newPage();
    const path = "/series/gas.country_fill?keys=DE,FR&from=2026-06-01";
    await page.goto(bed.app.url + path);
    await page.getByRole("button", { name: "Save or share Germany, France: gas storage by country" }).click();
    const picture = await saved(page, "SVG");
    expect(picture.name).toBe("germany-france-gas-storage-by-country.sample.svg");
    const $ = load(picture.bytes.toString(), { xml: true });
    expect($("svg > title").text()).toBe("Germany, France: gas storage by country");
    const text = $("text")
      .toArray()
      .map((each) => $(each).text());
    for (const wanted of [
      "%",
      "Germany",
      "France",
      "Sample data: the values are invented.",
      "Sources: GIE AGSI (agsi-countries)",
    ])
      expect(text).toContain(wanted);
    expect(text.join(" ")).toContain(`${bed.app.url}/series/gas.country_fill?keys=DE%2CFR&from=2026-06-01#chart`);
    // The file has everything that the page draws, with the colors of the page and without its style sheet.
    const curves = await page
      .locator("figure.chart .curve")
      .evaluateAll((all) => all.map((each) => each.getAttribute("d")));
    const drawn = $("path[vector-effect=non-scaling-stroke]").toArray();
    expect(drawn.map(({ attribs }) => attribs.d)).toEqual(curves);
    expect(new Set(drawn.map(({ attribs }) => attribs.stroke)).size).toBe(2);
    expect(drawn.map(({ attribs }) => attribs.fill)).toEqual(drawn.map(() => "none"));
    expect($("[class], .cursor, image, script, style")).toHaveLength(0);
    const image = await saved(page, "PNG");
    expect(image.name).toBe("germany-france-gas-storage-by-country.sample.png");
    expect(image.bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
    const size = ["width", "height"].map((side) => 2 * Number($("svg").first().attr(side)));
    expect([image.bytes.readUInt32BE(16), image.bytes.readUInt32BE(20)]).toEqual(size);
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("the menu opens and closes by the keyboard, and its code is copied with one press", async () => {
    const context = await bed.browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${bed.app.url}/countries/UA`);
    await page.getByRole("button", { name: "Save or share Ukraine: risk" }).focus();
    await page.keyboard.press("Enter");
    const menu = page.getByRole("dialog", { name: "Save or share Ukraine: risk" });
    await menu.waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Save PNG");
    await menu.getByRole("button", { name: "Copy" }).first().click();
    const code = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(code).toMatch(/^<iframe src="[^"]*\/countries\/UA\?embed=1&amp;block=risk" title="Ukraine: risk"/);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    await context.close();
  });

  test("the frame of an embed code is high enough for the chart and its sources", async () => {
    const context = await bed.browser.newContext({ viewport: { width: 1000, height: 300 } });
    const page = await context.newPage();
    for (const path of [
      "/series/risk.score?keys=UA",
      "/series/risk.score?keys=UA,MM,SD",
      "/chokepoints/suez",
      "/compare?country=UA&country=MM",
      "/countries/UA",
    ]) {
      await page.goto(`${bed.app.url}${path}`);
      for (const code of await page.locator(".chart-menu pre").allTextContents()) {
        const [, source = "", height] = /src="([^"]*)".* height="(\d+)"/.exec(code) ?? [];
        await page.goto(source.replaceAll("&amp;", "&"));
        const end = await page.locator("footer.credit").evaluate((credit) => credit.getBoundingClientRect().bottom);
        expect(end, source).toBeLessThanOrEqual(Number(height));
      }
    }
    await context.close();
  });

  test("without scripts the menu has the code, the citation, and the alert, and no button that does nothing", async () => {
    const context = await bed.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${bed.app.url}/series/risk.score?keys=UA`);
    await page.getByRole("button", { name: "Save or share Ukraine: risk score" }).click();
    const menu = page.getByRole("dialog");
    expect(await menu.getByRole("button").allTextContents()).toEqual(["Close"]);
    expect(await menu.locator("pre").count()).toBe(1);
    expect(await menu.getByRole("link").allTextContents()).toEqual([
      "text",
      "BibTeX",
      expect.stringContaining("alert"),
    ]);
    await menu.getByRole("link", { name: "Create alert" }).click();
    await page.waitForURL("**/alerts?watch=series&series=risk.score&keys=UA**");
    await context.close();
  });

  test.each([
    { width: 390, scheme: "dark" },
    { width: 1280, scheme: "light" },
  ] as const)("axe finds nothing in each view at $width px with the menu open", async ({ width, scheme }) => {
    const context = await bed.browser.newContext(lookOf(width, scheme));
    const page = await context.newPage();
    for (const path of [
      "/series/risk.score?keys=UA,MM,US,CN,SA",
      "/series/gas.fill?view=band",
      "/series/macro.gdp_per_capita?keys=DE,FR&view=index",
      "/series/conflict.events?keys=UA,MM&interval=month&view=change",
    ]) {
      await page.goto(bed.app.url + path);
      expect((await axeAsItIs(page)).found, path).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBeLessThanOrEqual(0);
      await page.getByRole("button", { name: /^Save or share/ }).click();
      expect((await axeAsItIs(page)).found, `${path} with its menu`).toEqual([]);
    }
    await context.close();
  });

  test("on a phone the chart is above the form and within the first screen, and a name adds a line", async () => {
    const page = await bed.opened("/series/risk.score?keys=UA", { viewport: { width: 390, height: 844 } });
    const [chart, form] = await Promise.all(
      ["figure.chart", "details.options"].map(async (each) => (await page.locator(each).boundingBox())?.y ?? 0),
    );
    expect(chart).toBeLessThan(422);
    expect(chart).toBeLessThan(form ?? 0);
    await page.getByText("Chart options").click();
    expect(await page.getByLabel("Add a country").isVisible()).toBe(false);
    await page.getByText("Chart options").click();
    await page.getByLabel("Add a country").fill("Poland");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL("**keys=UA%2CPL**");
    expect(await page.locator(".legend li").allTextContents()).toEqual(["Ukraine", "Poland"]);
    await page.close();
  });
});
