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

test("a search that drops words, a distance, or a place names them", async () => {
  const $ = await search("How many military installations lie within 200 km of Nowhereville?");
  expect($("main").text()).toContain("Ignored: within 200 km of. No answer filters by it.");
  const darfur = await search("How many people died in Nowhere Darfur over the last three months?");
  expect(darfur("main > p.soft").text()).toContain("Ignored: nowhere, darfur.");
  expect(darfur('main a[href*="by=country"]')).toHaveLength(0);
});

test.each([
  ["Which military bases lie within 200 km of the Bab el-Mandeb strait, who operates them?", "military-bases", "200"],
  [
    "Within 150 km of El Fasher, Sudan, which conflict events in the last 30 days killed ten?",
    "conflict-events",
    "150",
  ],
  ["conflict events within 100 miles of Goma", "conflict-events", "161"],
])("%s leads to rows within the distance", async (question, dataset, km) => {
  const [path = ""] = await answersTo(question);
  const { pathname, searchParams } = new URL(path, bed.app.url);
  expect([pathname, searchParams.get("within_km")]).toEqual([`/data/${dataset}`, km]);
  expect((await search(question))("main > p.soft").text()).not.toContain("within");
  const page = await (await fetch(new URL(path, bed.app.url))).text();
  expect(page).toContain("Distances are from the point");
});

test("an alert on outages is a rule on the list of outages, filled in", async () => {
  const question = "I want an email as soon as a total internet outage starts in Iran, Iraq or Pakistan";
  const [path = ""] = await answersTo(question);
  const { pathname, searchParams } = new URL(path, bed.app.url);
  expect(pathname).toBe("/alerts");
  expect(Object.fromEntries(searchParams)).toMatchObject({
    ...{ watch: "changes", datasets: "internet-outages", kinds: "appeared", countries: "IR,IQ,PK" },
    condition: "after.severity == 'OUTAGE_SEVERITY_TOTAL'",
  });
});

test("the name of a group of countries means its countries", async () => {
  const [tenders = ""] = await answersTo("open tenders for road works in the Baltic states");
  expect(new URL(tenders, bed.app.url).searchParams.get("countries")).toBe("EE,LV,LT");
  expect(await answersTo("conflict events in the Sahel")).toContain(
    "/data/conflict-events?op=ListConflictEvents&countries=BF%2CTD%2CML%2CMR%2CNE#rows",
  );
});

test("the name of a month begins a period, in the last year that has begun it", async () => {
  const startOf = async (question: string) => {
    const path = (await answersTo(question)).find((each) => each.includes("start=")) ?? "";
    return new URL(path, bed.app.url).searchParams.get("start");
  };
  expect(await startOf("conflict events in Myanmar since January")).toBe("2026-01-01");
  expect(await startOf("conflict events in Myanmar since December")).toBe("2025-12-01");
  expect(await startOf("conflict events in Myanmar from March 2025")).toBe("2025-03-01");
});

test("words of the documentation are not said to be in no page", async () => {
  expect((await search("QGIS"))("main").text()).not.toContain("Nothing found");
  const $ = await search("Embed Ukraine's risk chart in a blog");
  expect($("main > p.soft").text()).toContain("Ignored: blog.");
  expect($("main").text()).toContain("Embed a block");
});

test("words and periods that an answer applies are not reported as ignored", async () => {
  for (const question of [
    "How full is EU gas storage today, compared with the same date last year?",
    "Which five African countries are the least resilient?",
    "Send me an email when ships through Bab el-Mandeb drop below 28",
  ])
    expect((await search(question))("main > p.soft").text(), question).not.toContain("Ignored");
});

test("a value of a week ago is not a change over a year, and an input names no weights", async () => {
  const asked = "When did Ukraine's risk change most, and what was it a week ago?";
  expect((await answersTo(asked)).join()).not.toContain("view=change");
  expect((await search("internet Turkmenistan"))("main").text()).not.toContain("total 4, major 2");
});

test("a tender's subject before the word tenders ends before the conditions", async () => {
  const question = "Hospital equipment tenders in Poland and Romania that close within three weeks, as Excel";
  const { searchParams } = new URL((await answersTo(question))[0] ?? "", bed.app.url);
  expect([searchParams.get("query"), searchParams.get("countries")]).toEqual(["hospital equipment", "PL,RO"]);
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

test("the name of a first-level area leads to its counts and rows, where a dataset has areas", async () => {
  const rows = "/data/conflict-events?country=SD&admin1=SD-DN";
  const from = `&start=${dayAt(-91)}`;
  const deaths = "How many people died in conflict in North Darfur in the last three months?";
  expect(await answersTo(deaths)).toEqual([`${rows}${from}&by=month&sum=fatalities#counts`, `${rows}${from}#rows`]);
  expect(await answersTo("battles north darfur")).toEqual([`${rows}#rows`]);
  expect((await search(deaths))("main").text()).not.toMatch(/Ignored|Nothing has/);
  expect((await search(deaths))("main").text()).toContain("Deaths by month, North Darfur, Sudan");
  expect(await answersTo("khartoum sudan")).toEqual(["/data/conflict-events?country=SD&admin1=SD-KH#rows"]);
  expect(await answersTo("conflict western kenya")).toContain("/series/conflict.events?keys=KE");
  expect((await search("gas storage bavaria"))("main").text()).toContain("Ignored: bavaria.");
});

test("years, goods, and last year for comparison are understood, and the article of a name does not count as a country", async () => {
  const exports = "Goods exports of Vietnam and Mexico, 2019 to 2023";
  expect(await answersTo(exports)).toContain("/series/trade.exports?keys=704,484");
  expect((await search(exports))("main").text()).not.toContain("Ignored");
  expect(await answersTo("EU gas storage compared with last year")).toContain("/series/gas.fill?view=change");
  expect(await answersTo("risk of Ukraine since 2025")).toContain("/series/risk.score?keys=UA&from=2025-01-01");
  expect(await answersTo("inflation in 2031")).toContain("/series/macro.inflation");
  expect((await search("El Obeid deaths"))("main").text()).not.toContain("Greece");
  expect(await answersTo("conflict Sudan by month and first-level area")).toContain(
    "/data/conflict-events?country=SD&by=month&by=admin1#counts",
  );
});

test.each([
  ["open tenders of France and Germany about cyber security worth more than EUR 1 million", "cyber security"],
  ["cyber security tenders in France as Excel", "cyber security"],
  ["open tenders cyber security excel e-mail", "cyber security"],
  ["tenders for open source software", "open source software"],
  ["open source software tenders", "open source software"],
  ["tenders export control", "export control"],
  ["price list tenders", "price list"],
  ["tenders windows server 2019", "windows server 2019"],
  ["tenders mantenimiento de carreteras", "mantenimiento de carreteras"],
  ["download all open tenders as csv", null],
  ["tenders above 2000 euros", null],
])("the search of notices for `%s` has the words of the subject only", async (question, subject) => {
  const [path = ""] = (await answersTo(question)).filter((each) => each.startsWith("/tenders?"));
  expect(new URL(path, "http://localhost").searchParams.get("query")).toBe(subject);
});

test("a sanction or a fine is named as not included", async () => {
  for (const question of ["Did the US sanction or fine a bank in the last 30 days?", "US fines against banks"])
    expect((await search(question))("#answers, section").first().text(), question).toMatch(
      /No data: (sanctioned names|fines)/,
    );
});

test("amounts and years differ, the end of a year is named as ignored, and particles of names name no country", async () => {
  const [path = ""] = await answersTo("tenders above 2000 euros in Germany");
  const { searchParams } = new URL(path, "http://localhost");
  expect(Object.fromEntries(searchParams)).toEqual({ countries: "DE", min_value: "2000", currency: "EUR" });
  expect((await search("tenders windows server 2019 in Germany"))("main").text()).not.toContain("Germany, Germany");
  expect(await answersTo("tenders mantenimiento de carreteras")).toEqual([
    "/tenders?query=mantenimiento+de+carreteras",
  ]);
  for (const place of ["ar raqqah", "az zawiyah", "rio de janeiro", "st petersburg"])
    expect((await search(`deaths in ${place}`))("#answers, main section").first().text(), place).not.toMatch(
      /Argentina|Azerbaijan|Germany|Sao Tome/,
    );
  expect(await answersTo("gas storage de fr")).toContain("/series/gas.country_fill?keys=DE,FR");
  expect((await search("deaths Sudan in 2023"))("main").text()).toContain("Ignored: the end of 2023.");
  expect((await search("deaths Sudan since 2025"))("main").text()).not.toContain("Ignored");
  expect(await answersTo("battles in kharkiv by week")).not.toContain("/data/conflict-events?by=week#counts");
  expect((await search("protests in north darfur"))("main section").first().text()).toContain("No data: protests");
  expect(await answersTo("tone of the press on cyber attacks over 60 days")).toContain(
    `/series/news.tone?keys=cyber&from=${dayAt(-60)}`,
  );
});

test("an area of a sample has events, and an area without any has no total of zero", async () => {
  const read = async (path: string) => {
    const response = await bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
    return load(await response.text())("main").text();
  };
  const counts = (area: string) => `/data/conflict-events?country=SD&admin1=${area}&by=month&sum=fatalities`;
  expect(await read(counts("SD-DN"))).toMatch(/Total: \d+ rows, \d+ fatalities/);
  const none = await read(counts("SD-NO"));
  expect(none).toContain("No row matches, which does not prove that there was nothing.");
  expect(none).not.toContain("Total: 0");
});
