import { load } from "cheerio";
import { expect, test } from "vitest";
import { dayText } from "../../src/console/view/times.ts";
import { dayMs } from "../../src/reference/duration.ts";
import { startApp, testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";

const bed = startBed();
const page = async (path: string) => {
  const response = await bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
  expect(response.status, path).toBe(200);
  return load(await response.text());
};
const dayAt = (days: number) => new Date(testTime.getTime() + days * dayMs).toISOString().slice(0, 10);
const search = (q: string) => page(`/search?${new URLSearchParams({ q })}`);

/** Checks the first hit of each search, and that no word of it is reported as unknown. */
async function checkFirstHits(hits: Readonly<Record<string, string>>): Promise<void> {
  for (const [q, path] of Object.entries(hits)) {
    const $ = await search(q);
    expect($("main section").first().find("li > p:first-child a").attr("href"), q).toBe(path);
    expect($("main").text(), q).not.toMatch(/Ignored|No data|Results for/);
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
    "conflict in Sudan and Chad by month": "/data/conflict-events?countries=SD%2CTD&by=month&by=country#counts",
  });
  const $ = await search("compare resilience of Poland, Romania and Ukraine");
  const compare = $("main section").first().find('a[href="/compare?country=PL&country=RO&country=UA"]');
  expect(compare.text()).toBe("Compare Poland, Romania, Ukraine");
  expect($("section:has(> #countries) .rows > li")).toHaveLength(3);
  const ignored = (await search("elections in Russia and Belarus"))("main").text();
  expect(ignored).toContain(
    "Ignored: elections. No page, dataset, or column has this word in its name; rows are not searched.",
  );
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

test("a search for a product code leads to its imports, or says that the heading is not held", async () => {
  await checkFirstHits({
    "Japan imports HS 271111": "/data/country-imports?op=GetCountryProducts&iso2=JP#rows",
    "palm oil India":
      "/data/supply-vulnerability?op=ListVulnerabilityRankings&commodity_id=palm_oil&country_code=IN#rows",
  });
  expect((await search("HS 8505"))("main section").first().text()).toContain("No data: HS 8505");
});

test("a unit is not a country, and a bare number is the threshold of an alert", async () => {
  expect((await search("alert conflict Basra 50 km"))("main").text()).not.toContain("Comoros");
  const alert = (await search("alert Ukraine risk 70"))("main section").first().find("a").attr("href");
  expect(alert).toContain("threshold=70");
  const { view } = await signedIn(bed.app, "/alerts");
  const { $ } = await view((alert ?? "").replace(/^\/alerts|#.*/g, ""));
  const filledIn = ["#filter-series", "#filter-keys", "#filter-direction", "#filter-threshold"].map((id) =>
    $(id).val(),
  );
  expect(filledIn).toEqual(["risk.score", "UA", "above", "70"]);
});

test("a search finds datasets by the names of their sources", async () => {
  for (const q of ["acled", "ucdp deaths"])
    expect((await search(q))('main a[href="/data/conflict-events"]').length, q).toBeGreaterThan(0);
});

test("a search for something that a dataset does not include says so first, and what there is instead", async () => {
  const first = async (q: string) => (await search(q))("main section").first().find("li").first();
  const listed = await bed.app.get("/api/catalog/v1/list-datasets");
  const { datasets } = (await listed.json()) as { datasets: { name: string; notIncluded?: string[] }[] };
  const entries = datasets.flatMap(({ name, notIncluded = [] }) => notIncluded.map((entry) => ({ name, entry })));
  expect(entries.length).toBeGreaterThan(20);
  for (const { name, entry } of entries) {
    const [things = "", instead] = entry.split(": ");
    expect(instead, entry).toBeTruthy();
    for (const thing of things.split(", ")) {
      const answers = (await search(thing))("main section").first();
      const hit = answers.find("li").filter((_, each) => load(each).text().includes(`No data: ${thing}`));
      expect(hit.find("a").attr("href"), thing).toBe(`/data/${name}#not-included`);
    }
  }
  expect((await first("How high is the exchange rate of Egypt?")).text()).toContain("No data: exchange rates");
  expect((await first("deaths per 100,000 inhabitants in Sudan")).text()).toContain("No data: deaths per inhabitant");
  const block = (await page("/data/trade-tariffs"))("section:has(> #not-included), section#not-included").first();
  expect(block.text()).toContain("duty (of single products)");
});

test("a search without hits leads to the list of data", async () => {
  const nothing = (await search("Brent"))(".nothing");
  expect(nothing.text()).toContain(
    "Nothing found. No page, dataset, or column has this word in its name; rows are not searched. Data lists all",
  );
  expect(nothing.text()).toMatch(/The service has \d\d datasets from \d\d sources, on conflict, economic, /);
  expect(nothing.find("a").attr("href")).toBe("/data");
  const $ = await search("outage price");
  expect($("main > p.soft").text()).toContain(
    "No page, dataset, or column is named with all of these words. Data lists all",
  );
  expect((await search("volcanoes in Japan"))('main > p.soft a[href="/data"]')).toHaveLength(1);
  expect((await search("??"))(".nothing a").attr("href")).toBe("/data");
});

test("a search for an average leads to the seasonal band, and two capitals are a country", async () => {
  const bandOf = (key: string) => `/series/gas.country_fill?keys=${key}&view=band`;
  await checkFirstHits({
    "gas storage of DE, FR, IT now against the 5-year average": bandOf("DE,FR,IT"),
    "gas germany 5-year average": bandOf("DE"),
    "gas IT five-year mean": bandOf("IT"),
    "average tariff US": "/series/tariff.rate?keys=840",
    "tenders IT services Poland": "/tenders?query=it+services&countries=PL",
  });
});

test("amounts and times become parameters of the answer, or a note says that they are ignored", async () => {
  const cyber = "/tenders?query=cyber+security&countries=DE%2CFR&min_value=1000000";
  await checkFirstHits({
    "tenders cyber security Germany France above 1 million": cyber,
    "tenders roads Poland under EUR 500,000": "/tenders?query=roads&countries=PL&max_value=500000&currency=EUR",
    "tenders Germany next 30 days": `/tenders?countries=DE&deadline_from=${dayAt(0)}&deadline_to=${dayAt(30)}`,
    "tenders Germany over 2.5M in the last week": `/tenders?countries=DE&min_value=2500000&published_from=${dayAt(-7)}`,
    "conflict ukraine last 7 days": `/series/conflict.events?keys=UA&from=${dayAt(-7)}`,
    "conflict sudan by month last 30 days": `/data/conflict-events?country=SD&start=${dayAt(-30)}&by=month#counts`,
  });
  expect((await page(cyber))("#results").text()).toBe("1 open notice");
  const counted = (await search("conflict sudan by month"))("main section").first().find("li").first();
  expect(counted.text()).toMatch(/Totals and shares since \d+ Sep 2026\. Earlier rows are not held\./);
  const ignored = (await search("risk ukraine above 50"))("main > p.soft").text();
  expect(ignored).toContain("Ignored: above 50. No answer filters by it.");
});

test("a search for an alert leads to its form with series, country, direction, and threshold", async () => {
  const $ = await search("alert Ukraine risk above 70");
  const path = $("main section").first().find("li a").first().attr("href") ?? "";
  const rule = Object.fromEntries(new URL(path, bed.app.url).searchParams);
  expect(rule).toMatchObject({
    watch: "series",
    series: "risk.score",
    keys: "UA",
    direction: "above",
    threshold: "70",
  });
  expect(path).toMatch(/^\/alerts\?.*#rule$/);
});

test("a word that only the documentation has leads to its guides", async () => {
  for (const q of ["embed", "pdf"]) {
    const found = (await search(q))("section:has(> #documentation), section#documentation").first();
    expect(found.find('a[href^="/docs/guides/console"]').length, q).toBeGreaterThan(0);
  }
});

test("values of parameters and minerals lead to their data, and lookups and tariffs say what is held", async () => {
  await checkFirstHits({
    cyber: "/series/news.articles?keys=cyber",
    gallium: "/data/mineral-production?commodity=gallium#rows",
    "cobalt production chile": "/data/mineral-production?commodity=cobalt&iso2=CL#rows",
  });
  expect((await search("gallium"))("main").text()).not.toContain("Suez");
  expect(
    (await page("/data/mineral-production?commodity=gallium"))("#rows").parent().find("tbody tr"),
  ).not.toHaveLength(0);
  for (const q of ["8-K cyber incident", "filings Apple"]) {
    const first = (await search(q))("main section").first().find("li").first();
    expect(first.find("a").attr("href"), q).toBe("/data/sec-tickers?op=GetCompanyEnrichment#rows");
    expect(first.text(), q).toContain("There is no list: each request is for one ticker or name.");
  }
  const tariff = (await search("US tariff on steel from China"))("main section").first().find("li").first();
  expect(tariff.text()).toContain("Note: only tariffs on all partners are held.");
});

interface Suggestion {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
}
const suggestionsPath = (q: string) => `/search?${new URLSearchParams({ q, format: "json" })}`;
const suggested = async (q: string) =>
  (await (await bed.app.get(suggestionsPath(q), { key: null })).json()) as Suggestion[];

test("a threshold relative to a mean is not filled in as a fixed one, and the direction is kept", async () => {
  const address = async (text: string) => {
    const $ = await page(`/search?${new URLSearchParams({ q: text })}`);
    return new URL($("section:has(> #answers) a[href^='/alerts']").attr("href") ?? "", "http://ids").searchParams;
  };
  const relative = await address("alert transits Strait of Hormuz 20% below four-week average");
  expect([relative.get("threshold"), relative.get("direction"), relative.get("view")]).toEqual([null, "below", null]);
  const fixed = await address("alert Ukraine risk above 70");
  expect([fixed.get("threshold"), fixed.get("direction")]).toEqual(["70", "above"]);
});

test("the largest changes of scores answer a search for what worsened, and their days are not ignored", async () => {
  const $ = await page("/search?q=which+countries%27+risk+worsened+most+in+the+last+30+days");
  expect($("section:has(> #answers) a").first().attr("href")).toBe("/countries?sort=change");
  expect($("main").text()).not.toContain("No answer filters by it");
  const year = await page("/search?q=risk+worsened+last+2+years");
  expect(year("section:has(> #answers) a[href='/countries?sort=change']")).toHaveLength(0);
});

test("a CPV code of a search for tenders is a category and no word", async () => {
  const $ = await page("/search?q=tenders+Poland+CPV+3117%2F3121+transformers");
  const path = $("section:has(> #answers) a[href^='/tenders']").attr("href") ?? "";
  const { searchParams } = new URL(path, "http://ids");
  expect([searchParams.get("category"), searchParams.get("query")]).toEqual(["3117", "transformers"]);
});

test("suggestions are pages that an unfinished search names, and the search uses the same names", async () => {
  const first = { path: "/series/gas.country_fill?keys=DE", name: "Gas storage by country: Germany", kind: "Series" };
  expect((await suggested("gas ger"))[0]).toEqual(first);
  const names = {
    ga: ["Gabon", "Gas storage by country", "EU gas storage"],
    ri: ["Risk score", "Risk scores", "Costa Rica"],
    gas: ["Gas storage by country", "EU gas storage"],
    turk: ["Türkiye"],
    UAE: ["United Arab Emirates"],
    "suez tran": ["Chokepoint transits: Suez Canal"],
    "ukraine ri": ["Risk score: Ukraine"],
    deaths: ["Conflict fatalities"],
  };
  for (const [q, expected] of Object.entries(names)) {
    const own = await suggested(q);
    expect(
      own.map(({ name }) => name),
      q,
    ).toEqual(expect.arrayContaining(expected));
    expect(own.length, q).toBeLessThanOrEqual(8);
  }
  expect((await suggested("ger")).map(({ name }) => name)).not.toContain("Niger");
  for (const q of ["gas germany", "inflation"]) {
    const $ = await search(q);
    for (const { path, name } of await suggested(q)) expect($(`main a[href="${path}"]`).text(), q).toBe(name);
  }
});

test("suggestions are empty if nothing matches or the text is too long, and count as views of a page", async () => {
  for (const q of ["", "??", "xyzzy", "a".repeat(201)]) expect(await suggested(q), q).toEqual([]);
  await using app = await startApp(bed.database, {
    environment: {
      IDS_PUBLIC_PAGES: "enterprise",
      IDS_TRUSTED_PROXIES: "127.0.0.0/8",
      IDS_PLAN_LIMITS: "enterprise=3",
    },
  });
  const statuses = [];
  for (const q of ["g", "ge", "ger", "germ"])
    statuses.push(
      (await app.get(suggestionsPath(q), { key: null, headers: { "X-Forwarded-For": "192.0.2.90" } })).status,
    );
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test("answers show the latest value with its unit and day, and the sources of it", async () => {
  const latest = async (series: string, keys: string) => {
    const path = `/api/history/v1/get-series?series=${series}&keys=${keys}&interval=latest`;
    const { points } = await bed.app.json<{ points: { at: number; value: number }[] }>(path);
    return { value: points[0]?.value ?? Number.NaN, day: dayText(points[0]?.at ?? Number.NaN) };
  };
  const gas = await latest("gas.country_fill", "DE");
  const $ = await search("gas germany");
  expect($("section:has(#answers) li strong").first().text()).toBe(`${gas.value}%, ${gas.day}`);
  expect($("section:has(#answers) .provenance").text()).toContain("AGSI");
  const risk = await latest("risk.score", "UA");
  expect((await search("ukraine"))("main li strong").first().text()).toBe(`Risk ${risk.value} of 100, ${risk.day}`);
  const strait = await latest("chokepoint.disruption", "hormuz_strait");
  const disruption = `Disruption ${strait.value} of 100, ${strait.day}`;
  expect((await search("hormuz"))("main li strong").first().text()).toBe(disruption);
  expect((await search("inflation Turkey"))("section:has(#answers) li strong").first().text()).toMatch(
    /^-?[\d.]+%, 20\d\d, estimate or forecast$/,
  );
});

test("a search shows at most six values, and none where the value is unknown or may not be read", async () => {
  const many = (await search("republic"))("#countries").parent();
  expect(many.find(".rows > li").length).toBeGreaterThan(6);
  expect(many.find("li p > strong").length).toBeGreaterThan(0);
  expect(many.find("li p > strong").length).toBeLessThanOrEqual(6);
  expect((await search("Bouvet Island"))("main li p > strong")).toHaveLength(0);
  await using app = await startApp(bed.database, { environment: { IDS_PUBLIC_PAGES: "none" } });
  const response = await app.get("/search?q=ukraine", { key: null, headers: { Accept: "text/html" } });
  const $ = load(await response.text());
  expect([response.status, $("main a[href='/countries/UA']").length]).toEqual([200, 1]);
  expect($("main li p > strong, main .provenance")).toHaveLength(0);
});

test("a search for an input of a score leads to the read that lists it", async () => {
  const path = "/data/resilience-scores?op=GetResilienceScoreExplanation";
  await checkFirstHits({
    reserves: `${path}#rows`,
    "import concentration": `${path}#rows`,
    "hospital beds kenya": `${path}&country_code=KE#rows`,
    "inflation Turkey": "/series/macro.inflation?keys=TR",
  });
  expect((await search("reserves"))("main section").first().text()).toContain("an input of the resilience score");
  const inputs = (await page(`${path}&country_code=KE`))("#rows").parent().find("tbody").text();
  for (const id of ["reserveMonths", "importHhi", "hospitalBeds"]) expect(inputs).toContain(id);
});

test("a search for a term that is not held does not lead to a page that only has one of its words", async () => {
  const $ = await search("exchange tone");
  expect($("main > p.soft").text()).toContain("is named with all of these words");
  expect($("main a[href*='company'], main a[href*='sec-tickers'], #answers")).toHaveLength(0);
});
