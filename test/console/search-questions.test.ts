import { load } from "cheerio";
import { expect, test } from "vitest";
import { dayMs } from "../../src/reference/duration.ts";
import { testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const search = async (q: string) => {
  const path = `/search?${new URLSearchParams({ q })}`;
  const response = await bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
  expect(response.status, q).toBe(200);
  return load(await response.text());
};
const answersTo = async (q: string) => {
  const $ = await search(q);
  return $("section:has(> h2:contains('Answers')) li > p:first-child a, #answers li > p:first-child a")
    .map((_, link) => $(link).attr("href") ?? "")
    .get();
};
const dayAt = (days: number) => new Date(testTime.getTime() + days * dayMs).toISOString().slice(0, 10);

test.each([
  [
    "How is the coverage of cyberattacks: has the world press become more negative over the past 60 days?",
    `/series/news.tone?keys=cyber&from=${dayAt(-60)}`,
  ],
  [
    "How many military installations lie within 200 km of Djibouti City, and which countries run them?",
    "/data/military-bases?op=ListMilitaryBases&country=DJ#rows",
  ],
  [
    "I find nothing for Turkmenistan's internet this month. Was the country really online?",
    "/data/internet-outages?op=ListInternetOutages&country=TM#rows",
  ],
  [
    "Which five African countries are least able to withstand a shock right now?",
    "/countries?sort=resilience&order=asc&continent=africa",
  ],
  [
    "What share of the world's cobalt was mined in DR Congo in the latest year, who published that number?",
    "/data/mineral-production?commodity=cobalt&iso2=CD#rows",
  ],
  ["Everything on Taiwan on one printed page.", "/countries/TW/brief"],
  [
    "How full is gas storage in Germany and France, compared with the average of the last five years?",
    "/series/gas.country_fill?keys=DE,FR&view=band",
  ],
  ["How full is EU gas storage today, compared with the same date last year?", "/series/gas.fill"],
])("the question “%s” leads to %s", async (question, path) => {
  expect((await answersTo(question))[0]).toMatch(new RegExp(`^${RegExp.escape(path)}`));
});

test("a question about tenders searches for its subject only, and its deadline is a filter", async () => {
  const question =
    "I need all open tenders for hospital equipment in Poland and Romania that close within three weeks, as an Excel file";
  const [first, ...others] = await answersTo(question);
  const { pathname, searchParams } = new URL(first ?? "", bed.app.url);
  expect([pathname, searchParams.get("query"), searchParams.get("countries")]).toEqual([
    "/tenders",
    "hospital equipment",
    "PL,RO",
  ]);
  expect(searchParams.get("deadline_to")).toBe(dayAt(21));
  expect(others.join()).not.toContain("closure");
});

test("an alert on ships watches the number of ships, and not a score that falls when they return", async () => {
  for (const question of [
    "alert me when Bab el-Mandeb ships fall below 28",
    "Send me an email when daily ship passages through Bab el-Mandeb drop more than 20 percent below their usual level",
  ]) {
    const [first] = await answersTo(question);
    const { searchParams } = new URL(first ?? "", bed.app.url);
    expect([searchParams.get("series"), searchParams.get("keys"), searchParams.get("direction")], question).toEqual([
      "chokepoint.transits",
      "bab_el_mandeb",
      "below",
    ]);
  }
});

test("a question that compares two periods leads to the counts of both", async () => {
  const [first] = await answersTo(
    "How many people died in Sudan over the last three weeks, how does that compare with the three weeks before?",
  );
  expect(first).toMatch(/^\/data\/conflict-events\?country=SD&.*by=admin1&sum=fatalities&compare=before#counts$/);
});

test("what the service has no data for is not answered by a page that shares a word", async () => {
  for (const question of [
    "What has Freeport-McMoRan filed with the SEC since the start of last quarter?",
    "Who won the elections in Atlantis in the first quarter?",
  ])
    expect(
      (await answersTo(question)).filter((path) => path.startsWith("/series/")),
      question,
    ).toEqual([]);
});

test("a search that drops words names those that its results have", async () => {
  const $ = await search("How many military installations lie within 200 km of Djibouti City?");
  expect($("main").text()).toContain("Nothing has all of these words. Results for “military installations”.");
});

test("what a dataset does not include is followed by what it has of the country", async () => {
  const question = "What import duty does Brazil currently charge on electric cars from China?";
  expect((await answersTo(question)).slice(0, 2)).toEqual([
    "/data/trade-tariffs#not-included",
    "/series/tariff.rate?keys=076,156",
  ]);
});

test("countries can be sorted from the lowest score on, and those without one are last", async () => {
  const { app } = bed;
  const $ = load(await (await app.get("/countries?sort=resilience&order=asc", { key: null })).text());
  const cells = $("#countries tbody td[data-label=Resilience]")
    .map((_, cell) => $(cell).text().trim())
    .get();
  const known = cells.map(Number.parseFloat).filter((score) => !Number.isNaN(score));
  expect(known.length).toBeGreaterThan(100);
  expect(known).toEqual(known.toSorted((one, other) => one - other));
  expect(cells.slice(known.length).every((text) => text.startsWith("–"))).toBe(true);
  expect($("#countries th[aria-sort]").attr("aria-sort")).toBe("ascending");
  expect($("#countries th[aria-sort] a").attr("href")).toBe("/countries?sort=resilience");
});

test("countries can be limited to a continent, whose others do not come back while a name is typed", async () => {
  const countriesAt = async (query: string) => {
    const $ = load(await (await bed.app.get(`/countries?${query}`, { key: null })).text());
    return {
      $,
      names: $("#countries tbody th")
        .map((_, cell) => $(cell).text())
        .get(),
    };
  };
  const { $, names } = await countriesAt("continent=africa&sort=name");
  expect(names.length).toBeGreaterThan(50);
  expect(names).toEqual(expect.arrayContaining(["Egypt", "Sudan", "South Africa"]));
  expect(names).not.toContain("France");
  expect($("select[name=continent] option[selected]").text()).toBe("Africa");
  expect((await countriesAt("continent=europe")).names).toEqual(
    expect.arrayContaining(["Kosovo", "Russia", "Ukraine"]),
  );
  expect((await countriesAt("continent=atlantis")).names).toHaveLength((await countriesAt("")).names.length);
});

const alertOf = async (q: string) => {
  const found = (await answersTo(q)).find((path) => path.startsWith("/alerts?"));
  const query = found === undefined ? undefined : new URL(found, bed.app.url).searchParams;
  return query && ["series", "keys", "direction", "threshold"].map((name) => query.get(name));
};

test.each([
  ["alert when inflation in Japan falls below -1", ["macro.inflation", "JP", "below", "-1"]],
  ["alert when exports of Vietnam fall below 5 billion", ["trade.exports", "VN", "below", "5000"]],
  ["alert when imports of Germany exceed 2 trillion", ["trade.imports", "DE", "above", "2000000"]],
  ["alert when there are fewer than 3 conflict events in Mali", ["conflict.events", "ML", "below", "3"]],
  ["alert when transits of the Suez Canal fall below 30", ["chokepoint.transits", "suez", "below", "30"]],
])("“%s” fills in a rule with the sign, scale, and direction that are asked for", async (q, rule) => {
  expect(await alertOf(q)).toEqual(rule);
});

test.each([
  "alert when the risk of Ukraine rises by 10",
  "alert if the risk of Ukraine changes by more than 5 points",
  "email me every 2 weeks the risk of Ukraine",
  "email me if risk of Russia is no longer above 60",
  "alert when risk of Ukraine is between 50 and 60",
  "alert when risk of Ukraine rises above 80,5",
  "alert when risk of Ukraine rises above 1e3",
])("“%s” fills in no threshold, because a rule watches one level", async (q) => {
  const [series, , , threshold] = (await alertOf(q)) ?? [];
  expect([series, threshold]).toEqual(["risk.score", null]);
});

test("no alert is offered on a series that does not cover the country", async () => {
  expect(await alertOf("Email me when the risk of Sudan exceeds 50")).toBeUndefined();
});

test.each([
  ["tenders for close protection in France", "close protection", "FR"],
  ["tenders for the closing of a mine", "closing a mine", null],
  ["tenders for road closure signs", "road closure signs", null],
  ["tenders for email security in Germany", "email security", "DE"],
  ["tenders for alert systems in Poland", "alert systems", "PL"],
  ["tenders for body armour excluding Germany", "body armour", null],
])("“%s” keeps its subject, and excludes no country by choosing it", async (q, query, countries) => {
  const [first] = await answersTo(q);
  const { pathname, searchParams } = new URL(first ?? "", bed.app.url);
  expect([pathname, searchParams.get("query"), searchParams.get("countries")]).toEqual(["/tenders", query, countries]);
});

test("deaths of a period are its sum by area, and not the value of one day", async () => {
  expect((await answersTo("how many people were killed in Sudan last month"))[0]).toMatch(
    /^\/data\/conflict-events\?country=SD&start=.*&by=admin1&sum=fatalities#counts$/,
  );
});

test("a question about an account or a war does not lead to straits or warnings", async () => {
  expect((await answersTo("how do I close my account")).join()).not.toContain("closure");
  expect((await answersTo("war in Sudan"))[0]).toMatch(/conflict/);
  expect((await answersTo("fuel prices France"))[0]).toBe("/data/supply-buffers#not-included");
});
