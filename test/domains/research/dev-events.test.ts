import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TechEventSchema } from "../../../gen/es/ids/research/v1/research_pb.ts";
import { devEvents, eventDays } from "../../../src/domains/research/dev-events.ts";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import { months } from "../../../src/reference/calendar.ts";
import { sampleIndex, sampleUpstream } from "../../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-04T09:00:00Z");
const captured = new URL("../../../../shared/upstream/dev-events/rss-synthetic-shape.xml", import.meta.url);

const places = { "Berlin, Germany": { latitude: 52.52, longitude: 13.41, country: "DE" } };
const feed = (...items: readonly string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>${items.map((item) => `<item>${item}</item>`).join("")}</channel></rss>`;
const item = (description: string, more = '<guid isPermaLink="false">js-1</guid><link>https://dev.events/js</link>') =>
  `<title><![CDATA[ExampleJS 2026]]></title>${more}<description><![CDATA[${description}]]></description>`;
const parse = (...items: readonly string[]) => devEvents.parse({ feed: feed(...items), places }, now);
const prose = (rest: string) => `JavaScript conference ExampleJS 2026 is happening on ${rest}`;

test("an item becomes a conference with the days and the place of its prose", () => {
  expect(parse(item(prose("June 4, 2026 in Berlin, Germany. More information: https://example.org")))).toEqual({
    rows: [
      {
        id: "js-1",
        title: "ExampleJS 2026",
        type: "conference",
        location: "Berlin, Germany",
        coords: { lat: 52.52, lng: 13.41, country: "DE", original: "Berlin, Germany" },
        startDate: "2026-06-04",
        endDate: "2026-06-04",
        url: "https://dev.events/js",
        source: "dev.events",
      },
    ],
    rejected: [],
  });
});

test.each([
  ["in Online. ", "Online", true],
  ["in St. Louis, MO. ", "St. Louis, MO", undefined],
  ["in Berlin, Germany and Online. ", "Berlin, Germany and Online", undefined],
  [". ", "", undefined],
  ["", "", undefined],
])("after the days %j is the place %j", (rest, location, virtual) => {
  const [row] = parse(item(prose(`Nov 10, 2026 ${rest}`))).rows;
  expect([row?.location, row?.coords?.virtual]).toEqual([location, virtual]);
});

test("`Online` in front of all counts where no place follows, and only there", () => {
  const of = (rest: string) => parse(item(`Online ${prose(rest)}`)).rows[0];
  expect(of("Jan 13–16, 2027. ")).toMatchObject({ location: "Online", coords: { virtual: true } });
  expect(of("Jan 13–16, 2027 in Berlin, Germany. ")?.coords).toMatchObject({ country: "DE" });
  const named = parse(item("Conference All Online Things is happening on Jan 13, 2027. ")).rows[0];
  expect([named?.location, named?.coords]).toEqual(["", undefined]);
});

test.each([
  ["June 4, 2026", "2026-06-04", "2026-06-04"],
  ["Sept. 4, 2026", "2026-09-04", "2026-09-04"],
  ["Apr 29–30, 2025", "2025-04-29", "2025-04-30"],
  ["Apr 29-30, 2025", "2025-04-29", "2025-04-30"],
  ["Apr 29 – May 1, 2026", "2026-04-29", "2026-05-01"],
  ["Dec 30, 2026 – Jan 2, 2027", "2026-12-30", "2027-01-02"],
  ["Dec 30 – Jan 2, 2027", "2026-12-30", "2027-01-02"],
])("%s is from %s to %s", (text, startDate, endDate) => {
  expect(eventDays(`${text} in Berlin`)).toEqual({ startDate, endDate, length: text.length });
});

test.each(["soon", "2026", "Feb 30, 2026", "Foo 3, 2026", "Apr 30–29, 2025", "4 June 2026", "June 2026", ""])(
  "%j has no day, in whatever zone this runs",
  (text) => {
    expect(eventDays(text)).toBeUndefined();
  },
);

test("any days written out are read back", () => {
  const day = fc.date({ min: new Date("2000-01-01"), max: new Date("2090-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 400 }), (from, length) => {
      const [a, b] = [from, new Date(from.getTime() + length * 86_400_000)].map((date) =>
        date.toISOString().slice(0, 10),
      );
      const text = [a, b]
        .map((iso = "") => `${months[Number(iso.slice(5, 7)) - 1]} ${Number(iso.slice(8))}, ${iso.slice(0, 4)}`)
        .join(" – ");
      expect(eventDays(text)).toEqual({ startDate: a, endDate: b, length: text.length });
    }),
  );
});

test("items without a name, a text or a day are left out and named; the others stay", () => {
  const { rows, rejected } = parse(
    item("happening soon"),
    "<title></title><guid>b</guid><description>x</description>",
    "<title>C</title>",
    item(prose("Nov 10, 2026. "), ""),
  );
  expect(rows.map(({ id, url }) => [id, url])).toEqual([[expect.stringMatching(/^[0-9a-f]{16}$/), ""]]);
  expect(rejected.map(({ row, reason }) => `${row} ${reason}`).join("|")).toMatch(
    /^js-1 has no day\|#1 title: .*\|#2 description: /,
  );
});

test("two items of one id are one event, the later one", () => {
  const { rows } = parse(item(prose("Nov 10, 2026. ")), item(prose("Nov 11, 2026. ")));
  expect(rows.map(({ startDate }) => startDate)).toEqual(["2026-11-11"]);
});

test.each([
  ["HTML", "<!DOCTYPE html><html><body>Please wait</body></html>", /HTML/],
  ["half a feed", feed(item(prose("Nov 10, 2026"))).slice(0, 150), /an incomplete RSS feed/],
  ["nothing", "", /an incomplete RSS feed/],
  ["another XML", "<feed></feed></rss>", /dev\.events/],
])("%s is a failure of the upstream", (_title, text, words) => {
  const read = () => devEvents.parse({ feed: text, places }, now);
  expect(read).toThrow(UpstreamError);
  expect(read).toThrow(words);
});

test("a feed without items is one, with no rows", () => {
  expect(parse()).toEqual({ rows: [], rejected: [] });
});

test("the sample yields what it says, all valid; a lodge that no list of places has is not on the map", async () => {
  const upstream = sampleUpstream("dev-events", () => now);
  const { rows, rejected } = devEvents.parse(await devEvents.fetch(upstream), now);
  expect(rows).toHaveLength(sampleIndex("dev-events")!.rows);
  expect(rejected).toEqual([{ row: "someday-conf", reason: "has no day" }]);
  const validator = createValidator();
  for (const row of rows)
    expect(validator.validate(TechEventSchema, create(TechEventSchema, row)).kind, row.title).toBe("valid");
  expect(rows.filter(({ coords }) => coords === undefined).map(({ location }) => location)).toEqual([
    "Kent, United Kingdom",
    "Hintertal Lodge, Austria",
  ]);
});

test.skipIf(!existsSync(captured))("a feed in the upstream's documented shape passes", () => {
  const { rows, rejected } = devEvents.parse({ feed: readFileSync(captured, "utf8"), places: {} }, now);
  expect(rejected).toEqual([]);
  expect(
    rows.map(({ id, startDate, endDate, location, coords }) => [id, startDate, endDate, location, coords?.virtual]),
  ).toEqual([
    ["better-code-rust-i6inve6t", "2025-11-10", "2025-11-10", "Online", true],
    ["stackconf-2025-09q34n-t", "2025-04-29", "2025-04-30", "Munich, Germany", undefined],
    ["code-mash-2026-eguzf-gg", "2026-01-13", "2026-01-16", "Online", true],
  ]);
});
