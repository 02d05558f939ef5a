import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { catalog, kebab } from "../../../src/contract/catalog.ts";
import { startApp } from "../../support/app.ts";
import { type AxeFound, axeAsItIs, axeOn } from "../../support/console/axe.ts";
import { type BrowserBed, lookOf, startBrowserBed } from "../../support/console/bed.ts";
import { hasBrowser } from "../../support/servers/browser.ts";
import { isThorough, someOf } from "../../support/thoroughness.ts";

const timeoutMs = 300_000;

/** One of each kind: data with and without a key, long, with a body, with a path parameter, of the operator. */
const samples = [
  ...["", "list-conflict-events", "list-global-tenders", "get-resilience-score", "import-companies", "get-webhook"],
  ...["set-subscription", "no-such-operation"],
];

describe.skipIf(!hasBrowser)("the reference in a browser", { timeout: timeoutMs }, () => {
  const bed = startBrowserBed(async (database) => {
    const keyless = await startApp(database);
    const shown = await Promise.all(
      (["free", "pro_monthly", "operator"] as const).map(async (plan, tier) => ({
        ...{ key: await keyless.key(plan), tier: tier === 2 ? 3 : tier },
        scopes: tier === 2 ? ["company_monitoring:read", "company_monitoring:write", "keys:read", "keys:write"] : [],
      })),
    );
    await keyless[Symbol.asyncDispose]();
    // More reads than a minute of the free plan holds.
    return { demoKeys: shown, environment: { IDS_PLAN_LIMITS: "free=1000" } };
  });

  // Colors do not depend on the width, nor widths on the colors.
  const views = [
    { width: 390, scheme: "dark" } as const,
    ...(isThorough ? [{ width: 1280, scheme: "light" } as const] : []),
  ];

  test.each(views)(
    "axe finds nothing at $width px, $scheme, and nothing is wider than the page",
    async ({ width, scheme }) => {
      const context = await bed.browser.newContext(lookOf(width, scheme));
      const page = await context.newPage();
      for (const slug of someOf(samples, 2)) {
        await page.goto(`${bed.app.url}/docs/${slug}`);
        expectNothing(await axeAsItIs(page), `/docs/${slug} as it comes`);
        expectNothing(await axeOn(page), `/docs/${slug} unfolded`);
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect(overflow, `/docs/${slug}`).toBeLessThanOrEqual(0);
      }
      await context.close();
    },
  );

  test("each read is tried through its page's form, with the key that is filled in, and answers as over HTTP", async () => {
    const page = await pageOf(bed);
    const reads = catalog.filter((operation) => operation.read);
    for (const { name, read, access } of someOf(reads, 15)) {
      await page.goto(`${bed.app.url}/docs/${kebab(name)}`);
      if (access.operator) await page.locator("#try-key").fill(newKey(randomBytes));
      const responses = page.waitForResponse((response) => response.url().includes("/api/"), { timeout: 10_000 });
      await page.locator("form.trial button[type=submit]").click();
      const answer = await responses.catch(() => {
        throw new Error(`${name}: its form sends nothing`);
      });
      const shown = await page.locator("form.trial .result .good, form.trial .result .bad").textContent();
      expect(shown, name).toContain(String(answer.status()));
      const expected = access.operator ? [401] : unknownThings.has(name) ? [400, 404] : [200];
      expect(expected, `${name} ${read} ${await answer.text()}`).toContain(answer.status());
    }
  });

  test.each([
    ["run-scenario", "statusUrl"],
    ["preview-rule", "fired"],
  ])("%s is tried with the body that is filled in, and what it returns is shown", async (slug, member) => {
    const page = await pageOf(bed);
    await page.goto(`${bed.app.url}/docs/${slug}`);
    await page.locator("form.trial button[type=submit]").click();
    await page.locator("form.trial .result .good").waitFor();
    expect(await page.locator("form.trial .result pre").textContent()).toContain(`"${member}"`);
  });

  test("the samples follow the form, the URL keeps its values, and a key never gets into it", async () => {
    const page = await pageOf(bed);
    await page.goto(`${bed.app.url}/docs/list-global-tenders`);
    await page.locator("form.trial summary").click();
    await page.locator("#try-query").fill("solar");
    await page.locator("#try-key").fill(newKey(randomBytes));
    await page.locator("#try-page_size").selectText();
    await page.locator(".choice.sh code", { hasText: "query=solar" }).waitFor();
    expect(page.url()).toMatch(/\/docs\/list-global-tenders\?.*query=solar/);
    expect(page.url()).not.toContain("ids_");
    await page.reload();
    expect(await page.locator("#try-query").inputValue()).toBe("solar");
    await page.locator("#try-query").fill("");
    await page.locator("form.trial button[type=submit]").click();
    await page.locator("form.trial .result summary", { hasText: /^tenders as a table, \d+ rows$/ }).click();
    expect(await page.locator("form.trial .result td").count()).toBeGreaterThan(10);
    await page.locator("form.trial > details > summary").click();
    await page.locator("#try-format").selectOption("xlsx");
    await page.locator("form.trial button[type=submit]").click();
    const saved = page.locator("form.trial .result a", { hasText: /^Save the file \([\d,]+ bytes\)$/ });
    expect(await saved.getAttribute("download")).toMatch(/\.xlsx$/);
  });

  test("search finds by name and by field, the keyboard gets there, and only this host is asked", async () => {
    const page = await pageOf(bed);
    const requested: string[] = [];
    page.on("request", (request) => void requested.push(request.url()));
    await page.goto(`${bed.app.url}/docs`);
    await page.locator(".side #docs-search").focus();
    await page.keyboard.type("gas storage");
    expect(await page.locator("#found").textContent()).toBe("1 found");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/search?q=gas+storage");
    await page.goto(`${bed.app.url}/docs/get-eu-gas-storage`);
    await page.locator(".side #docs-search").fill("reporting_country");
    expect(await page.locator(".side li:visible").count()).toBe(2);
    expect(requested.filter((url) => !url.startsWith(bed.app.url) && !url.startsWith("data:"))).toEqual([]);
  });

  test("only the chosen language is shown, on the next page too; without scripts it can be chosen as well", async () => {
    const page = await pageOf(bed);
    await page.goto(`${bed.app.url}/docs/get-risk-scores`);
    await page.getByText("Python", { exact: true }).first().click();
    await page.goto(`${bed.app.url}/docs/get-trade-flows`);
    expect(await page.locator(".choice pre:visible").allTextContents()).toEqual([
      expect.stringContaining("requests.get"),
    ]);
    const bare = await (await bed.browser.newContext({ javaScriptEnabled: false })).newPage();
    await bare.goto(`${bed.app.url}/docs/get-trade-flows`);
    await bare.getByText("Go", { exact: true }).first().click();
    expect(await bare.locator(".choice pre:visible").allTextContents()).toEqual([
      expect.stringContaining("package main"),
    ]);
    expect(await bare.locator("form.trial").isVisible()).toBe(false);
    await bare.context().close();
  });
});

function expectNothing({ found, passed }: AxeFound, what: string): void {
  expect(found, what).toEqual([]);
  expect(passed, what).toBeGreaterThan(15);
}

/** Their examples name something of another account, or that is no more. */
const unknownThings = new Set(["GetScenarioStatus", "GetWebhook", "ListWebhookDeliveries", "ListCompanyEventChanges"]);

/** A page that fails the test when its console says that something went wrong. */
async function pageOf({ browser, app }: BrowserBed): Promise<Page> {
  const context = await browser.newContext();
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.url });
  const page = await context.newPage();
  page.on("pageerror", (error) => {
    throw error;
  });
  return page;
}
