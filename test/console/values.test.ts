import { load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";
import { publicPages } from "../support/console/page-list.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());

test("every chart has the values of its lines in a table, every map its marks", { timeout: 60_000 }, async () => {
  let [charts, maps] = [0, 0];
  for (const path of publicPages) {
    const $ = await page(path);
    for (const figure of $("figure.chart").toArray()) {
      charts += 1;
      const rows = $(figure).next("details.as-table").find("tbody tr").toArray();
      for (const line of $(figure).find("g[data-at]").toArray()) {
        const instants = ($(line).attr("data-at") ?? "").split(" ").filter((each) => each !== "");
        expect(rows.length, path).toBeGreaterThanOrEqual(Math.min(instants.length, 400));
        const newest = Number(($(line).attr("data-value") ?? "").split(" ").at(-1));
        const cells = $(rows)
          .find("td.number")
          .toArray()
          .map((cell) => Number.parseFloat($(cell).text().replaceAll(",", "")));
        expect(
          cells.some((cell) => Math.abs(cell - newest) <= Math.abs(newest) / 100 + 0.01),
          `${path} ${newest}`,
        ).toBe(true);
      }
    }
    for (const figure of $("figure.map").toArray()) {
      maps += 1;
      const drawn = $(figure).find(".points circle").toArray();
      const rows = $(figure).parent().find('[aria-label="Table: Marks of the map"] tbody tr').toArray();
      expect(rows.length, path).toBe(drawn.length);
      const sum = (texts: readonly string[]) => texts.reduce((all, text) => all + Number(text.replaceAll(",", "")), 0);
      const titles = drawn.map((circle) => /: ([\d,]+)/.exec($(circle).find("title").text())?.[1] ?? "");
      expect(sum(rows.map((row) => $(row).find("td.number").text())), path).toBe(sum(titles));
    }
  }
  expect([charts > 3, maps > 2]).toEqual([true, true]);
});

test("where a block is of several reads, each says which it is of", async () => {
  const footers = (await page("/countries"))("section:has(#ranking) footer.provenance");
  expect(footers.first().text()).toMatch(/^\s*Risk scores/);
  expect(footers.last().text()).toMatch(/^\s*Resilience ranking/);
  expect(footers.last().text()).toContain("CSV: too little data to rank");
});
