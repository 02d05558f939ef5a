import { beforeAll, describe, expect, test } from "vitest";
import { logChanges } from "../../src/store/changes/change-log.ts";
import { eventually, testTime } from "../support/app.ts";
import { axeOn } from "../support/console/axe.ts";
import { complaintsOf, lookOf, startBrowserBed } from "../support/console/bed.ts";
import { openOnce } from "../support/databases.ts";
import { evaluate } from "../support/domains/alerts.ts";
import { startJobs } from "../support/processes/job-worker.ts";
import { hasBrowser } from "../support/servers/browser.ts";
import { startReceiver, type WebhookReceiver } from "../support/servers/webhook-receiver.ts";

const timeoutMs = 300_000;
const environment = { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" };
const deliveryTimes = { timeoutMs: 2_000, perSecond: 1_000 };

describe.skipIf(!hasBrowser)("alerts in a browser", { timeout: timeoutMs }, () => {
  const bed = startBrowserBed({ environment }, openOnce);
  let receiver: WebhookReceiver;
  let key: string;
  beforeAll(async () => {
    await bed.app.refresh("global-tenders");
    receiver = await startReceiver();
    key = await bed.app.key("enterprise");
    return () => receiver[Symbol.asyncDispose]();
  }, timeoutMs);

  test("a search of tenders is saved as an alert without scripts, its delivery arrives and is replayed", async () => {
    const { tenders } = await bed.app.json<{ tenders: { id: string; buyer: string; countryCode: string }[] }>(
      "/api/economic/v1/list-global-tenders",
    );
    const wanted = tenders[0]!;
    const context = await bed.browser.newContext({ javaScriptEnabled: false });
    const page = await bed.signedIn(context, key, "/alerts");
    await page.getByLabel("Name", { exact: true }).fill("desk");
    await page.getByLabel("https URL of a webhook").fill(receiver.url);
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.locator(".secret").waitFor();
    expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(0);

    await page.goto(`${bed.app.url}/tenders`);
    await page.getByRole("combobox", { name: "Countries" }).fill(wanted.countryCode);
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByRole("link", { name: "Save this search as an alert" }).click();
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText(/In the records since .* the rule would /).waitFor();
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByRole("rowheader", { name: `Tenders: ${wanted.countryCode}` }).waitFor();

    const event = { dataset: "global-tenders", origin: "sample", at: testTime } as const;
    const change = { kind: "appeared", rows: "tenders", subject: wanted.id, country: wanted.countryCode } as const;
    await bed.database.kysely.transaction().execute((transaction) => logChanges(transaction, event, [change]));
    await evaluate(bed.database, { data: "sample" });
    await using _jobs = await startJobs(bed.database, { environment, deliveryTimes });
    const listed = page.locator("section", { has: page.locator("#deliveries") }).locator("tbody tr");
    const state = async () => {
      await page.goto(`${bed.app.url}/alerts`);
      return (await listed.first().textContent()) ?? "";
    };
    expect(await eventually(state, (text) => text.includes("Delivered"))).toContain("tender.matched");
    await listed.getByRole("button", { name: "Replay" }).click();
    await eventually(
      async () => receiver.received.length,
      (count) => count === 2,
    );
    const [first, second] = receiver.received;
    expect(second?.id).toBe(first?.id);
    expect(JSON.parse(second?.body ?? "{}")).toMatchObject({ data: { changes: [{ subject: wanted.id }] } });
    expect(await eventually(state, (text) => text.includes("2 attempts"))).toContain("Delivered");
    await context.close();
  });

  test("with scripts, a button copies a secret that is shown once", async () => {
    const context = await bed.browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await bed.signedIn(context, key, "/alerts");
    await page.getByLabel("Name", { exact: true }).fill("reader");
    await page.getByLabel("Kind").selectOption("feed");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    const shown = await page.locator(".secret").textContent();
    await page.locator(".secret + button.copy").click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(shown);
    expect(shown).toMatch(new RegExp(`^${bed.app.url}/alert-feeds/`));
    await context.close();
  });

  test.each([
    { width: 390, scheme: "light" },
    { width: 768, scheme: "dark" },
    { width: 1280, scheme: "dark" },
    { width: 1920, scheme: "light" },
  ] as const)(
    "axe finds nothing on private pages at $width px, $scheme, nor does the console",
    async ({ width, scheme }) => {
      const context = await bed.browser.newContext(lookOf(width, scheme));
      const wrong = complaintsOf(context, bed.app.url);
      const page = await bed.signedIn(context, key, "/alerts");
      for (const path of ["/alerts", "/alerts?watch=series", "/account"]) {
        await page.goto(bed.app.url + path);
        const { found, passed } = await axeOn(page);
        expect(found, path).toEqual([]);
        expect(passed, path).toBeGreaterThan(10);
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBeLessThanOrEqual(0);
      }
      expect(wrong).toEqual([]);
      // Its own status is an error to the console.
      await page.goto(`${bed.app.url}/alerts?watch=series`);
      await page.getByLabel("Name, part of every report").fill("Risk");
      await page.getByLabel("Series", { exact: true }).selectOption("risk.score");
      await page.getByLabel("Threshold").fill("abc");
      await page.getByLabel("Direction").selectOption("above");
      await page.getByRole("button", { name: "Create rule" }).click();
      await page.locator(".notice.bad:focus").waitFor();
      expect((await axeOn(page)).found, "a refused form").toEqual([]);
      await context.close();
    },
  );
});
