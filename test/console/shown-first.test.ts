import { load } from "cheerio";
import { expect, test } from "vitest";
import { GetCountryBriefResponseSchema } from "../../gen/es/ids/country/v1/country_pb.ts";
import { scheduleText } from "../../src/console/pages/dataset/schedule-text.ts";
import { aboutText, numberText, quantityText } from "../../src/console/view/figures.ts";
import { mainFigure } from "../../src/console/view/message-view.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());

test("the page of a country begins with its key figures and their changes", async () => {
  const $ = await page("/countries/UA");
  expect($("main .grid").first().children().first().is("dl.figures")).toBe(true);
  const figures = $("dl.figures").first();
  expect(figures.find("div:contains('Risk') small").text()).toMatch(/^[+−]?[\d.]+ in 30 days, /);
  expect(figures.find("div:contains('Inflation') small").text()).toMatch(/^\d{4}, estimate or forecast$/);
});

test("a phone shows the main figure of the blocks after those of risk and conflict, which the user opens", async () => {
  const $ = await page("/countries/UA");
  const summaryOf = (id: string) => $(`section:has(> #${id}) > details.on-phone > summary`).text();
  expect([summaryOf("risk"), summaryOf("conflict")]).toEqual(["", ""]);
  expect(summaryOf("defense")).toMatch(/^Expenditure [\d.]+% of GDP \(\d{4}\): Defense$/);
  expect(summaryOf("bases")).toMatch(/^Bases \d+: Military bases$/);
  expect((await page("/countries/UA?embed=1&block=bases"))("details.on-phone")).toHaveLength(0);
});

test("the main figure of a record has all of its digits, and a previous value does not stand for it", () => {
  const { message } = GetCountryBriefResponseSchema.field.defense;
  if (!message) throw new Error("The brief has no part for defense");
  const figureOf = (available: boolean) => {
    const own = { available, value: 7500, year: 2022, previousValue: 7400, previousYear: 2021, source: "World Bank" };
    return mainFigure(message, { personnel: own }, []);
  };
  expect(figureOf(true)).toBe("Personnel 7,500 (2022)");
  expect(figureOf(false)).toBeUndefined();
});

test("a value with its year is one line, and values that are not known are named together", async () => {
  const $ = await page("/countries/UA");
  expect($("#defense").parent().find("dd").first().text()).toMatch(
    /^[\d.]+% of GDP \(\d{4}\), [\d.]+% in \d{4}\. World Bank MS\.MIL/,
  );
  const economy = $("#macro").parent().find(".content");
  expect(economy.text()).toMatch(/\d+ figures not known: \w/);
  expect(economy.find("dd").text()).not.toContain("not known");
  expect($("#conflict").parent().find("th").text()).toContain("Region");
});

test("the page of a series has the last values below its title, with date and unit, and names their source", async () => {
  const $ = await page("/series/gas.country_fill?keys=DE,IT");
  const figures = $(".top .figures > div").toArray();
  expect(figures.map((each) => $(each).find("dt").text())).toEqual(["Germany", "Italy"]);
  expect($(".top .figures small").first().text()).toMatch(/^\d+ \w{3} \d{4}, %$/);
  const latest = $("#latest").parent().find("footer").text();
  expect([latest.includes("this service"), latest.includes("GIE AGSI")]).toEqual([false, true]);
});

test("the line below a block has two menus for files, citation, embed, and request", async () => {
  const $ = await page("/data/conflict-events");
  const [files, more] = $("#rows").parent().find("footer details.menu-of-block").toArray();
  const texts = (menu: typeof files) =>
    $(menu)
      .find("a")
      .map(
        (_, link) =>
          $(link)
            .text()
            .split(/,| of /)[0],
      )
      .get();
  expect([texts(files), texts(more)]).toEqual([
    ["CSV", "XLSX", "JSON"],
    ["Cite", "Embed Rows"],
  ]);
  expect($(more).find("pre").text()).toContain("curl ");
});

test("negative numbers on pages have a true minus, and results of models three digits", async () => {
  expect([numberText(-1.5), numberText(-0.012), quantityText(-11_900_000_000, "USD")]).toEqual([
    ...["−1.5", "−0.012", "−$11.9B"],
  ]);
  expect(aboutText(1_576_942_800, "USD")).toBe("about USD 1.58 billion");
  const $ = await page("/countries/UA");
  expect($("#macro").parent().find("dd:contains('−')").length).toBeGreaterThan(0);
  expect($(".facts-list dd, .figures dd").text()).not.toMatch(/(?:^|[\s(])-\d/);
});

test.each([
  ["20 */6 * * *", "every 6 hours, at 20 past"],
  ["*/15 * * * *", "every 15 minutes"],
  ["5,35 * * * *", "every hour, at 5 and 35 past"],
  ["40 4 * * *", "every day at 04:40 UTC"],
  ["45 6,18,22 * * *", "every day at 06:45, 18:45 and 22:45 UTC"],
  ["20 4 * * 1", "every Monday at 04:20 UTC"],
  ["40 5 3 * *", "on day 3 of each month at 05:40 UTC"],
  ["0 4 1 1 *", "0 4 1 1 *"],
])("the schedule %s is shown as words", (cron, words) => {
  expect(scheduleText(cron)).toBe(words);
});

test("a dataset has its schedule in words, and an explanation of a score has no empty counts", async () => {
  const $ = await page("/data/conflict-events");
  expect($("#freshness").parent().find("dt:contains('Schedule') + dd").text()).toBe("every 6 hours, at 20 past");
  const explained = await page("/data/risk-scores?op=GetRiskScoreExplanation&region=UA");
  expect([explained("#rows").length, explained("#counts").length]).toEqual([1, 0]);
});
