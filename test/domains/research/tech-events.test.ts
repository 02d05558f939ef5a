import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { responding } from "../../support/responding.ts";

const path = "/api/research/v1/list-tech-events";
const dayMs = 86_400_000;
const today = testTime.toISOString().slice(0, 10);
const dayIn = (days: number) => new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10);

interface Body {
  readonly success: boolean;
  readonly count: number;
  readonly conferenceCount: number;
  readonly mappableCount: number;
  readonly lastUpdated: string;
  readonly events: readonly Event[];
  readonly error: string;
}

interface Event {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly location: string;
  readonly coords?: { readonly lat: number; readonly lng: number; readonly country: string; readonly virtual: boolean };
  readonly startDate: string;
  readonly endDate: string;
  readonly source: string;
}

const mappable = ({ coords }: Event) => coords !== undefined && !coords.virtual;

describeEachDatabase("ListTechEvents", (openFresh) => {
  let app: TestApp;
  let all: readonly Event[];
  const list = (query: string) => app.json<Body>(`${path}?${query}`);
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("before the first refresh the response is not a success, gives the reason, is not cached, and has no time of data", async () => {
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.json()).toEqual({
      ...{ success: false, count: 0, conferenceCount: 0, mappableCount: 0, lastUpdated: "", events: [] },
      error: "No event feed has been read yet",
    });
  });

  test("after a refresh upcoming events are returned, soonest first, labeled as samples, as old as the data", async () => {
    await app.refresh("tech-events");
    app.setTime(new Date(testTime.getTime() + 3_600_000));
    const response = await app.get(`${path}?limit=200&days=365`);
    expect(response.headers.get("x-data-origin")).toBe("sample");
    expect(response.headers.get("cache-control")).not.toContain("no-store");
    const body = (await response.json()) as Body;
    all = body.events;
    expect(body).toMatchObject({ success: true, error: "", lastUpdated: testTime.toISOString(), count: all.length });
    expect(all.length).toBeGreaterThan(100);
    expect(all.map(({ startDate }) => startDate)).toEqual(all.map(({ startDate }) => startDate).toSorted());
    expect(new Set(all.map(({ source }) => source))).toEqual(new Set(["techmeme", "dev.events", "curated"]));
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(["conference", "earnings", "ipo", "other"]));
  });

  test("past events are left out, and events that began before and include today are returned", () => {
    expect(all.filter(({ endDate }) => endDate < today)).toEqual([]);
    expect(all.filter(({ startDate }) => startDate < today).map(({ title }) => title)).toContain("SC26");
  });

  test("an event of two sources appears once, in the words of the first", () => {
    for (const title of ["Ledger & Code", "Rust on the Rhine", "Great Lakes DevOps"])
      expect(all.filter((event) => event.title === title).map(({ source }) => source)).toEqual(["techmeme"]);
  });

  test("without parameters there are 50 of the next 90 days, whatever their type", async () => {
    const body = await app.json<Body>(path);
    expect(body.events).toEqual(all.filter(({ startDate }) => startDate <= dayIn(90)).slice(0, 50));
    expect(body.count).toBe(50);
    expect(await list("limit=50&days=90&type=all&mappable=false")).toEqual(body);
    expect(await list("limit=&days=&type=&mappable=")).toEqual(body);
  });

  test.each([
    ["0", 1],
    ["1", 1],
    ["7", 7],
    ["-5", 1],
    ["-99999999999999999999", 1],
    ["201", 200],
    ["99999999999999999999", 200],
    ["2147483648", 200],
  ])("a limit of %s is pulled to %i", async (limit, max) => {
    const { events } = await list(`days=365&limit=${limit}`);
    expect(events).toEqual(all.slice(0, max));
  });

  test.each([
    ["0", 1],
    ["1", 1],
    ["-1", 1],
    ["30", 30],
    ["366", 365],
    ["99999999999999999999", 365],
  ])("a horizon of %s days is pulled to %i", async (days, horizon) => {
    const { events } = await list(`limit=200&days=${days}`);
    expect(events).toEqual(all.filter(({ startDate }) => startDate <= dayIn(horizon)));
  });

  test.each(["conference", "earnings", "ipo", "other", "CONFERENCE", " ipo "])(
    "of type %j there are exactly those, counted as what they are",
    async (type) => {
      const own = all.filter((event) => event.type === type.trim().toLowerCase());
      const body = await list(`limit=200&days=365&type=${encodeURIComponent(type)}`);
      expect(own.length).toBeGreaterThan(2);
      expect(body).toMatchObject({
        ...{ events: own, count: own.length, mappableCount: own.filter(mappable).length },
        conferenceCount: own.filter((event) => event.type === "conference").length,
      });
    },
  );

  test("on the map are those with coordinates that are not virtual, and the filters come before the limit", async () => {
    const onMap = all.filter(mappable);
    expect(onMap.length).toBeLessThan(all.length);
    expect((await list("limit=200&days=365&mappable=true")).events).toEqual(onMap);
    expect((await list("limit=3&days=365&mappable=1&type=conference")).events).toEqual(onMap.slice(0, 3));
    expect(all.filter(({ coords }) => coords?.virtual).length).toBeGreaterThan(2);
    expect(all.find(({ location }) => location === "Cologne")?.coords).toMatchObject({ country: "DE", virtual: false });
  });

  test("filters that match nothing are a success without events that may be kept: there is data", async () => {
    const response = await app.get(`${path}?type=earnings&mappable=true`);
    expect(response.headers.get("cache-control")).not.toContain("no-store");
    expect(await response.json()).toEqual({
      ...{ success: true, count: 0, conferenceCount: 0, mappableCount: 0, events: [], error: "" },
      lastUpdated: testTime.toISOString(),
    });
  });

  test.each([
    ["type=meetup", "type"],
    ["type=conference,ipo", "type"],
    ["type=conference'--", "type"],
    ["mappable=yes", "mappable"],
    ["mappable=2", "mappable"],
    ["mappable=TRUE", "mappable"],
    ["limit=ten", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1e2", "limit"],
    ["days=soon", "days"],
    ["days=0x10", "days"],
    ["days=7%0d%0aX-A:b", "days"],
    ["days=NaN", "days"],
    ["days=30;drop%20table%20snapshot", "days"],
  ])("%s is refused with the parameter's name", async (query, field) => {
    expect(await app.rejected(`${path}?${query}`)).toEqual([field]);
  });

  test("all violations are reported at once, and the error for a type names the allowed ones", async () => {
    expect(await app.rejected(`${path}?mappable=x&limit=x&days=x`)).toEqual(["mappable", "limit", "days"]);
    expect(await (await app.get(`${path}?type=meetup`)).text()).toMatch(/conference.*earnings.*ipo/);
  });

  test("once the feeds were not read for long there is no success, and still the time of the data", async () => {
    await using late = await startApp(await openFresh());
    await late.refresh("tech-events");
    late.setTime(new Date(testTime.getTime() + 800 * dayMs));
    const response = await late.get(path);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      ...{ success: false, count: 0, events: [], lastUpdated: testTime.toISOString() },
      error: "The event feeds were not read recently",
    });
  });
});

describeEachDatabase("ListTechEvents, live", (openFresh) => {
  const feed = (...events: readonly string[]) =>
    ["BEGIN:VCALENDAR", "VERSION:2.0", ...events, "END:VCALENDAR"].join("\r\n");
  const gartner = (uid: string, place: string) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:Example Security & Risk Management Summit ${place}\r\nLOCATION:${place}\r\nDTSTART;VALUE=DATE:20261120\r\nEND:VEVENT`;
  const rss = `<rss><channel>${["London", "Sydney"]
    .map(
      (place) =>
        `<item><title>Example Security &amp; Risk Management Summit ${place}</title><guid>${place}</guid><description>It is happening on Nov 20, 2026 in Oslo, Norway. </description></item>`,
    )
    .join("")}</channel></rss>`;
  let responses: Readonly<Record<string, string>> = {};
  const outside = responding(({ host }) => responses[host]);

  test("the built-in list is not enough for data, because no feed was read", async () => {
    await using app = await startApp(await openFresh(), { outside });
    const { sources } = await app.refresh("tech-events");
    expect(sources.map(({ state }) => state)).toEqual(["failed", "failed", "ok"]);
    expect(await app.json<Body>(path)).toMatchObject({
      success: false,
      events: [],
      error: "No event feed has been read yet",
    });
  });

  test("one feed is enough; while it is down its events stay, no newer than they are, and health says so", async () => {
    responses = { "www.techmeme.com": feed(gartner("1", "London"), gartner("2", "Tokyo")) };
    await using app = await startApp(await openFresh(), { outside });
    await app.refresh("tech-events");
    const response = await app.get(path);
    expect(response.headers.get("x-data-origin")).toBeNull();
    const before = (await response.json()) as Body;
    expect(before).toMatchObject({ success: true, lastUpdated: testTime.toISOString() });
    responses = {};
    app.setTime(new Date(testTime.getTime() + 6 * 3_600_000));
    await app.refresh("tech-events");
    expect(await app.json<Body>(path)).toEqual(before);
    expect((await app.condition("tech-events")).sources.map(({ state }) => state)).toEqual(["failed", "failed", "ok"]);
  });

  test("events of one source whose names begin alike are two; the same of another source is none", async () => {
    responses = { "www.techmeme.com": feed(gartner("1", "London"), gartner("2", "Tokyo")), "dev.events": rss };
    await using app = await startApp(await openFresh(), { outside });
    await app.refresh("tech-events");
    const { events } = await app.json<Body>(`${path}?days=5`);
    expect(events.filter(({ title }) => title.startsWith("Example")).map(({ id }) => id)).toEqual(["1", "2"]);
  });

  test("a year in a name makes no other event of it; editions of two years are two", async () => {
    const reported = (uid: string, title: string, day: string) =>
      `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${title}\r\nLOCATION:Oslo\r\nDTSTART;VALUE=DATE:${day}\r\nEND:VEVENT`;
    const item = (title: string, when: string) =>
      `<item><title>${title}</title><guid>dev ${title}</guid><description>It is happening on ${when} in Oslo, Norway. </description></item>`;
    responses = {
      "www.techmeme.com": feed(
        reported("slush", "SLUSH", "20261118"),
        reported("ces", "HYBRID: CES 2027", "20270106"),
        reported("26", "Example Days", "20261120"),
        reported("27", "Example Days 2027", "20271028"),
      ),
      "dev.events": `<rss><channel>${item("2026 Example Days", "Nov 20, 2026")}${item("Example Days", "Oct 28, 2027")}</channel></rss>`,
    };
    await using app = await startApp(await openFresh(), { outside });
    await app.refresh("tech-events");
    const { events } = await app.json<Body>(`${path}?limit=200&days=365`);
    const ids = (name: RegExp) => events.filter(({ title }) => name.test(title)).map(({ id }) => id);
    expect(ids(/slush/i)).toEqual(["slush"]);
    expect(ids(/\bCES\b/)).toEqual(["ces"]);
    expect(ids(/Example Days/)).toEqual(["26", "27"]);
  });
});
