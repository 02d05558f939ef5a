import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { dayText, shortDayText } from "../../src/console/view/times.ts";
import { testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());
type Page = Awaited<ReturnType<typeof page>>;

interface Counted {
  readonly groups: readonly {
    readonly first: string;
    readonly firstLabel: string;
    readonly second: string;
    readonly secondLabel: string;
    readonly rows: number;
    readonly sum?: number;
  }[];
  readonly totalGroups: number;
}

const events = "/api/conflict/v1/list-conflict-events";
const counted = (path: string, by: string, sum = "") =>
  bed.app.json<Counted>(`/api/catalog/v1/count-rows?${new URLSearchParams({ path, by, sum })}`);

function cellsOf($: Page, rows: string): string[][] {
  return $(rows)
    .toArray()
    .map((row) =>
      $(row)
        .find("th, td")
        .toArray()
        .map((cell) => $(cell).text()),
    );
}

describe("counts of a dataset page", () => {
  test("the chart and the largest groups are those of CountRows, and a group filters the rows", async () => {
    const $ = await page("/data/conflict-events");
    const { groups, totalGroups } = await counted(`${events}?`.slice(0, -1), "country");
    const shown = $("section:has(> #counts) .groups > div:contains('Rows by country') .bars > span")
      .toArray()
      .map((each) => $(each).text());
    expect(shown).toEqual(groups.slice(0, 5).flatMap(({ firstLabel, rows }) => [firstLabel, String(rows)]));
    expect($(".groups").text()).toContain(`The largest 5 of ${totalGroups}.`);
    const days = await counted(events, "day");
    expect($(".count-chart path").attr("d")?.match(/M/g)).toHaveLength(days.groups.length);
    expect($(".count-chart svg").attr("aria-label")).toContain(
      `busiest day: ${Math.max(...days.groups.map(({ rows }) => rows))} rows`,
    );
    const [start, end] = [days.groups[0], days.groups.at(-1)].map((each) => dayText(Date.parse(each?.first ?? "")));
    expect($(".count-chart figcaption").text()).toContain(`Rows by day, ${start} to ${end}, `);
    const [first] = groups;
    const filtered = await page($(".groups a").first().attr("href") ?? "");
    expect(filtered("#filter-country").attr("value")).toBe(first?.first);
    expect(filtered("section:has(> #rows)").text()).toContain(`${first?.rows} rows.`);
  });

  test("fatalities by month and area are a table with files, two steps from the page", async () => {
    const form = (await page("/data/conflict-events?country=SD"))("form[action$='#counts']");
    expect(form.find("[name=country]").val()).toBe("SD");
    const options = form.find("select[name=by]").first().find("option").toArray();
    expect(options.map(({ attribs }) => attribs.value)).toEqual(
      expect.arrayContaining(["month", "admin1", "type", "actor"]),
    );
    const $ = await page("/data/conflict-events?country=SD&by=month&by=admin1&sum=fatalities");
    const { groups } = await counted(
      `${events}?country=SD&start=${form.find("[name=start]").val()}`,
      "month,admin1",
      "fatalities",
    );
    expect(cellsOf($, "section:has(> #counts) thead tr")[0]).toEqual([
      "Month",
      "Region",
      "Rows",
      "Fatalities",
      "Share%",
    ]);
    expect(
      cellsOf($, "section:has(> #counts) tbody tr").map(([month = "", ...cells]) => [
        month.replace(/ \(.*/, ""),
        ...cells.slice(0, 3),
      ]),
    ).toEqual(
      groups.map(({ first, second, secondLabel, rows, sum }) => [
        ...[first, secondLabel || second || "– unknown", String(rows), sum === undefined ? "– unknown" : String(sum)],
      ]),
    );
    for (const format of ["csv", "xlsx"]) {
      const link = $(`section:has(> #counts) .provenance a[href*='format=${format}']`).attr("href") ?? "";
      expect((await bed.app.get(link, { key: null })).status).toBe(200);
    }
  });

  test("a month that is not held or not over as a whole names its days", async () => {
    const monthsOf = async (query: string) =>
      cellsOf(await page(`/data/conflict-events?by=month${query}`), "section:has(> #counts) tbody tr").map(([m]) => m);
    const { heldFrom, heldTo } = await bed.app.json<{ heldFrom: number; heldTo: number }>(events);
    const months = await monthsOf("");
    expect(months[0]).toMatch(/^\d{4}-\d\d \(from /);
    expect(months[0]).toContain(`(from ${shortDayText(heldFrom)})`);
    expect(months.at(-1)).toContain(`(until ${shortDayText(heldTo)})`);
    expect(months.slice(1, -1).join()).not.toContain("(");
    expect(await monthsOf("&start=2026-11-03&end=2026-11-10")).toEqual(["2026-11 (from 3 Nov until 10 Nov)"]);
    expect(await monthsOf("&start=2026-10-01&end=2026-10-31")).toEqual(["2026-10"]);
  });

  test("rows are compared with as many days before, the largest change first", async () => {
    const span = "country=SD&start=2026-11-09&end=2026-11-15";
    const $ = await page(`/data/conflict-events?${span}&by=admin1&sum=fatalities&compare=before`);
    const counts = $("section:has(> #counts)");
    expect(cellsOf($, "section:has(> #counts) thead tr")[0]).toEqual([
      ...["Region", "Rows", "Fatalities", "Fatalities before", "Change"],
    ]);
    expect(counts.text()).toContain("Compared with 2 Nov 2026 to 8 Nov 2026: ");
    const numbers = cellsOf($, "section:has(> #counts) tbody tr").map((cells) =>
      cells.slice(2).map((text) => Number(text.replace("−", "-"))),
    );
    const changes = numbers.map(([now = 0, before = 0, change]) => {
      expect(change).toBe(now - before);
      return Math.abs(change ?? 0);
    });
    expect(Math.max(...changes)).toBeGreaterThan(0);
    expect(changes).toEqual([...changes].sort((a, b) => b - a));
    expect(counts.find("[name=compare]").val()).toBe("before");
  });

  test("a period that begins before the first held row is not compared", async () => {
    const { heldFrom } = await bed.app.json<{ heldFrom: number }>(events);
    const day = new Date(heldFrom).toISOString().slice(0, 10);
    const $ = await page(`/data/conflict-events?start=${day}&end=${day}&by=country&compare=before`);
    const text = $("section:has(> #counts)").text();
    expect(text).toContain(`: rows are held from ${dayText(heldFrom)} to `);
    expect(cellsOf($, "section:has(> #counts) thead tr")[0]).not.toContain("Change");
  });

  test("a period that ends now is compared with as many days, of which the last is rounded", async () => {
    const path = "/data/internet-outages?start=2026-11-10&by=country&compare=before";
    for (const [time, first] of [
      ["00:30", "2 Nov"],
      ["21:00", "1 Nov"],
    ] as const) {
      bed.app.setTime(new Date(`2026-11-18T${time}:00Z`));
      const text = (await page(path))("section:has(> #counts)").text();
      expect(text, time).toContain(`Compared with ${first} 2026 to 9 Nov 2026: `);
    }
    bed.app.setTime(testTime);
  });

  test.each([
    ["days of both periods", "conflict-events?start=2026-11-09&end=2026-11-15&by=day", "only whole days are"],
    ["parts of days", "conflict-events?start=2026-11-09T06:00:00Z&end=2026-11-15&by=type", "only whole days are"],
    [
      "rows of which only current ones are held",
      "global-tenders?by=country",
      "Not compared: only current rows are held.",
    ],
  ])("%s are not compared", async (_title, path, reason) => {
    const $ = await page(`/data/${path}&compare=before`);
    expect($("section:has(> #counts)").text()).toContain(reason);
    expect(cellsOf($, "section:has(> #counts) thead tr")[0]).not.toContain("Change");
  });

  test("a count without rows keeps its form", async () => {
    const $ = await page("/data/conflict-events?country=PN&by=type");
    expect($("form[action$='#counts']")).toHaveLength(1);
  });

  test("a dimension that the rows do not have is rejected with the reason", async () => {
    const $ = await page("/data/global-tenders?by=actor");
    const counts = $("section:has(> #counts)");
    expect(counts.find(".nothing").text()).toContain("actor is not a dimension of these rows");
    expect(counts.find(".state").text()).toBe("Wrong request");
    expect(counts.find(".provenance a[href*=format]")).toHaveLength(0);
  });

  test("a group is a link only if the read has a parameter for it", async () => {
    const $ = await page("/data/global-tenders");
    expect($(".groups a").first().attr("href")).toMatch(/^\/data\/global-tenders\?country=[A-Z]{2}$/);
    expect($(".groups > div:contains('Rows by type') a")).toHaveLength(0);
  });

  test("rows of sources that are called for each request have no counts", async () => {
    expect((await page("/data/sec-tickers"))("#counts")).toHaveLength(0);
  });

  test("an invalid filter is not shown as current data, and has no files", async () => {
    const $ = await page("/data/conflict-events?country=XX");
    expect(
      $(".lead .state")
        .toArray()
        .map((each) => $(each).text()),
    ).toEqual(["Last read: OK", "Rows: wrong request"]);
    expect($("section:has(> #rows) .state").text()).toBe("Wrong request");
    expect($("#downloads, #counts, #map")).toHaveLength(0);
    expect($("section:has(> #rows) a[href*=format]")).toHaveLength(0);
  });
});

test("a wide table names equal values once and dims what repeats the row above", async () => {
  const $ = await page("/data/resilience-scores?op=GetResilienceScoreExplanation&country_code=NO");
  const rows = $("section:has(> #rows)");
  expect(rows.find(".facts-list").first().text()).toMatch(/Country.*Norway/);
  expect(rows.find("thead").text()).not.toContain("Computed at");
  const repeated = rows.find("tbody tr").eq(1).find("td");
  expect(repeated.first().attr("class")).toContain("again");
  expect(repeated.first().text()).toBe(rows.find("tbody tr").eq(0).find("td").first().text());
  expect(rows.find("tbody tr").eq(0).find(".again")).toHaveLength(0);
  expect(rows.find("td[data-label=Inputs]").first().text()).toMatch(/^govRevenue \S+ \d{4};/);
});
