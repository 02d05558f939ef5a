import { XMLParser } from "fast-xml-parser";
import ICAL from "ical.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../../../src/contract/catalog.ts";
import { lackFor } from "../../../../src/contract/file-format.ts";
import { tablesOf } from "../../../../src/contract/tables.ts";
import { fileRequestReader } from "../../../../src/http/rest/formats/file-request.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";

const events = "/api/conflict/v1/list-conflict-events?country=SD";
const outages = "/api/infrastructure/v1/list-internet-outages";
const tech = "/api/research/v1/list-tech-events";
const tenders = "/api/economic/v1/list-global-tenders";
const counts = "/api/conflict/v1/count-conflict-events?group_by=day";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  for (const dataset of ["conflict-events", "tech-events", "global-tenders", "internet-outages"] as const)
    await app.refresh(dataset);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly link: { readonly href: string };
  readonly updated: string;
  readonly category?: readonly { readonly term: string }[];
  readonly content: string;
}

interface Atom {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly rights: string;
  readonly link: readonly { readonly rel: string; readonly href: string }[];
  readonly updated: string;
  readonly entry: readonly Entry[];
}

const xml = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: "", textNodeName: "text" },
  isArray: (name, path) => name === "entry" || name === "category" || path === "feed.link",
  tagValueProcessor: (_, text) => text,
  parseTagValue: false,
});

async function atomOf(path: string): Promise<Atom> {
  const response = await app.get(`${path}${path.includes("?") ? "&" : "?"}format=atom`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"]);
  const { feed } = xml.parse(await response.text());
  const entry = feed.entry.map((each: { content: { text: string } }) => ({ ...each, content: each.content.text }));
  return { ...feed, entry };
}

async function calendarOf(path: string) {
  const response = await app.get(`${path}${path.includes("?") ? "&" : "?"}format=ics`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/calendar; charset=utf-8"]);
  const text = await response.text();
  expect(text.split("\r\n").filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const described = calendar.getAllSubcomponents("vevent").map((each) => new ICAL.Event(each));
  return { calendar, described };
}

test("an Atom feed has an entry per row, newest first, described by the roles of its columns", async () => {
  const feed = await atomOf(events);
  const { events: rows } = await app.json<{ events: { id: string; eventType: string; occurredAt: number }[] }>(events);
  expect(feed).toMatchObject({
    id: "urn:ids:list-conflict-events:events:country%3DSD",
    title: "Conflict events: country SD",
    subtitle: expect.stringContaining("This is sample data: the values are invented."),
    rights: expect.stringContaining("CC BY 4.0, Uppsala Conflict Data Program"),
  });
  expect(feed.entry.map(({ id }) => id).toSorted()).toEqual(
    rows.map(({ id }) => `urn:ids:list-conflict-events:events:${id}`).toSorted(),
  );
  const times = feed.entry.map(({ updated }) => updated);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(feed.updated).toBe(times[0]);
  const [row] = rows;
  const entry = feed.entry.find(({ id }) => id.endsWith(`:${row?.id}`));
  expect(entry).toMatchObject({
    title: `${row?.eventType}, Sudan`,
    link: { href: `${app.url}/data/conflict-events` },
    updated: new Date(row?.occurredAt ?? 0).toISOString(),
    category: [{ term: "Sudan" }, { term: "acled" }],
  });
  expect(entry?.content).toMatch(/^Occurred at: \d{4}-\d\d-\d\dT\d\d:\d\dZ\nFatalities: \d+\nActors: /);
  expect(entry?.content).not.toMatch(/Latitude|Country:|null|undefined/);
  const links = Object.fromEntries(feed.link.map(({ rel, href }) => [rel, href]));
  expect(links).toEqual({
    self: `${app.url}/api/conflict/v1/list-conflict-events?country=SD&rows=events&format=atom`,
    alternate: `${app.url}/data/conflict-events`,
  });
  expect((await fetch(links.alternate ?? "")).status).toBe(200);
  expect((await atomOf((links.self ?? "").slice(app.url.length).replace("&format=atom", ""))).entry).toEqual(
    feed.entry,
  );
});

test("IDs depend on the read and the key of a row, and never on the page, other filters, or the content", async () => {
  const idsOf = async (path: string) => (await atomOf(path)).entry.map(({ id }) => id);
  const [all, filtered, paged] = await Promise.all([
    idsOf("/api/conflict/v1/list-conflict-events"),
    idsOf(events),
    idsOf(`${events}&limit=3`),
  ]);
  expect(filtered.filter((id) => !all.includes(id))).toEqual([]);
  expect(paged.filter((id) => !filtered.includes(id))).toEqual([]);
  expect((await atomOf(`${events}&limit=3`)).id).toBe((await atomOf(events)).id);
  expect((await atomOf(counts)).entry[0]?.id).toMatch(/^urn:ids:count-conflict-events:counts:::\d{4}-\d\d-\d\d$/);
});

test("a row with a page of its own links to it, and a time in the future is not that of an update", async () => {
  const { entry } = await atomOf(tech);
  const { events: rows } = await app.json<{ events: { id: string; url: string; startDate: string }[] }>(tech);
  for (const { id, url, startDate } of rows) {
    const own = entry.find((each) => each.id === `urn:ids:list-tech-events:events:${encodeURIComponent(id)}`);
    expect(own?.link.href).toBe(url || `${app.url}/data/tech-events`);
    const isPast = Date.parse(startDate) <= testTime.getTime();
    expect(own?.updated).toBe(isPast ? `${startDate}T00:00:00.000Z` : testTime.toISOString());
  }
});

test("a value has its unit, also that of another column, and codes are words", async () => {
  const { tenders: rows } = await app.json<{ tenders: { money?: { amount?: number; currency?: string } }[] }>(
    `${tenders}?page_size=100`,
  );
  const texts = (await atomOf(`${tenders}?page_size=100`)).entry.map(({ content }) => content).join("\n");
  const priced = rows.find(({ money }) => money?.amount && money.currency)?.money;
  expect(texts).toContain(`Amount: ${priced?.amount} ${priced?.currency}`);
  const outage = (await atomOf(outages)).entry.find(({ content }) => content.includes("Cause:"));
  expect(outage?.content).toMatch(/Severity: [A-Z][a-z]+\n.*Cause: [A-Z][a-z ]+\n/s);
  expect(outage?.category?.map(({ term }) => term)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^[A-Z][a-z]/)]),
  );
});

test("a JSON Feed has the same entries", async () => {
  const response = await app.get(`${events}&format=jsonfeed`);
  expect(response.headers.get("content-type")).toBe("application/feed+json");
  const feed = (await response.json()) as Record<string, unknown> & { items: Record<string, unknown>[] };
  const atom = await atomOf(events);
  expect(feed).toMatchObject({
    version: "https://jsonfeed.org/version/1.1",
    title: atom.title,
    home_page_url: `${app.url}/data/conflict-events`,
    feed_url: `${app.url}/api/conflict/v1/list-conflict-events?country=SD&rows=events&format=jsonfeed`,
    description: atom.subtitle,
    _ids: { origin: "sample", attribution: atom.rights, about: expect.stringMatching(/^http/) },
  });
  expect(feed.items).toEqual(
    atom.entry.map(({ id, title, link, updated, category, content }) => ({
      ...{ id, title, url: link.href, content_text: content, date_published: updated },
      tags: category?.map(({ term }) => term),
    })),
  );
});

test("a calendar has the days and spans of the rows, with the last day of a span included", async () => {
  const { calendar, described } = await calendarOf(tech);
  expect([calendar.getFirstPropertyValue("version"), calendar.getFirstPropertyValue("name")]).toEqual([
    "2.0",
    "Tech events",
  ]);
  const { events: rows } = await app.json<{
    events: { id: string; title: string; startDate: string; endDate: string }[];
  }>(tech);
  expect(described.length).toBe(rows.length);
  for (const { id, title, startDate, endDate } of rows) {
    const own = described.find(({ uid }) => uid === `urn:ids:list-tech-events:events:${encodeURIComponent(id)}`);
    const after = new Date(Date.parse(endDate) + 86_400_000).toISOString().slice(0, 10);
    expect([String(own?.startDate), String(own?.endDate), own?.startDate.isDate]).toEqual([startDate, after, true]);
    expect(own?.summary.startsWith(title)).toBe(true);
  }
  expect(described.some(({ component }) => component.hasProperty("geo"))).toBe(true);
});

test("a calendar of tenders has their deadlines, and one of outages their time from start to end", async () => {
  const { tenders: rows } = await app.json<{ tenders: { id: string; deadline: string }[] }>(tenders);
  const { described } = await calendarOf(tenders);
  const starts = new Map(described.map(({ uid, startDate }) => [uid, startDate.toJSDate().toISOString()]));
  const second = (time: string) => time.replace(/\.\d+Z$/, ".000Z");
  expect(rows.map(({ id, deadline }) => [id, second(deadline)])).toEqual(
    rows.map(({ id }) => [id, starts.get(`urn:ids:list-global-tenders:tenders:${encodeURIComponent(id)}`)]),
  );
  const { outages: shown } = await app.json<{ outages: { id: string; detectedAt: number; endedAt: number }[] }>(
    outages,
  );
  const spans = (await calendarOf(outages)).described;
  for (const { id, detectedAt, endedAt } of shown) {
    const own = spans.find(({ uid }) => uid.endsWith(`:${encodeURIComponent(id)}`));
    expect(own?.startDate.toJSDate().getTime()).toBe(detectedAt);
    const end = own?.component.getFirstPropertyValue("dtend") as ICAL.Time | null | undefined;
    expect(end ? end.toJSDate().getTime() : 0).toBe(endedAt);
  }
  expect(shown.some(({ endedAt }) => endedAt === 0)).toBe(true);
});

test("the Accept header chooses a feed, and a feed is shown and not saved", async () => {
  for (const [accept, type] of [
    ["application/atom+xml, application/rss+xml;q=0.9, */*;q=0.1", "application/atom+xml"],
    ["application/feed+json", "application/feed+json"],
    ["text/calendar", "text/calendar"],
  ] as const) {
    const response = await app.get(tech, { headers: { Accept: accept } });
    expect(response.headers.get("content-type")?.split(";")[0]).toBe(type);
    expect(response.headers.get("content-disposition")).toMatch(
      /^inline; filename="list-tech-events\.sample\.[a-z]+"$/,
    );
    expect(response.headers.get("link")).toContain('rel="describedby"');
    const known = { Accept: accept, "If-None-Match": response.headers.get("etag") ?? "" };
    expect((await app.get(tech, { headers: known })).status).toBe(304);
  }
});

test("a feed that a table does not have, and all pages of a feed, are a 400 with the reason", async () => {
  const rejected = async (path: string) =>
    ((await (await app.get(path)).json()) as { violations: unknown[] }).violations;
  expect(await rejected(`${events}&format=ics`)).toEqual([
    { field: "format", description: expect.stringMatching(/^value must be one of json, .*jsonfeed$/) },
  ]);
  const clusters = "/api/military/v1/list-military-bases?ne_lat=55&ne_lon=15&sw_lat=47&sw_lon=5&zoom=2&rows=clusters";
  expect(await rejected(`${clusters}&format=atom`)).toEqual([
    { field: "format", description: "value must not be atom: clusters has no IDs" },
  ]);
  expect(await rejected(`${events}&format=atom&all=true`)).toEqual([
    {
      field: "all",
      description: expect.stringMatching(/^value must be absent for format atom: all pages are written as/),
    },
  ]);
});

test("the URLs of a feed are of the host that the client uses, and each host has its own response", async () => {
  const homeOf = async (host: string) => {
    const response = await fetch(`${app.url}${tech}?format=jsonfeed`, {
      headers: { "X-Forwarded-Host": host, "X-Service-Key": await app.key("enterprise") },
    });
    return ((await response.json()) as { home_page_url: string }).home_page_url;
  };
  const local = app.url.replace("127.0.0.1", "localhost");
  for (let time = 0; time < 3; time += 1) {
    expect(await homeOf("other.example")).toBe(`${app.url}/data/tech-events`);
    const response = await fetch(`${local}${tech}?format=jsonfeed`, {
      headers: { "X-Service-Key": await app.key("enterprise") },
    });
    expect(await response.json()).toMatchObject({ home_page_url: `${local}/data/tech-events` });
  }
});

test("a feed URL serves feeds without a key, and its address is not part of them", async () => {
  const key = await app.key("pro_monthly");
  for (const format of ["atom", "jsonfeed", "ics"]) {
    const created = await app.get("/api/account/v1/create-feed-url", {
      ...{ key, method: "POST", body: JSON.stringify({ name: "reader", path: `${tech}?format=${format}` }) },
    });
    const { url } = (await created.json()) as { url: string };
    expect(url).toMatch(new RegExp(`^/feeds/[\\w-]{43}\\.${format}$`));
    const response = await fetch(app.url + url);
    const text = await response.text();
    expect([response.status, response.headers.get("content-disposition")?.split(";")[0]]).toEqual([200, "inline"]);
    expect(text).toContain(`${app.url}/data/tech-events`);
    expect(text).not.toMatch(/rel="self"|feed_url/);
    expect(text).not.toContain(url.slice(7, 50));
  }
});

test("without a choice, the table of a feed is the first that has the format", () => {
  const operation = catalog.find(({ name }) => name === "GetCompanyEnrichment")!;
  const tableOf = (query: string) => fileRequestReader(operation)(new URLSearchParams(query), undefined)?.table.name;
  expect([tableOf("format=atom"), tableOf("format=ics")]).toEqual(["response", "secFilings.recentFilings"]);
});

test("every table whose rows have identities offers feeds, and those with days or spans a calendar", () => {
  const tables = catalog
    .filter(({ read }) => read)
    .flatMap((operation) => tablesOf(operation).map((table) => ({ name: `${operation.name} ${table.name}`, table })));
  const without = tables.filter(({ table }) => lackFor("atom", table) !== undefined).map(({ name }) => name);
  expect(without).toEqual([
    "GetEconomicStress response",
    "GetPhysicalDivergenceIndex response",
    "ListMilitaryBases clusters",
    "GetShippingStress response",
  ]);
  const dated = tables.filter(({ table }) => lackFor("ics", table) === undefined).map(({ name }) => name);
  expect(dated).toEqual(
    expect.arrayContaining([
      "ListTechEvents events",
      "ListGlobalTenders tenders",
      "ListInternetOutages outages",
      "ListStates spans",
    ]),
  );
  expect(dated).not.toContain("ListConflictEvents events");
});
