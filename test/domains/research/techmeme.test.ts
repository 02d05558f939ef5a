import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TechEventSchema } from "../../../gen/es/ids/research/v1/research_pb.ts";
import { techmeme } from "../../../src/domains/research/techmeme.ts";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../src/upstream/upstream.ts";

const now = new Date("2026-11-04T09:00:00Z");
const captured = new URL("../../../../shared/upstream/techmeme/newsy_events-synthetic-shape.ics", import.meta.url);

const lisbon = { latitude: 38.72, longitude: -9.13, country: "PT" };
const event = (...lines: readonly string[]) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"].join("\r\n");
const calendar = (...events: readonly string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", ...events, "END:VCALENDAR", ""].join("\r\n");
const parse = (...events: readonly string[]) =>
  techmeme.parse({ feed: calendar(...events), places: { "Lisbon, Portugal": lisbon } }, now);
const days = ["DTSTART;VALUE=DATE:20261102", "DTEND;VALUE=DATE:20261105"];
const conf = ["UID:conf@example", "SUMMARY:ExampleConf 2026", ...days];

/** Plays one feed. */
const feeding = (feed: string): Upstream => ({
  origin: "live",
  now,
  variable: (name) => name,
  text: async () => feed,
  json: () => Promise.reject(new Error("not asked")),
});

test("an event becomes a row; the end of whole days is exclusive, commas are unescaped and folded lines joined", () => {
  const { rows, rejected } = parse(
    event(...conf, "LOCATION:Lisbon\\, Portugal", "URL:https://example.org/a-long-address-th", " at-is-folded"),
  );
  expect(rejected).toEqual([]);
  expect(rows).toEqual([
    {
      id: "conf@example",
      title: "ExampleConf 2026",
      type: "conference",
      location: "Lisbon, Portugal",
      coords: { lat: 38.72, lng: -9.13, country: "PT", original: "Lisbon, Portugal" },
      startDate: "2026-11-02",
      endDate: "2026-11-04",
      url: "https://example.org/a-long-address-that-is-folded",
      source: "techmeme",
    },
  ]);
});

test.each([
  ["Earnings: AAPL", "", "earnings"],
  ["Earnings: AAPL", "Cupertino", "earnings"],
  ["IPO: Example Robotics", "", "ipo"],
  ["IPOs in Review", "", "other"],
  ["Example Phone launch", "", "other"],
  ["ExampleConf", "Nowhere", "conference"],
  ["VIRTUAL: ExampleConf", "", "conference"],
  ["HYBRID, NEW DATE: ExampleConf", "", "conference"],
])("%s at %j is of type %s", (title, place, type) => {
  const [row] = parse(event("UID:1", `SUMMARY:${title}`, ...days, ...(place ? [`LOCATION:${place}`] : []))).rows;
  expect([row?.type, row?.title, row?.location]).toEqual([type, title, place || expect.stringMatching(/^(Virtual)?$/)]);
});

test("a virtual event without a place is virtual, one with a place is there, and one that is not found has no coordinates", () => {
  const of = (title: string, place: string) =>
    parse(event("UID:1", `SUMMARY:${title}`, ...days, ...(place ? [`LOCATION:${place}`] : []))).rows[0]?.coords;
  expect(of("VIRTUAL: A", "")).toEqual({ original: "Virtual", virtual: true });
  expect(of("A", "Online")).toEqual({ original: "Online", virtual: true });
  expect(of("VIRTUAL: A", "Lisbon\\, Portugal")).toMatchObject({ country: "PT" });
  expect(of("HYBRID: A", "")).toBeUndefined();
  expect(of("A", "Atlantis")).toBeUndefined();
});

test.each([
  ["without an end it lasts a day", ["DTSTART;VALUE=DATE:20261102"], ["2026-11-02", "2026-11-02"]],
  [
    "an end on the first day is one day",
    ["DTSTART;VALUE=DATE:20261102", "DTEND;VALUE=DATE:20261102"],
    ["2026-11-02", "2026-11-02"],
  ],
  [
    "times of day are of their days",
    ["DTSTART:20261102T200000Z", "DTEND:20261103T040000Z"],
    ["2026-11-02", "2026-11-03"],
  ],
  [
    "so are those of a zone",
    ["DTSTART;TZID=America/Los_Angeles:20261102T200000", "DTEND;TZID=America/Los_Angeles:20261102T220000"],
    ["2026-11-02", "2026-11-02"],
  ],
  [
    "an end at midnight is of the day before",
    ["DTSTART:20261110T090000Z", "DTEND:20261112T000000Z"],
    ["2026-11-10", "2026-11-11"],
  ],
  [
    "an end at the midnight of its start is of that day",
    ["DTSTART:20261112T000000Z", "DTEND:20261112T000000Z"],
    ["2026-11-12", "2026-11-12"],
  ],
  ["a duration across midnight", ["DTSTART:20261110T200000Z", "DURATION:PT5H"], ["2026-11-10", "2026-11-11"]],
  [
    "a duration until midnight",
    ["DTSTART;TZID=Europe/Berlin:20261110T200000", "DURATION:PT4H"],
    ["2026-11-10", "2026-11-10"],
  ],
  [
    "an end goes before a duration",
    ["DTSTART;VALUE=DATE:20261110", "DTEND;VALUE=DATE:20261112", "DURATION:P5D"],
    ["2026-11-10", "2026-11-11"],
  ],
  [
    "an end across the year",
    ["DTSTART;VALUE=DATE:20261230", "DTEND;VALUE=DATE:20270102"],
    ["2026-12-30", "2027-01-01"],
  ],
])("%s", (_title, lines, expected) => {
  const [row] = parse(event("UID:1", "SUMMARY:A", ...lines)).rows;
  expect([row?.startDate, row?.endDate]).toEqual(expected);
});

test.each([
  ["P3D", "2026-11-12"],
  ["+P3D", "2026-11-12"],
  ["P1W", "2026-11-16"],
  ["PT36H", "2026-11-11"],
  ["P1DT24H0M0S", "2026-11-11"],
  ["P1DT24H0M1S", "2026-11-12"],
])("a day with a duration of %j ends on %s", (duration, last) => {
  const [row] = parse(event("UID:1", "SUMMARY:A", "DTSTART;VALUE=DATE:20261110", `DURATION:${duration}`)).rows;
  expect(row?.endDate).toBe(last);
});

test.each(["PT0S", "P", "PT", "3D", "P3X", "soon", "", "P999999999999D", `P${"9".repeat(400)}W`, "P2914000D"])(
  "a day with a duration of %j, which none can have, ends on that day",
  (duration) => {
    const [row] = parse(event("UID:1", "SUMMARY:A", "DTSTART;VALUE=DATE:20261110", `DURATION:${duration}`)).rows;
    expect(row?.endDate).toBe("2026-11-10");
  },
);

test.each(["DTEND;VALUE=DATE:20261001", "DURATION:-P3D", "DTEND:20261109T235959Z"])(
  "an event that starts on November 10 and has %s is rejected",
  (end) => {
    const { rows, rejected } = parse(event("UID:1", "SUMMARY:A", "DTSTART;VALUE=DATE:20261110", end));
    expect({ rows, rejected }).toEqual({ rows: [], rejected: [{ row: "1", reason: "ends before it starts" }] });
  },
);

test("an event of any length ends on the day of its last second, whether it has an end or a duration", () => {
  const stamp = (at: number) => new Date(at).toISOString().replace(/[-:]|\.000/g, "");
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const seconds = fc.oneof(
    fc.integer({ min: 1, max: 40 * 86_400 }),
    fc.integer({ min: 1, max: 40 }).map((d) => d * 86_400),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 * 24 }), seconds, (hour, length) => {
      const start = Date.UTC(2026, 0, 1) + hour * 3_600_000;
      const [end, days] = [start + length * 1000, Math.floor(length / 86_400)];
      for (const line of [`DTEND:${stamp(end)}`, `DURATION:P${days}DT${length % 86_400}S`]) {
        const [row] = parse(event("UID:1", "SUMMARY:A", `DTSTART:${stamp(start)}`, line)).rows;
        expect([row?.startDate, row?.endDate]).toEqual([day(start), day(end - 1000)]);
      }
    }),
  );
});

test("an event with any text as its end or duration is rejected, or ends on its first day or later", () => {
  const written = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."PTWDHMS+-0123456789.,:;Z ") }),
    fc.string().map((text) => text.replace(/[\r\n]/g, "")),
  );
  fc.assert(
    fc.property(fc.constantFrom("DTEND", "DURATION"), written, (name, value) => {
      const { rows, rejected } = parse(event("UID:1", "SUMMARY:A", "DTSTART;VALUE=DATE:20261110", `${name}:${value}`));
      expect(rows.length + rejected.length).toBe(1);
      for (const { endDate } of rows) {
        expect(endDate).toMatch(/^\d{4}-\d\d-\d\d$/);
        expect((endDate ?? "") >= "2026-11-10").toBe(true);
      }
    }),
  );
});

test("an event without an id has one of its title and day, the same each time", () => {
  const [row] = parse(event("SUMMARY:A", ...days)).rows;
  expect(row?.id).toMatch(/^[0-9a-f]{16}$/);
  expect(parse(event("SUMMARY:A", ...days)).rows[0]?.id).toBe(row?.id);
  expect(parse(event("SUMMARY:B", ...days)).rows[0]?.id).not.toBe(row?.id);
});

test.each(["javascript:alert(1)", "ftp://example.org", "//example.org", "example.org"])(
  "the address %s does not lead to a page",
  (url) => {
    expect(parse(event(...conf, `URL:${url}`)).rows[0]?.url).toBe("");
  },
);

test("events without a name or a day, or that are canceled, are left out and named, and the others stay", () => {
  const { rows, rejected } = parse(
    event("UID:a", ...days),
    event("UID:b", "SUMMARY:B"),
    event("UID:c", "SUMMARY:C", "DTSTART;VALUE=DATE:soon"),
    event("UID:d", "SUMMARY:D", ...days, "STATUS:CANCELLED"),
    event("SUMMARY:E"),
    event(...conf),
  );
  expect(rows).toHaveLength(1);
  expect(rejected).toEqual([
    { row: "a", reason: "has no summary" },
    { row: "b", reason: "has no first day" },
    { row: "c", reason: "has no first day" },
    { row: "d", reason: "is canceled" },
    { row: "#4", reason: "has no first day" },
  ]);
});

test.each([
  ["HTML", "<!DOCTYPE html><html><body>Please wait</body></html>", /HTML/],
  ["half a calendar", calendar(event(...conf)).slice(0, 80), /an incomplete calendar/],
  ["nothing", "", /an incomplete calendar/],
  ["text", "Service unavailable\r\nEND:VCALENDAR", /cannot be read|no calendar/],
])("%s is a failure of the upstream, when it is asked and when it is read", async (_title, feed, words) => {
  expect(() => techmeme.parse({ feed, places: {} }, now)).toThrow(UpstreamError);
  await expect(techmeme.fetch(feeding(feed))).rejects.toThrow(words);
});

test("a calendar without events is one, with no rows", () => {
  expect(techmeme.parse({ feed: calendar(), places: {} }, now)).toEqual({ rows: [], rejected: [] });
});

test("the sample yields what it says, all valid, with its places", async () => {
  const upstream = sampleUpstream("techmeme", () => now);
  const { rows, rejected } = techmeme.parse(await techmeme.fetch(upstream), now);
  expect(rows).toHaveLength(sampleIndex("techmeme")!.rows);
  expect(rejected).toHaveLength(1);
  const validator = createValidator();
  for (const row of rows)
    expect(validator.validate(TechEventSchema, create(TechEventSchema, row)).kind, row.title).toBe("valid");
  const named = rows.filter(({ location }) => location !== "");
  expect(named.filter(({ coords }) => coords === undefined)).toEqual([]);
  expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(["conference", "earnings", "ipo", "other"]));
});

test.skipIf(!existsSync(captured))("a calendar in the upstream's documented shape passes", async () => {
  const fetched = await techmeme.fetch(feeding(readFileSync(captured, "utf8")));
  const { rows, rejected } = techmeme.parse(fetched, now);
  expect(rejected).toEqual([]);
  expect(
    rows.map(({ title, type, startDate, endDate, coords }) => [title, type, startDate, endDate, coords?.country]),
  ).toEqual([
    ["SLUSH", "conference", "2026-11-18", "2026-11-19", "FI"],
    ["Samsung Galaxy Unpacked", "conference", "2026-07-22", "2026-07-22", "GB"],
    ["gamescom", "conference", "2026-08-26", "2026-08-30", "DE"],
    ["Earnings: AAPL", "earnings", "2026-10-29", "2026-10-29", undefined],
    ["VIRTUAL: OpenAI DevDay", "conference", "2026-09-29", "2026-09-29", undefined],
  ]);
});
