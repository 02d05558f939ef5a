import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase, openOnce } from "../../support/databases.ts";
import { kmBetween } from "../../support/distance.ts";

const list = "/api/conflict/v1/list-conflict-events";
const count = "/api/conflict/v1/count-conflict-events";
const dayMs = 86_400_000;
// The samples move by whole weeks: their newest day may lie up to six days back.
const sixtyDays = `start=${testTime.getTime() - 66 * dayMs}`;

interface Body {
  readonly events: readonly Event[];
  readonly pagination: { readonly totalCount: number };
  readonly nextAfter: string;
}

interface Event {
  readonly id: string;
  readonly eventType: string;
  readonly country: string;
  readonly admin1: string;
  readonly admin1Code: string;
  readonly location: { readonly latitude: number; readonly longitude: number };
  readonly occurredAt: number;
  readonly fatalities: number;
  readonly actors: readonly string[];
}

interface Counts {
  readonly counts: readonly Readonly<Record<"country" | "eventType" | "day", string> & Record<Figure, number>>[];
  readonly totalEvents: number;
  readonly totalFatalities: number;
}

type Figure = "events" | "fatalities";

const filters: readonly [query: string, matches: (event: Event) => boolean][] = [
  ["event_type=battles", ({ eventType }) => eventType === "Battles"],
  ["event_type=BATTLES,%20One-sided%20violence", ({ eventType }) => /^(Battles|One-sided violence)$/.test(eventType)],
  ["min_fatalities=5", ({ fatalities }) => fatalities >= 5],
  ["actor=FRONT", ({ actors }) => actors.some((actor) => actor.toLowerCase().includes("front"))],
  [
    "ne_lat=20&ne_lon=45&sw_lat=-5&sw_lon=20",
    ({ location: { latitude, longitude } }) => latitude >= -5 && latitude <= 20 && longitude >= 20 && longitude <= 45,
  ],
  ["ne_lat=90&ne_lon=-60&sw_lat=-90&sw_lon=60", ({ location: { longitude } }) => longitude >= 60 || longitude <= -60],
  ["countries=Sudan,mm", ({ country }) => country === "SD" || country === "MM"],
  ["country=SD&countries=UA&countries=SD", ({ country }) => country === "SD" || country === "UA"],
  ["countries=SD,UA&admin1=north%20darfur", ({ admin1 }) => admin1 === "North Darfur"],
  ["admin1=sd:singa%20region", ({ admin1Code }) => admin1Code === "SD:Singa region"],
  ["near=13.6,25.3&within_km=700", ({ location }) => kmBetween(location, { latitude: 13.6, longitude: 25.3 }) <= 700],
  ["country=sd&min_fatalities=1", ({ country, fatalities }) => country === "SD" && fatalities >= 1],
];

describeEachDatabase("Conflict events", (openFresh) => {
  let app: TestApp;
  let all: readonly Event[];
  beforeAll(async () => {
    app = await startApp(await openFresh());
    await app.refresh("conflict-events");
    all = (await app.json<Body>(`${list}?${sixtyDays}`)).events;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("with an id are one event, even if it is older than the default window, and only in the box that is sent", async () => {
    for (const event of [all[0], all.at(-1)]) {
      const { id = "", location } = event ?? {};
      const found = await app.json<Body>(`${list}?id=${encodeURIComponent(id)}`);
      expect([found.events, found.pagination.totalCount]).toEqual([[event], 1]);
      const away = (location?.latitude ?? 0) > 0 ? "ne_lat=-80&sw_lat=-90" : "ne_lat=90&sw_lat=80";
      const query = `${list}?id=${encodeURIComponent(id)}&${away}&ne_lon=180&sw_lon=-180`;
      expect((await app.json<Body>(query)).events).toEqual([]);
    }
    expect((await app.json<Body>(`${list}?id=none`)).events).toEqual([]);
    expect(await app.rejected(`${list}?id=${"a".repeat(201)}`)).toEqual(["id"]);
  });

  test("are found by another name of their first-level area if the country is named too", async () => {
    const coded = all.find(({ admin1Code }) => /^[A-Z]{2}-/.test(admin1Code));
    if (!coded) throw new Error("No event has an ISO code of its area");
    const { places } = await app.json<{ places: { admin1Name: string }[] }>(
      `/api/infrastructure/v1/resolve-place?place=${coded.admin1Code}`,
    );
    const name = encodeURIComponent((places[0]?.admin1Name ?? "").toUpperCase());
    const ofArea = all.filter(({ admin1Code }) => admin1Code === coded.admin1Code);
    const { events } = await app.json<Body>(`${list}?${sixtyDays}&country=${coded.country}&admin1=${name}`);
    expect(events).toEqual(ofArea);
    expect(await app.rejected(`${list}?admin1=${"a".repeat(101)}`)).toEqual(["admin1"]);
    expect(await app.rejected(`${list}?countries=${"SD,".repeat(51)}SD`)).toEqual(["countries"]);
  });

  test.each([
    ["El Fasher, Sudan", "", 100],
    ["bab_el_mandeb", "&within_km=900", 900],
    ["Strait of Hormuz", "&within_km=1000", 1_000],
    ["tripoli, lebanon", "&within_km=500", 500],
  ])("near %s are those within the distance of the center that the response names", async (near, more, km) => {
    const query = `${list}?${sixtyDays}&near=${encodeURIComponent(near)}${more}`;
    const { events, center } = await app.json<Body & { center: Event["location"] }>(query);
    expect(events).toEqual(all.filter(({ location }) => kmBetween(location, center) <= km));
    const { totalEvents } = await app.json<Counts>(query.replace(list, count));
    expect(totalEvents).toBe(events.length);
  });

  test("near a place that is unknown or a country, or within a distance of nothing, are rejected", async () => {
    for (const near of ["Nowhereville", "Taiwan", "91,0", "0,181", "<b>", "%00", "x".repeat(101)])
      expect(await app.rejected(`${list}?near=${encodeURIComponent(near)}`)).toEqual(["near"]);
    for (const km of ["-1", "1001", "x"])
      expect(await app.rejected(`${list}?near=1,1&within_km=${km}`)).toEqual(["within_km"]);
    expect(await app.rejected(`${count}?within_km=5`)).toEqual(["within_km"]);
  });

  test.each(filters)("with %s are those of all that match, and are counted so", async (query, matches) => {
    const expected = all.filter(matches);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(all.length);
    const { events, pagination } = await app.json<Body>(`${list}?${sixtyDays}&${query}`);
    expect(events).toEqual(expected);
    expect(pagination.totalCount).toBe(expected.length);
    const counts = await app.json<Counts>(`${count}?${sixtyDays}&${query}`);
    expect(counts.totalEvents).toBe(expected.length);
    expect(counts.totalFatalities).toBe(expected.reduce((sum, { fatalities }) => sum + fatalities, 0));
  });

  test.each([
    ["newest", (a: Event, b: Event) => b.occurredAt - a.occurredAt],
    ["oldest", (a: Event, b: Event) => a.occurredAt - b.occurredAt],
    ["fatalities", (a: Event, b: Event) => b.fatalities - a.fatalities || b.occurredAt - a.occurredAt],
  ])("pages in the order %s hold each event once, and the last one has no cursor", async (sort, compare) => {
    const expected = [...all].sort((a, b) => compare(a, b) || (a.id < b.id ? -1 : 1));
    for (const filter of ["", "&min_fatalities=1"]) {
      const walked: Event[] = [];
      let after = "";
      let pages = 0;
      do {
        const page = await app.json<Body>(
          `${list}?${sixtyDays}${filter}&sort=${sort}&limit=300${after && `&after=${after}`}`,
        );
        walked.push(...page.events);
        after = page.nextAfter;
        pages += 1;
        expect(page.events.length === 300 || after === "").toBe(true);
      } while (after !== "");
      expect(pages).toBeGreaterThan(2);
      expect(walked).toEqual(filter === "" ? expected : expected.filter(({ fatalities }) => fatalities >= 1));
    }
  });

  test("a limit is clamped, and the count is of all pages", async () => {
    const { events, pagination, nextAfter } = await app.json<Body>(`${list}?${sixtyDays}&limit=7`);
    expect(events).toEqual(all.slice(0, 7));
    expect(pagination.totalCount).toBe(all.length);
    expect(nextAfter).not.toBe("");
    expect((await app.json<Body>(`${list}?${sixtyDays}&limit=99999`)).events).toEqual(all);
    for (const below of [0, -1, -3])
      expect((await app.json<Body>(`${list}?${sixtyDays}&limit=${below}`)).events).toEqual(all);
  });

  test("a cursor that is none, or of other filters or another order or window, is refused by its name", async () => {
    const { nextAfter } = await app.json<Body>(`${list}?${sixtyDays}&limit=5`);
    for (const query of [
      "after=garbage",
      `${sixtyDays}&after=${nextAfter}&country=SD`,
      `${sixtyDays}&after=${nextAfter}&sort=oldest`,
      `after=${nextAfter}`,
      `${sixtyDays}&after=${nextAfter}x`,
    ])
      expect(await app.rejected(`${list}?${query}`)).toEqual(["after"]);
  });

  test("a walk over the default window continues after midnight, and its cursor expires after a day", async () => {
    const { nextAfter, events } = await app.json<Body>(`${list}?limit=5`);
    const whole = (await app.json<Body>(list)).events;
    app.setTime(new Date(testTime.getTime() + 14 * 3_600_000));
    const next = await app.json<Body>(`${list}?limit=5000&after=${nextAfter}`);
    expect([...events, ...next.events]).toEqual(whole);
    app.setTime(new Date(testTime.getTime() + 25 * 3_600_000));
    expect(await app.rejected(`${list}?limit=5000&after=${nextAfter}`)).toEqual(["after"]);
    app.setTime(testTime);
  });

  test("a page that is asked for again after its time in caches has the same tag while its data are the same", async () => {
    const tagAt = async (minutes: number) => {
      app.setTime(new Date(testTime.getTime() + minutes * 60_000));
      return (await app.get(`${list}?${sixtyDays}&limit=9`)).headers.get("ETag");
    };
    const first = await tagAt(1);
    expect([await tagAt(20), await tagAt(45)]).toEqual([first, first]);
    app.setTime(testTime);
  });

  test.each([
    ["country", "country"],
    ["type", "eventType"],
    ["day", "day"],
  ] as const)("counts by %s are those of the list's events", async (group, member) => {
    const { counts, totalEvents, totalFatalities } = await app.json<Counts>(`${count}?${sixtyDays}&group_by=${group}`);
    const groupOf = (event: Event) =>
      member === "day" ? new Date(event.occurredAt).toISOString().slice(0, 10) : event[member];
    const expected = new Map(
      [...Map.groupBy(all, groupOf)].map(([name, events]) => [
        name,
        [events.length, events.reduce((sum, { fatalities }) => sum + fatalities, 0)],
      ]),
    );
    expect(new Map(counts.map((each) => [each[member], [each.events, each.fatalities]]))).toEqual(expected);
    expect(totalEvents).toBe(all.length);
    expect(totalFatalities).toBe(all.reduce((sum, { fatalities }) => sum + fatalities, 0));
    const order = counts.map((each) => (member === "day" ? each.day : each.events));
    expect(order).toEqual([...order].sort((a, b) => (a > b ? -1 : 1)));
  });

  test("without a match there is no group, and totals of 0 have a reason if they are unknown", async () => {
    const nothing = { counts: [], totalEvents: 0, totalFatalities: 0 };
    const unknown = { ...nothing, isPartial: true, unavailableReason: "before_held_period" };
    for (const query of ["start=1000&end=2000", "start=2&end=1"])
      expect(await app.json(`${count}?${query}`)).toMatchObject(unknown);
    const measured = { ...nothing, isPartial: false, unavailableReason: "" };
    expect(await app.json(`${count}?actor=nobody-of-that-name&group_by=day`)).toMatchObject(measured);
  });

  test("counting needs no key, and is a table", async () => {
    expect((await app.get(count, { key: null })).status).toBe(200);
    const csv = await (await app.get(`${count}?group_by=country&format=csv`)).text();
    expect(csv.split("\r\n")[0]).toBe("country,eventType,day,events,fatalities");
  });

  test.each([
    ["event_type=riots", ["event_type[0]"]],
    ["min_fatalities=-1", ["min_fatalities"]],
    ["min_fatalities=many", ["min_fatalities"]],
    ["sort=random", ["sort"]],
    ["ne_lat=10", ["ne_lon", "sw_lat", "sw_lon"]],
    ["ne_lat=1&ne_lon=1&sw_lat=2&sw_lon=0", ["sw_lat"]],
    ["ne_lat=91&ne_lon=1&sw_lat=2&sw_lon=0", ["ne_lat"]],
    [`actor=${"x".repeat(101)}`, ["actor"]],
    ["limit=many", ["limit"]],
  ])("%s is refused", async (query, fields) => {
    expect(await app.rejected(`${list}?${query}`)).toEqual(fields);
  });

  test("group_by=moon is refused", async () => {
    expect(await app.rejected(`${count}?group_by=moon`)).toEqual(["group_by"]);
  });
});

test.each([
  [`${list}?updated_after=abc`, ["updated_after"]],
  [`${list}?after=zzz`, ["after"]],
  [`${list}?ne_lat=10&format=csv`, ["ne_lon", "sw_lat", "sw_lon"]],
  [`${count}?ne_lat=10`, ["ne_lon", "sw_lat", "sw_lon"]],
])("%s is refused by its names while nothing is loaded, too", async (path, fields) => {
  const database = await openOnce();
  await using app = await startApp(database);
  expect(await app.rejected(path)).toEqual(fields);
  await database.close();
});
