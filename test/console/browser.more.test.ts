import { describe, expect, test } from "vitest";
import { outage, outageBed } from "../changes/listed-changes.ts";
import { startApp } from "../support/app.ts";
import { axeOn } from "../support/console/axe.ts";
import { complaintsOf, lookOf, startBrowserBed } from "../support/console/bed.ts";
import { publicPages as paths } from "../support/console/page-list.ts";
import { openOnce } from "../support/databases.ts";
import { hasBrowser } from "../support/servers/browser.ts";
import { isThorough, someOf } from "../support/thoroughness.ts";

const timeoutMs = 300_000;
/** By how many pixels the page is wider than its window, with all its parts unfolded. */
const overhang = `for (const each of document.querySelectorAll("details")) each.open = true;
  document.documentElement.scrollWidth - innerWidth`;
/** Tables whose last columns lie beyond the edge of a phone. */
const tablesCut = `[...document.querySelectorAll(".wide")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  .map((each) => each.getAttribute("aria-label"))`;

describe.skipIf(!hasBrowser)("the console in a browser", { timeout: timeoutMs }, () => {
  const bed = startBrowserBed();

  test.each([
    { width: 390, scheme: "dark" } as const,
    ...(isThorough ? [{ width: 1280, scheme: "light" } as const] : []),
  ])("axe finds nothing at $width px, $scheme, and nothing is wider than the page", async (look) => {
    const context = await bed.browser.newContext(lookOf(look.width, look.scheme));
    const page = await context.newPage();
    for (const path of someOf(paths, 2)) {
      await page.goto(bed.app.url + path);
      const { found, passed } = await axeOn(page);
      expect(found, path).toEqual([]);
      expect(passed, path).toBeGreaterThan(10);
      expect(await page.evaluate(overhang), path).toBeLessThanOrEqual(0);
      if (look.width < 640) expect(await page.evaluate(tablesCut), path).toEqual([]);
    }
    await context.close();
  });

  test("no page breaks its policy, logs a console error, requests another host, or is wider than 320 px", async () => {
    const context = await bed.browser.newContext({ viewport: { width: 320, height: 900 } });
    const wrong = complaintsOf(context, bed.app.url);
    const page = await context.newPage();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    for (const path of paths) {
      const begin = requested.length;
      await page.goto(bed.app.url + path, { waitUntil: "networkidle" });
      expect(await page.evaluate(overhang), path).toBeLessThanOrEqual(0);
      expect(await page.evaluate(tablesCut), path).toEqual([]);
      // The browser itself complains of a page that is not there.
      const complaints = wrong.splice(0).filter((each) => path !== "/nothing" || !each.includes("status of 404"));
      expect(complaints, path).toEqual([]);
      const own = requested.slice(begin).filter((url) => !url.startsWith("data:"));
      expect(own.length, path).toBeLessThanOrEqual(8);
    }
    const sizes = await Promise.all(
      [
        "/",
        ...new Set(requested.filter((url) => url.includes("/assets/")).map((url) => url.slice(bed.app.url.length))),
      ].map(async (path) => {
        const response = await fetch(bed.app.url + path, { headers: { "Accept-Encoding": "gzip" } });
        await response.arrayBuffer();
        return Number(response.headers.get("Content-Length"));
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(104_000);
    await context.close();
  });

  test("countries are found by typing, layers are chosen and kept in the address, values are read by the keyboard", async () => {
    const page = await bed.opened("/");
    await page.locator("#find").focus();
    await page.keyboard.type("türkiye");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Türkiye", exact: true }).click();
    await page.waitForURL("**/countries/TR");
    await page.goto(`${bed.app.url}/countries`);
    await page.locator("#country").fill("ukr");
    expect(await page.locator("#countries tbody tr:visible").count()).toBe(1);
    await page.goto(bed.app.url);
    const bases = page.locator(".points.l3").first();
    expect(await bases.isVisible()).toBe(false);
    await page.locator(".layers").getByLabel("Military bases").check();
    expect(await bases.isVisible()).toBe(true);
    expect(page.url()).toContain("layer=military-bases");
    await page.locator("figure.map a[tabindex='0']").focus();
    await page.keyboard.press("ArrowRight");
    // Nothing lies over the outline of the country that is chosen.
    const isAbove = `document.querySelector("figure.map .view").lastElementChild.getAttribute("d") === document.activeElement.firstElementChild.getAttribute("d")`;
    expect(await page.evaluate(isAbove)).toBe(true);
    await page.goto(`${bed.app.url}/series/risk.score?keys=UA,MM`);
    await page.locator("figure.chart").focus();
    await page.keyboard.press("ArrowLeft");
    expect(await page.locator(".tip:visible").textContent()).toMatch(/Ukraine: [\d.]+\nMyanmar: [\d.]+/);
    await page.close();
  });

  test("the search suggests pages while a user types, and arrows, Enter, and Escape work on them", async () => {
    const context = await bed.browser.newContext(lookOf(390, "dark"));
    const wrong = complaintsOf(context, bed.app.url);
    const page = await context.newPage();
    await page.goto(bed.app.url);
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("format=json") && asked.push(request.url()));
    const field = page.locator("#find");
    const options = page.locator(".suggestions li");
    await field.focus();
    await page.keyboard.type("g");
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.type("as ger");
    const gas = page.getByRole("option", { name: "Gas storage by country: Germany Series" });
    await gas.waitFor();
    expect(asked.at(-1)).toContain("q=gas+ger");
    expect(asked.length).toBeLessThan(6);
    expect(await field.getAttribute("aria-expanded")).toBe("true");
    expect(await page.getByRole("listbox").getAttribute("id")).toBe(await field.getAttribute("aria-controls"));
    await page.keyboard.press("ArrowDown");
    expect(await field.getAttribute("aria-activedescendant")).toBe(await gas.getAttribute("id"));
    expect(await gas.getAttribute("aria-selected")).toBe("true");
    const { found } = await axeOn(page);
    expect([found, await page.evaluate(overhang)]).toEqual([[], 0]);
    await page.keyboard.press("Escape");
    expect([await options.count(), await field.inputValue()]).toEqual([0, "gas ger"]);
    await page.keyboard.type("m");
    await gas.waitFor();
    await page.keyboard.press("ArrowUp");
    expect(await options.last().getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("ArrowDown");
    expect(await field.getAttribute("aria-activedescendant")).toBe("");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/series/gas.country_fill?keys=DE");
    await page.goto(`${bed.app.url}/search`);
    await page.locator("#q").pressSequentially("suez");
    await page.getByRole("option", { name: "Suez Canal Chokepoint" }).click();
    await page.waitForURL("**/chokepoints/suez");
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("what is typed to find a country is in the address, in the links of the table, and there again for who goes back", async () => {
    const page = await bed.opened("/countries");
    const shown = page.locator("#countries tbody tr:visible");
    await page.locator("#country").fill("turkey");
    expect(await shown.allTextContents()).toEqual([expect.stringContaining("Türkiye")]);
    expect(page.url()).toContain("q=turkey");
    await page.locator("#country").fill("côte d’i");
    expect(await shown.count()).toBe(1);
    await page.getByRole("link", { name: "Resilience" }).first().click();
    await page.waitForURL("**sort=resilience**");
    expect([await shown.count(), await page.locator("#country").inputValue()]).toEqual([1, "côte d’i"]);
    await page.locator("#country").fill("nor");
    const found = await shown.count();
    await page.getByRole("link", { name: "Norway" }).click();
    await page.waitForURL("**/countries/NO");
    await page.goBack();
    expect([await shown.count(), await page.locator("#country").inputValue()]).toEqual([found, "nor"]);
    await page.locator("#country").fill("");
    expect(await shown.count()).toBe(250);
    expect(page.url()).not.toContain("q=");
    await page.close();
  });

  test("a change appears on the page of its country while it is looked at, and none while that is paused", async () => {
    const store = await openOnce();
    const live = await startApp(store, { environment: { IDS_DATA: "live" } });
    const outages = outageBed(store);
    await outages.refresh([outage("a")]);
    await live.settled();
    const context = await bed.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${live.url}/account?to=/countries/UA`);
    await page.getByLabel("API key").fill(await live.key("pro_monthly"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/countries/UA");
    await page.locator(".live", { hasText: /Live, no change (since .* UTC|in the last days)/ }).waitFor();
    await outages.refresh([outage("a"), outage("b"), outage("c", { country: "FR" })]);
    await live.settled();
    await page.locator(".rows .new", { hasText: "1 row appeared in Internet outages" }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator(".live", { hasText: "Paused" }).waitFor();
    await outages.refresh([outage("a"), outage("b"), outage("d")]);
    await live.settled();
    await page.getByRole("button", { name: "Follow live" }).click();
    await page.locator(".rows .new").nth(1).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.reload();
    await page.locator(".live", { hasText: "Paused" }).waitFor();
    await page.close();
    // A plan of one stream: the second page says so, and follows once the first is closed.
    const second = await bed.browser.newContext();
    const first = await second.newPage();
    await first.goto(`${live.url}/account?to=/countries/UA`);
    await first.getByLabel("API key").fill(await live.key("free"));
    await first.getByRole("button", { name: "Sign in" }).click();
    await first.locator(".live", { hasText: /Live, no change/ }).waitFor();
    const third = await second.newPage();
    await third.goto(`${live.url}/countries/UA`);
    await third.locator(".live", { hasText: "perhaps other pages use all streams of your plan" }).waitFor();
    await first.close();
    await third.getByRole("button", { name: "Follow live" }).click();
    await third.locator(".live", { hasText: /Live, no change/ }).waitFor();
    await second.close();
    await context.close();
    await live[Symbol.asyncDispose]();
    await store.close();
  });

  test("who has a key signs in, makes another, uses it and revokes it", async () => {
    const context = await bed.browser.newContext();
    const page = await bed.signedIn(context, await bed.app.key("enterprise"));
    await page.getByLabel("Name of a new key").fill("notebook");
    await page.getByRole("button", { name: "Create key" }).click();
    const secret = (await page.locator(".secret").textContent()) ?? "";
    expect((await bed.app.get("/api/account/v1/get-caller", { key: secret })).status).toBe(200);
    await page.goto(`${bed.app.url}/account`);
    const row = page.getByRole("row", { name: "notebook" });
    await row.locator("summary", { hasText: "Revoke" }).click();
    expect((await bed.app.get("/api/account/v1/get-caller", { key: secret })).status).toBe(200);
    await row.getByRole("button", { name: "Yes, revoke" }).click();
    await page.getByRole("status").filter({ hasText: "The key is revoked" }).waitFor();
    await page.locator("tr", { hasText: "notebook" }).getByText("Ended").waitFor();
    expect((await bed.app.get("/api/account/v1/get-caller", { key: secret })).status).toBe(401);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await context.close();
  });

  test("without scripts everything is there, and events of a country are downloaded as CSV", async () => {
    const context = await bed.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(bed.app.url);
    await page.getByLabel("Military bases").check();
    expect(await page.locator(".points.l3").first().isVisible()).toBe(true);
    await page.locator("#find").fill("Ukraine");
    await page.keyboard.press("Enter");
    await page.locator("main").getByRole("link", { name: "Ukraine", exact: true }).click();
    await page.getByRole("link", { name: "All rows of Conflict events", exact: true }).click();
    const started = page.waitForEvent("download");
    await page.locator(".downloads").getByRole("link", { name: "CSV" }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe("list-conflict-events_country-UA.sample.csv");
    await context.close();
  });
});
