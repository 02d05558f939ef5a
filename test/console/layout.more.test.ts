import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeOn } from "../support/console/axe.ts";
import { startBrowserBed } from "../support/console/bed.ts";
import { publicPages } from "../support/console/page-list.ts";
import { hasBrowser } from "../support/servers/browser.ts";

const timeoutMs = 120_000;
const phone = { width: 390, height: 844 };

describe.skipIf(!hasBrowser)("how pages are laid out", { timeout: timeoutMs }, () => {
  const bed = startBrowserBed();

  const height = (page: Page) => page.evaluate<number>("document.documentElement.scrollHeight");

  test("the texts of a chart have one size on every screen, and none lies upon another", async () => {
    for (const width of [320, 390, 1280, 1920])
      for (const path of [
        "/countries/UA",
        "/series/risk.score?keys=UA,PL",
        "/chokepoints/suez",
        "/series/trade.exports",
      ]) {
        const page = await bed.opened(path, { viewport: { width, height: 900 } });
        const { sizes, overlaps } = await page.evaluate<{ sizes: string[]; overlaps: string[] }>(`(() => {
          const charts = [...document.querySelectorAll("figure.chart svg[role=img]")];
          const all = charts.map((chart) => [...chart.querySelectorAll("text")].filter((each) => each.getClientRects().length > 0));
          const drawnHeight = (each) => Math.round(each.getBoundingClientRect().height);
          const overlaps = all.flatMap((texts) => texts.flatMap((one, index) => texts.slice(index + 1).flatMap((other) => {
            const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
            const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
            return apart ? [] : [one.textContent + " " + other.textContent];
          })));
          return { sizes: [...new Set(all.flat().map(drawnHeight))], overlaps };
        })()`);
        expect(overlaps, `${path} at ${width}`).toEqual([]);
        expect(
          sizes.map(Number).every((size) => size >= 12 && size <= 16),
          `${path} at ${width}: ${sizes}`,
        ).toBe(true);
        await page.close();
      }
  });

  test("long lists are short on a phone until all of them is asked for, without a script, or some are looked for", async () => {
    const context = await bed.browser.newContext({ viewport: phone, javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${bed.app.url}/countries`);
    const rows = plain.locator("#countries tbody tr:visible");
    expect([await rows.count(), (await height(plain)) < 6_000]).toEqual([20, true]);
    await plain.getByLabel("Show all 250 countries").check();
    expect(await rows.count()).toBe(250);
    await plain.goto(`${bed.app.url}/countries?sort=name&q=s`);
    expect(await rows.count()).toBeGreaterThan(50);
    await plain.goto(`${bed.app.url}/status`);
    expect(await height(plain)).toBeLessThan(7_000);
    await context.close();
    const page = await bed.opened("/countries", { viewport: phone });
    await page.locator("#country").fill("zimbabwe");
    expect(await page.locator("#countries tbody tr:visible").count()).toBe(1);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator("#country").fill("");
    expect(await page.locator("#countries tbody tr:visible").count()).toBe(250);
    await page.close();
  });

  test("rows are sorted on a phone too, by a line of links, and no head that is out of sight takes the focus", async () => {
    const page = await bed.opened("/countries", { viewport: phone });
    const head = page.locator("#countries thead");
    const line = `getComputedStyle(document.querySelector("#countries thead tr"), "::before").content`;
    expect(await page.evaluate(line)).toBe('"Sort by"');
    const links = head.getByRole("link");
    expect(await links.allTextContents()).toEqual(["Country", "Risk", "30-day change", "Resilience"]);
    for (const link of await links.all()) {
      const box = await link.boundingBox();
      expect([(box?.width ?? 0) > 20, (box?.height ?? 0) >= 24], (await link.textContent()) ?? "").toEqual([
        true,
        true,
      ]);
    }
    await head.getByRole("link", { name: "Country" }).click();
    await page.waitForURL("**sort=name**");
    expect(await page.locator("#countries tbody th").first().textContent()).toBe("Afghanistan");
    const hidden = `[...document.querySelectorAll("thead :is(a, button, input, [tabindex])")].filter((each) => {
      const box = each.closest("thead").getBoundingClientRect();
      return box.width < 20 || box.height < 20 || each.getBoundingClientRect().height < 12;
    }).map((each) => each.textContent)`;
    for (const path of publicPages) {
      await page.goto(bed.app.url + path);
      expect(await page.evaluate(hidden), path).toEqual([]);
    }
    await page.close();
  });

  const linksOf = `[...document.querySelectorAll("header.site nav a")].map((each) => each.getBoundingClientRect().toJSON())`;

  test("navigation takes two lines at most, and what is marked begins where the text does", async () => {
    for (const width of [768, 1024, 1280]) {
      const page = await bed.opened("/countries", { viewport: { width, height: 900 } });
      const boxes = await page.evaluate<{ left: number; right: number; top: number }[]>(linksOf);
      expect(new Set(boxes.map(({ top }) => Math.round(top))).size, `${width}`).toBeLessThanOrEqual(2);
      expect(Math.max(...boxes.map(({ right }) => right)), `${width}`).toBeLessThanOrEqual(width);
      if (width < 1200) {
        const edge = await page.evaluate<number>(`document.querySelector("h1").getBoundingClientRect().left`);
        expect(boxes[0]?.left, `${width}`).toBe(edge);
      }
      await page.close();
    }
  });

  test("on a phone the head of the page is low, and a menu opens and closes the navigation", async () => {
    for (const width of [320, 390]) {
      const page = await bed.opened("/countries", { viewport: { width, height: 844 } });
      const heading = await page.evaluate<number>(`document.querySelector("h1").getBoundingClientRect().top`);
      expect(heading, `${width}`).toBeLessThan(190);
      const link = page.locator("header.site nav").getByRole("link", { name: "Chokepoints" });
      expect(await link.isVisible()).toBe(false);
      await page.getByRole("button", { name: "Menu" }).click();
      expect(await link.isVisible()).toBe(true);
      const boxes = await page.evaluate<{ height: number; right: number }[]>(linksOf);
      expect(Math.min(...boxes.map(({ height }) => height))).toBeGreaterThanOrEqual(24);
      expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(width);
      await page.keyboard.press("Escape");
      expect(await link.isVisible()).toBe(false);
      await page.getByRole("button", { name: "Menu" }).click();
      await link.click();
      await page.waitForURL("**/chokepoints");
      await page.close();
    }
  });

  test("a brief is printed on one sheet", async () => {
    const page = await bed.opened("/countries/UA/brief");
    for (const code of ["UA", "SD", "CN", "TV", "TW", "US"]) {
      await page.goto(`${bed.app.url}/countries/${code}/brief`);
      for (const format of ["A4", "Letter"]) {
        const pdf = (await page.pdf({ format })).toString("latin1");
        expect(pdf.match(/\/Type \/Page\b/g), `${code} ${format}`).toHaveLength(1);
      }
    }
    await page.close();
  });

  test("the slash key moves to the search, but not from a field", async () => {
    const page = await bed.opened("/tenders", { viewport: { width: 1280, height: 800 } });
    await page.keyboard.press("/");
    await page.keyboard.type("suez/canal");
    expect(await page.locator("#find").inputValue()).toBe("suez/canal");
    await page.close();
  });

  test("a phone shows the words of a search of tenders before the list, and all filters on demand", async () => {
    const page = await bed.opened("/tenders?query=", { viewport: phone });
    const shown = () => page.locator("form.filters .field:visible").count();
    const links = page.getByRole("navigation", { name: "Deadline" });
    expect([await shown(), await links.isVisible()]).toEqual([1, false]);
    await page.getByText("More filters").focus();
    await page.keyboard.press("Enter");
    await links.waitFor();
    expect(await shown()).toBeGreaterThan(15);
    await page.close();
  });

  test("the pillars and domains of a comparison unfold by the keyboard", async () => {
    const page = await bed.opened("/compare?countries=UA,PL");
    const part = page.getByRole("rowheader", { name: /^Resilience pillar/ }).first();
    expect(await part.isVisible()).toBe(false);
    await page.getByText("Pillars and domains").focus();
    await page.keyboard.press("Enter");
    await part.waitFor();
    expect((await axeOn(page)).found).toEqual([]);
    await page.close();
  });

  test("letters of twice the size fit a phone", async () => {
    // Half of the width fits as many letters at the normal size.
    const page = await bed.opened("/", { viewport: { width: phone.width / 2, height: 420 } });
    for (const path of publicPages) {
      await page.goto(bed.app.url + path);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBeLessThanOrEqual(0);
    }
    // Only letters grow, which media queries for the screen width cannot detect.
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const path of publicPages) {
        await page.goto(bed.app.url + path);
        await page.evaluate("document.documentElement.style.fontSize = '200%'");
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBeLessThanOrEqual(0);
      }
    }
    await page.close();
  });

  test("labels of a form align, bars of days end at one edge, and a copy button stays in the head of its code", async () => {
    const form = await bed.opened("/compare?country=UA", { viewport: { width: 1280, height: 900 } });
    const tops = await form.evaluate<number[]>(
      `[...document.querySelectorAll("form.filters label")].map((each) => Math.round(each.getBoundingClientRect().top))`,
    );
    expect(new Set(tops).size).toBe(1);
    const status = await bed.opened("/status", { viewport: { width: 1280, height: 900 } });
    const edges = await status.evaluate<string[]>(
      `[...document.querySelectorAll("th.days-head")].map((each) => { const { left, right } = each.getBoundingClientRect(); return Math.round(left) + " " + Math.round(right); })`,
    );
    expect([edges.length, new Set(edges).size, edges[0]?.endsWith(" 1260")]).toEqual([2, 1, true]);
    const docs = await bed.opened("/docs", { viewport: { width: 1280, height: 900 } });
    await docs.locator("figure.code .copy").first().waitFor();
    const isWithin = await docs.evaluate<boolean>(`[...document.querySelectorAll("figure.code")].every((code) => {
      const [head, button] = ["figcaption", ".copy"].map((part) => code.querySelector(part).getBoundingClientRect());
      return button.bottom <= head.bottom && button.top >= head.top;
    })`);
    expect(isWithin).toBe(true);
    for (const page of [form, status, docs]) await page.close();
  });

  test("a box that scrolls shows a shade at each edge beyond which there is more", async () => {
    const page = await bed.opened("/data/conflict-events", { viewport: phone });
    await page.locator(".scrolls").first().scrollIntoViewIfNeeded();
    const edge = await page.evaluate<{ shades: number; below: number }>(`(() => {
      const box = document.querySelector(".scrolls");
      const { backgroundAttachment, backgroundImage } = getComputedStyle(box);
      const images = backgroundImage.split(/, (?=linear-gradient)/);
      const fixed = backgroundAttachment.split(", ").map((each, index) => [each, images[index]]).filter(([each]) => each === "scroll");
      return { shades: fixed.filter(([, image]) => /rgba/.test(image)).length, below: box.scrollHeight - box.clientHeight };
    })()`);
    expect(edge).toEqual({ shades: 4, below: expect.any(Number) });
    expect(edge.below).toBeGreaterThan(0);
    await page.close();
  });

  test("who goes back finds the choice that the map shows", async () => {
    const page = await bed.opened("/?shade=risk");
    await page.locator("#shade").selectOption("resilience");
    await page.waitForURL("**shade=resilience**");
    await page.goBack();
    await page.waitForURL("**shade=risk**");
    expect([await page.locator("#shade").inputValue(), await page.locator(".scale").first().textContent()]).toEqual([
      "risk",
      expect.stringContaining("Risk"),
    ]);
    await page.close();
  });

  test("paper is white and its text dark on dark screens too, and has whole requests and nothing that is there to be clicked", async () => {
    const page = await bed.opened("/countries/UA", { colorScheme: "dark", viewport: { width: 720, height: 900 } });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const colors = await page.evaluate(
      `[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]`,
    );
    expect(colors).toEqual(["rgb(255, 255, 255)", "rgb(21, 32, 43)"]);
    expect(
      await page
        .locator(".provenance")
        .getByRole("link", { name: /CSV|JSON|Embed/ })
        .count(),
    ).toBe(0);
    expect(await page.locator(".printed").textContent()).toContain(`${bed.app.url}/countries/UA, `);
    expect(await page.locator(".provenance .ago:visible").count()).toBe(0);
    const request = page.locator(".provenance pre").first();
    expect(await request.isVisible()).toBe(true);
    expect(
      await request.evaluate((pre: { scrollWidth: number; clientWidth: number }) => pre.scrollWidth - pre.clientWidth),
    ).toBe(0);
    for (const path of ["/data/conflict-events", "/data/supply-vulnerability", "/chokepoints/suez", "/"]) {
      await page.goto(bed.app.url + path);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBe(0);
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      const cut = `[...document.querySelectorAll(".wide, .scrolls")].filter((box) => box.scrollHeight > box.clientHeight + 1).length`;
      expect(await page.evaluate(cut), path).toBe(0);
    }
    await page.close();
  });

  test("labels of bars are not broken into letters on a phone", async () => {
    for (const path of ["/countries", "/chokepoints", "/chokepoints/hormuz_strait"]) {
      const page = await bed.opened(path, { viewport: phone });
      const heights = await page.evaluate<number[]>(
        `[...document.querySelectorAll("table.cards td > .bar-cell")].map((each) => each.getBoundingClientRect().height)`,
      );
      expect(heights.length, path).toBeGreaterThan(0);
      expect(Math.max(...heights), path).toBeLessThan(60);
      await page.close();
    }
  });
});
