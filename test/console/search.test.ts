import { load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) => {
  const response = await bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
  expect(response.status, path).toBe(200);
  return load(await response.text());
};
const search = (q: string) => page(`/search?${new URLSearchParams({ q })}`);

/** Checks the first hit of each search, and that no word of it is reported as unknown. */
async function checkFirstHits(hits: Readonly<Record<string, string>>): Promise<void> {
  for (const [q, path] of Object.entries(hits)) {
    const $ = await search(q);
    expect($("main section").first().find("li > p:first-child a").attr("href"), q).toBe(path);
    expect($("main").text(), q).not.toMatch(/Ignored|Nothing here|Results for/);
  }
}

test("a question in plain words leads to the answer, whatever its punctuation and fillers", async () => {
  await checkFirstHits({
    "How many people died in Sudan?": "/series/conflict.fatalities?keys=SD",
    "Which is the deadliest month in Ukraine?": "/series/conflict.fatalities?keys=UA",
    "killed in Myanmar, by month.": "/data/conflict-events?country=MM&by=month&sum=fatalities#counts",
    "What is Ukraine's risk?": "/series/risk.score?keys=UA",
    "Trinidad and Tobago: inflation": "/series/macro.inflation?keys=TT",
    "South Sudan": "/countries/SS",
    "what is ukraine?": "/countries/UA",
  });
  const long = `${"please show me how many people ".repeat(5)}died in Sudan?`;
  expect(long.length).toBeGreaterThan(160);
  await checkFirstHits({ [long]: "/series/conflict.fatalities?keys=SD" });
});

test("a search with several countries leads to their comparison, or to one chart of all of them", async () => {
  await checkFirstHits({
    "compare resilience of Poland, Romania and Ukraine": "/series/resilience.score?keys=PL,RO,UA",
    "inflation in Turkey and Egypt": "/series/macro.inflation?keys=TR,EG",
    "Iran vs Israel": "/compare?country=IR&country=IL",
    "compare Germany,France,Italy,Spain and Poland": "/compare?country=DE&country=FR&country=IT&country=ES",
    "united states and united kingdom": "/compare?country=US&country=GB",
    "exports of Germany and France": "/series/trade.exports?keys=276,250",
    "tenders in Poland and Germany": "/tenders?countries=PL%2CDE",
    "conflict in Sudan and Chad by month": "/data/conflict-events?by=month&by=country#counts",
  });
  const $ = await search("compare resilience of Poland, Romania and Ukraine");
  const compare = $("main section").first().find('a[href="/compare?country=PL&country=RO&country=UA"]');
  expect(compare.text()).toBe("Compare Poland, Romania, Ukraine");
  expect($("#countries ~ ul li")).toHaveLength(3);
  expect((await search("sanctions on Russia and Belarus"))("main").text()).toContain("Ignored: sanctions. Nothing");
});

test("a search for a power's bases in a country leads to the bases in that country", async () => {
  await checkFirstHits({
    "US military bases Qatar": "/data/military-bases?op=ListMilitaryBases&country=QA#rows",
    "US bases in Qatar": "/data/military-bases?op=ListMilitaryBases&country=QA#rows",
  });
});

test("a search for a series without a country leads to keys that have points", async () => {
  const keys = "/series/gas.country_fill?keys=DE,FR,IT,PL";
  await checkFirstHits({
    "gas storage by country": keys,
    "Gas storage, Germany": "/series/gas.country_fill?keys=DE",
    inflation: "/series/macro.inflation",
  });
  expect((await page(keys))("#chart").parent().find(".nothing")).toHaveLength(0);
  expect((await search("gas storage by country"))('a[href="/series/gas.country_fill"]')).toHaveLength(0);
});

test("a search does not replace a correct word by a similar one", async () => {
  await checkFirstHits({ "many ships suez": "/series/chokepoint.transits?keys=suez" });
  for (const q of ["which chokepoints need attention", "begin of the war", "trace a ship", "timer"])
    expect((await search(q))("main").text(), q).not.toContain("Results for");
  expect((await search("sudna conflict"))("main").text()).toContain("Results for “sudan conflict”.");
  expect((await search("resiliance germany"))("main").text()).toContain("Results for “resilience germany”.");
});

test("a question about what is down now leads to the rows that have not ended", async () => {
  const path = "/data/internet-outages?ongoing=true";
  await checkFirstHits({
    "internet down now": path,
    "Where is the internet down?": path,
    "is the internet down in Iran": `${path}&country=IR`,
  });
  expect((await page(path))("#rows").parent().find("tbody tr").length).toBeGreaterThan(0);
  expect((await page(path))("select[name=ongoing] option[selected], input[name=ongoing]").val()).toBe("true");
});

test("a search without hits leads to the list of data", async () => {
  const nothing = (await search("Brent"))(".nothing");
  expect(nothing.text()).toBe("Nothing found. No data or page here has these words. Data lists all that is covered.");
  expect(nothing.find("a").attr("href")).toBe("/data");
  const $ = await search("oil price");
  expect($("main > p.soft").text()).toContain("No data or page here has all of these words. Data lists all");
  expect((await search("earthquakes in Japan"))('main > p.soft a[href="/data"]')).toHaveLength(1);
  expect((await search("??"))(".nothing a").attr("href")).toBe("/data");
});
