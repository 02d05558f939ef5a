import { expect, test } from "vitest";
import { RiskSignalSchema } from "../../../../gen/es/ids/stored/v1/risk_pb.ts";
import { acledUnrest } from "../../../../src/domains/intelligence/risk/acled-unrest.ts";
import { firms } from "../../../../src/domains/intelligence/risk/firms.ts";
import { ofacSdn } from "../../../../src/domains/intelligence/risk/ofac-sdn.ts";
import { stateAdvisories } from "../../../../src/domains/intelligence/risk/state-advisories.ts";
import { unhcr } from "../../../../src/domains/intelligence/risk/unhcr.ts";
import { usgsEarthquakes } from "../../../../src/domains/intelligence/risk/usgs-earthquakes.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-18T12:00:00Z");

test.each([
  [acledUnrest, 1],
  [firms, 0],
  [usgsEarthquakes, 1],
  [ofacSdn, 3],
  [stateAdvisories, 1],
  [unhcr, 1],
])("the sample yields what it says on any day, all valid ($name)", async (source, rejections) => {
  for (const at of [now, new Date("2027-01-03T00:01:00Z"), new Date("2027-06-30T23:59:00Z")])
    for (const daysBefore of [0, 1]) {
      const upstream = sampleUpstream(source.name, () => at, daysBefore);
      const { rows, rejected } = source.parse(await source.fetch(upstream), upstream.now);
      expect(checkRows(RiskSignalSchema, rows).rejected).toEqual([]);
      expect([rows.length, rejected.length]).toEqual([sampleIndex(source.name)?.rows, rejections]);
    }
});

const event = (members: Record<string, unknown> = {}) => ({
  ...{ event_id_cnty: "FRA1", event_date: "2026-11-10", event_type: "Protests", sub_event_type: "Peaceful protest" },
  ...{ iso: "250", country: "France", fatalities: "0", ...members },
});
const unrest = (...data: unknown[]) => acledUnrest.parse([{ data }], now);
const amounts = (rows: readonly { input?: string; amount?: number }[]) =>
  Object.fromEntries(rows.map(({ input, amount }) => [input, amount]));

test("protests and riots of a country and day are one row, and a duplicate event counts once", () => {
  const events = [
    event(),
    event({ event_id_cnty: "FRA2", event_type: "Riots", sub_event_type: "Mob violence", fatalities: "2" }),
    event({ event_id_cnty: "FRA3", sub_event_type: "Excessive force against protesters" }),
    event({ event_id_cnty: "FRA3", sub_event_type: "Excessive force against protesters", fatalities: "x" }),
  ];
  const { rows, rejected } = unrest(...events);
  expect(rejected).toEqual([]);
  expect(rows.every(({ country, date }) => country === "FR" && date === "2026-11-10")).toBe(true);
  expect(amounts(rows)).toEqual({ protests: 3, protestDeaths: 2, severeProtests: 2 });
});

test.each([
  ["no id", { event_id_cnty: "" }, /event_id_cnty/],
  ["no day", { event_date: "soon" }, /event_date/],
  ["another type", { event_type: "Battles" }, /event_type/],
])("an event with %s is rejected with its reason", (_what, members, reason) => {
  const { rows, rejected } = unrest(event(members));
  expect([rows, rejected]).toEqual([[], [{ row: expect.any(String), reason: expect.stringMatching(reason) }]]);
});

test("an event at sea is kept without a country", () => {
  const { rows, rejected } = unrest(event({ event_id_cnty: "SEA1", iso: 0, country: "Red Sea" }), event());
  expect(rejected).toEqual([]);
  expect(rows.map(({ country, amount }) => [country, amount])).toEqual([
    ["", 1],
    ["FR", 1],
  ]);
  expect(checkRows(RiskSignalSchema, rows).rejected).toEqual([]);
});

const head =
  "latitude,longitude,bright_ti4,scan,track,acq_date,acq_time,satellite,instrument,confidence,version,bright_ti5,frp,daynight";
const fire = (place: string, bright: number, frp: number, time = "2026-11-18,905", confidence = "n") =>
  `${place},${bright},0.4,0.4,${time},N20,VIIRS,${confidence},2.0NRT,290,${frp},D`;
const kyiv = "50.21,30.9";
const burning = (...lines: string[]) => firms.parse([head, ...lines].map((line) => `${line}\n`).join(""), now);

test("fires of the last 24 hours are counted by country, strong ones by brightness or power", () => {
  const { rows, rejected } = burning(
    fire(kyiv, 320, 4),
    fire(kyiv, 360, 4, "2026-11-17,1201"),
    fire(kyiv, 320, 50, "2026-11-18,3"),
    fire(kyiv, 400, 99, "2026-11-17,1200"),
    fire(kyiv, 400, 99, "2026-11-18,1201"),
    fire(kyiv, 400, 99, "2026-11-18,905", "l"),
    fire("-40,-20", 400, 99),
  );
  expect([rows, rejected]).toEqual([
    [
      { country: "UA", input: "fires", date: "2026-11-18", amount: 3 },
      { country: "UA", input: "strongFires", date: "2026-11-18", amount: 2 },
    ],
    [],
  ]);
});

test.each([
  ["a latitude beyond the pole", fire("91,0", 320, 4), /latitude/],
  ["no brightness", fire(kyiv, Number.NaN, 4), /bright_ti4/],
  ["no day", fire(kyiv, 320, 4, "2026-02-30,905"), /acq_date/],
  ["no time", fire(kyiv, 320, 4, "2026-11-18,2590"), /acq_time/],
  ["too few cells", kyiv, /bright_ti4/],
])("a detection with %s is rejected with its line", (_what, line, reason) => {
  const { rows, rejected } = burning(fire(kyiv, 320, 4), line);
  expect([rows.length, rejected]).toEqual([1, [{ row: "line 3", reason: expect.stringMatching(reason) }]]);
});

test("columns are found by their names", () => {
  const text =
    "country_id,acq_time,acq_date,confidence,frp,bright_ti4,longitude,latitude\nUKR,905,2026-11-18,n,4,320,30.9,50.21";
  expect(firms.parse(text, now).rows).toHaveLength(1);
});

const quake = (members: Record<string, unknown> = {}, coordinates: unknown[] = [139.7, 36.2, 10]) => ({
  id: "us1",
  properties: { mag: 6.6, place: "3 km S of Koga, Japan", time: now.getTime() - 1, type: "earthquake", ...members },
  geometry: { coordinates },
});
const shaking = (...features: unknown[]) =>
  usgsEarthquakes.parse({ metadata: { count: features.length }, features }, now);

test.each([
  ["on land", quake(), "JP", "majorQuakes"],
  ["7.5", quake({ mag: 7.5 }), "JP", "greatQuakes"],
  ["7.4", quake({ mag: 7.4 }), "JP", "majorQuakes"],
  ["5.5", quake({ mag: 5.5 }), "JP", "strongQuakes"],
  ["20 km off a coast", quake({}, [141.8, 40.4, 10]), "JP", "majorQuakes"],
])("a quake %s counts for its country and magnitude", (_what, feature, country, input) => {
  expect(shaking(feature)).toEqual({ rows: [{ country, input, date: "2026-11-18", amount: 1 }], rejected: [] });
});

test.each([
  ["5.4", quake({ mag: 5.4 })],
  ["210 km off a coast", quake({ place: "210 km E of Hachinohe, Japan" }, [145, 40.2, 10])],
  ["in waters that a country claims", quake({}, [-100.6, -35.3, 10])],
  ["in the open sea", quake({ place: "central Mid-Atlantic Ridge" }, [-28, 1, 10])],
  ["which is an explosion", quake({ type: "mining explosion" })],
])("a quake of %s has neither a row nor a rejection", (_what, feature) => {
  expect(shaking(feature)).toEqual({ rows: [], rejected: [] });
});

test.each([
  ["magnitude", quake({ mag: null }), /mag/],
  ["time", quake({ time: "now" }), /time/],
  ["place on earth", quake({}, [200, 0]), /coordinates/],
])("a quake without %s is rejected by its id", (_what, feature, reason) => {
  expect(shaking(feature, quake()).rejected).toEqual([{ row: "us1", reason: expect.stringMatching(reason) }]);
});

const advised = (...titles: string[]) => {
  const items = titles.map((title) => `<item><title>${title}</title><pubDate>Tue, 10 Nov 2026</pubDate></item>`);
  return stateAdvisories.parse(`<rss version="2.0"><channel>${items.join("")}</channel></rss>`, now);
};

test.each([
  ["Yemen - Level 4: Do Not Travel", ["YE"], 4],
  ["Mexico Travel Advisory - Level 2: Exercise Increased Caution", ["MX"], 2],
  ["Burma (Myanmar) – Level 4: Do Not Travel", ["MM"], 4],
  ["Israel, the West Bank and Gaza - Level 3: Reconsider Travel", ["IL", "PS"], 3],
  ["Mainland China, Hong Kong &amp; Macau - Level 2: Exercise Increased Caution", ["CN", "HK", "MO"], 2],
  ["Bosnia and Herzegovina - Level 2: Exercise Increased Caution", ["BA"], 2],
  ["Trinidad &amp; Tobago - Level 3: Reconsider Travel", ["TT"], 3],
  ["Guinea-Bissau - Level 3: Reconsider Travel", ["GW"], 3],
])("%s", (title, countries, amount) => {
  const input = "advisoryLevel";
  const rows = countries.map((country) => ({ country, input, amount, date: "2026-11-10" }));
  expect(advised(title)).toEqual({ rows, rejected: [] });
});

test("an advisory for an unknown country is rejected, and a worldwide one is skipped", () => {
  expect(advised("Worldwide Caution", "Atlantis - Level 1: Exercise", "France - Level 5: Invented")).toEqual({
    rows: [],
    rejected: [
      { row: "Atlantis - Level 1: Exercise", reason: "Atlantis is not a country" },
      { row: "France - Level 5: Invented", reason: "names no level" },
    ],
  });
});

const listed = (Title: string, Updated = "2026-11-10T19:00:00-05:00") => ({
  ...{ Title, Link: "https://travel.state.gov/en/example.html", Category: ["XX"], Summary: "<p>Text.</p>", id: "x" },
  ...{ Published: "2026-01-02T19:00:00-05:00", Updated },
});
const guarded = (feed: string | UpstreamError, list: unknown) => ({
  ...sampleUpstream("none", () => now),
  text: async () => (feed instanceof UpstreamError ? Promise.reject(feed) : feed),
  json: async () => (list instanceof UpstreamError ? Promise.reject(list) : list),
});
const turnedAway = new UpstreamError("travel.state.gov answered 403", { status: 403 });

test.each([
  ["turned away", turnedAway],
  ["answered with a page that asks for a person", "<html>Checking your browser</html>"],
  ["answered without items", '<rss version="2.0"><channel></channel></rss>'],
])("where the feed is %s, the department's list of data is read", async (_what, feed) => {
  const list = [
    listed("Yemen - Level 4: Do Not Travel"),
    listed("Israel, the West Bank and Gaza - Level 3: Reconsider Travel"),
  ];
  const { rows, rejected } = stateAdvisories.parse(
    await stateAdvisories.fetch(guarded(feed, [...list, { Title: 3 }])),
    now,
  );
  expect(rows.map(({ country, amount, date }) => [country, amount, date])).toEqual([
    ["YE", 4, "2026-11-10"],
    ["IL", 3, "2026-11-10"],
    ["PS", 3, "2026-11-10"],
  ]);
  expect(rejected).toEqual([{ row: "", reason: "names no level" }]);
});

test.each([
  ["empty", []],
  ["something else", { message: "no" }],
  ["turned away as well", turnedAway],
])("if that list is %s, the feed's own rejection is reported", async (_what, list) => {
  await expect(stateAdvisories.fetch(guarded(turnedAway, list))).rejects.toBe(turnedAway);
});

test("an advisory dated to come, or not at all, is of today, and one with an unreadable date is rejected", () => {
  const item = (date: string) => `<item><title>Peru - Level 2: Care</title><pubDate>${date}</pubDate></item>`;
  const feed = `<rss><channel>${["Fri, 20 Nov 2026 12:00:00 EST", "", "soon"].map(item).join("")}</channel></rss>`;
  const { rows, rejected } = stateAdvisories.parse(feed, now);
  expect(rows.map(({ date }) => date)).toEqual(Array(2).fill("2026-11-18"));
  expect(rejected).toEqual([{ row: "Peru - Level 2: Care", reason: "has no day: soon" }]);
});

const displaced = (...items: unknown[]) => unhcr.parse([{ maxPages: 1, items }], now);

test("refugees, asylum-seekers, internally displaced and others in need are summed by origin", () => {
  const { rows, rejected } = displaced(
    { year: 2025, coo_iso: "UKR", refugees: "4000000", asylum_seekers: 10, idps: 0, oip: "-", stateless: 99 },
    { year: "2025", coo_iso: "UKR", refugees: 5, idps: "2000000" },
    { year: 2025, coo_iso: "-", refugees: 7 },
    { year: 2025, coo_iso: "DEU", refugees: 0 },
    { year: 2025, coo_iso: "IRQ", refugees: "many" },
  );
  expect(rows).toEqual([{ country: "UA", input: "displaced", date: "2025-12-31", amount: 6_000_015 }]);
  expect(rejected).toEqual([{ row: "#4", reason: expect.stringContaining("refugees") }]);
});

test("the current year counts up to today", () => {
  expect(displaced({ year: 2026, coo_iso: "UKR", refugees: 3 }).rows[0]?.date).toBe("2026-11-18");
});

test("the newest year with rows is asked for, all its pages", async () => {
  const requested: string[] = [];
  const json = async ({ url }: { readonly url: string }) => {
    const { searchParams } = new URL(url);
    requested.push(`${searchParams.get("year")} ${searchParams.get("page")}`);
    const items = searchParams.get("year") === "2025" ? [{ year: 2025, coo_iso: "UKR", refugees: 1 }] : [];
    return { maxPages: items.length === 0 ? 0 : 3, items };
  };
  const upstream = { ...sampleUpstream("unhcr", () => now), now, json };
  expect(unhcr.parse(await unhcr.fetch(upstream), now).rows[0]?.amount).toBe(3);
  expect(requested).toEqual(["2026 1", "2025 1", "2025 2", "2025 3"]);
});

test.each([
  ["ACLED's complaint", () => acledUnrest.parse([{ status: 403, message: "no access" }], now)],
  ["FIRMS's sentence", () => firms.parse("Invalid MAP_KEY.", now)],
  ["HTML of FIRMS", () => firms.parse("<html></html>", now)],
  ["an empty text of FIRMS", () => firms.parse("", now)],
  ["no quakes", () => shaking()],
  ["fewer quakes than declared", () => usgsEarthquakes.parse({ metadata: { count: 2 }, features: [quake()] }, now)],
  ["quakes of another format", () => usgsEarthquakes.parse({ features: [quake()] }, now)],
  ["half a feed", () => stateAdvisories.parse("<rss><channel><item>", now)],
  ["UNHCR without items", () => unhcr.parse([{ maxPages: 1 }], now)],
])("%s is rejected", (_what, parse) => {
  expect(parse).toThrow(UpstreamError);
});

test("a sentence of FIRMS is a rejection, and an empty text is not", () => {
  const thrown = (text: string) => {
    try {
      return firms.parse(text, now);
    } catch (error) {
      return error;
    }
  };
  expect([thrown("Invalid MAP_KEY."), thrown("\n")]).toMatchObject([{ status: 400 }, { status: undefined }]);
});
