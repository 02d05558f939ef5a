import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { expect, test } from "vitest";
import { ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { acled } from "../../../src/domains/conflict/acled.ts";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import type { Upstream, UpstreamRequest } from "../../../src/upstream/upstream.ts";

const now = new Date("2026-11-20T15:00:00Z");

const kutum = {
  event_id_cnty: "SDN90001",
  event_date: "2026-06-14",
  event_type: "Battles",
  actor1: "Military Forces of Example",
  actor2: "Example Rebel Front",
  iso: "729",
  country: "Sudan",
  admin1: "North Darfur",
  latitude: "14.2000",
  longitude: "24.6667",
  source: "Example News",
  ...{ fatalities: "4", time_precision: "1", geo_precision: "2" },
};

const page = (...rows: readonly object[]) => ({ status: 200, success: true, count: rows.length, data: rows });
const parse = (...rows: readonly object[]) => acled.parse([page(...rows.map((row) => ({ ...kutum, ...row })))], now);

test("a row of texts becomes an event", () => {
  expect(parse({}).rows).toEqual([
    {
      id: "acled-SDN90001",
      eventType: "Battles",
      country: "SD",
      location: { latitude: 14.2, longitude: 24.6667 },
      occurredAt: BigInt(Date.UTC(2026, 5, 14)),
      fatalities: 4,
      actors: ["Military Forces of Example", "Example Rebel Front"],
      source: "Example News",
      admin1: "North Darfur",
      reports: [{ timePrecision: 1, placePrecision: 2, deathsBest: 4 }],
    },
  ]);
});

test("a row of numbers becomes the same event", () => {
  const numbers = { iso: 729, latitude: 14.2, longitude: 24.6667, fatalities: 4, geo_precision: 2 };
  expect(parse(numbers).rows).toEqual(parse({}).rows);
});

test.each([
  ["the numeric code before the name", { iso: "729", country: "South Sudan" }, "SD"],
  ["the name where the number is not of ISO", { iso: "0", country: "Kosovo" }, "XK"],
  ["the name where there is not a number", { iso: null, country: "Democratic Republic of Congo" }, "CD"],
  ["nothing rather than a guess", { iso: "2", country: "Akrotiri and Dhekelia" }, ""],
])("the country is %s", (_title, row, country) => {
  expect(parse(row).rows[0]?.country).toBe(country);
});

test.each([
  [{ actor2: "" }, { actors: ["Military Forces of Example"] }],
  [{ actor1: null, actor2: " " }, { actors: [] }],
  [{ fatalities: "" }, { fatalities: 0 }],
  [{ fatalities: "many" }, { fatalities: 0 }],
  [{ fatalities: null }, { fatalities: 0 }],
  [{ fatalities: "-1" }, { fatalities: 0 }],
])("a row with %j has %j", (row, event) => {
  expect(parse(row)).toMatchObject({ rows: [event], rejected: [] });
});

test.each([
  ["without its id", { event_id_cnty: " " }, "event_id_cnty"],
  ["with an id that is null", { event_id_cnty: null }, "event_id_cnty"],
  ["without latitude", { latitude: "" }, "latitude"],
  ["beyond the pole", { latitude: "90.1" }, "latitude"],
  ["with a longitude that is not a number", { longitude: "east" }, "longitude"],
  ["on a day that does not exist", { event_date: "2026-02-30" }, "event_date"],
  ["of a type not asked for", { event_type: "Protests" }, "event_type"],
])("a row %s is left out and named", (_title, row, field) => {
  const { rows, rejected } = parse(row, { event_id_cnty: "SDN90002" });
  expect(rows.map(({ id }) => id)).toEqual(["acled-SDN90002"]);
  expect(rejected).toHaveLength(1);
  expect(rejected[0]?.reason).toContain(field);
});

test("of two rows with one id the later stays", () => {
  expect(parse({ fatalities: "1" }, { fatalities: "2" }).rows).toMatchObject([{ fatalities: 2 }]);
});

test.each([
  ["a message", { status: 200, message: "Access denied", data: [] }],
  ["an error", { status: 200, error: { code: 1 }, data: [] }],
  ["no success", { status: 200, success: false, data: [] }],
  ["another format", { status: 200, success: true, count: 0 }],
])("a body with %s is a failure, although the status is 200", async (_title, body) => {
  expect(() => acled.parse([body], now)).toThrow(UpstreamError);
  await expect(acled.fetch(responding(() => body).upstream)).rejects.toThrow(UpstreamError);
});

/** An upstream that gives a token and then these pages. */
function responding(pageOf: (number: number) => unknown, token: unknown = { access_token: "secret" }) {
  const requested: UpstreamRequest[] = [];
  const upstream: Upstream = {
    origin: "live",
    now,
    variable: (name) => `${name} value`,
    text: () => Promise.reject(new Error("not asked")),
    json: async (request) => {
      requested.push(request);
      return request.form ? token : pageOf(requested.length - 1);
    },
  };
  return { upstream, requested };
}

const full = (number: number) =>
  page(...Array.from({ length: 5_000 }, (_, i) => ({ ...kutum, event_id_cnty: `SDN${number * 5_000 + i}` })));

test("the token is asked for with the account, the pages with the token, for the last 60 days", async () => {
  const { upstream, requested } = responding(() => page(kutum));
  await acled.fetch(upstream);
  expect(requested[0]).toEqual({
    url: "https://acleddata.com/oauth/token",
    form: {
      username: "ACLED_EMAIL value",
      password: "ACLED_PASSWORD value",
      grant_type: "password",
      client_id: "acled",
    },
  });
  const { searchParams } = new URL(requested[1]!.url);
  expect(requested[1]?.headers).toEqual({ authorization: "Bearer secret" });
  expect(Object.fromEntries(searchParams)).toEqual({
    event_type: "Battles",
    event_date: "2026-09-21|2026-11-20",
    event_date_where: "BETWEEN",
    limit: "5000",
    page: "1",
    _format: "json",
  });
});

test("each type is requested separately, and counts once even if a response holds every type", async () => {
  const rows = ["Battles", "Explosions/Remote violence", "Violence against civilians"].map((event_type, place) => ({
    ...kutum,
    event_type,
    event_id_cnty: `SDN${place}`,
  }));
  const { upstream, requested } = responding(() => page(...rows, { ...rows[0], event_id_cnty: " " }));
  const { rows: events, rejected } = acled.parse(await acled.fetch(upstream), now);
  expect(requested.slice(1).map(({ url }) => new URL(url).searchParams.get("event_type"))).toEqual([
    ...["Battles", "Explosions/Remote violence", "Violence against civilians"],
  ]);
  expect(events.map(({ eventType }) => eventType)).toEqual(rows.map(({ event_type }) => event_type));
  expect(rejected).toHaveLength(1);
});

test.each([
  ["as a status", () => Promise.reject(new UpstreamError("acleddata.com answered 403", { status: 403 }))],
  ["in a body", () => ({ status: 403, message: "Access denied" })],
])("a 403 %s says that the account lacks API access", async (_how, response) => {
  await expect(acled.fetch(responding(response).upstream)).rejects.toThrow("the account lacks API access");
});

test("no token is a failure", async () => {
  const { upstream } = responding(() => page(), { error_description: "wrong password" });
  await expect(acled.fetch(upstream)).rejects.toThrow("no access token");
});

test.each([
  ["a short one", (number: number) => (number < 3 ? full(number) : page(kutum)), 5, true],
  ["one that brings known ids only", () => full(1), 6, false],
  ["the twentieth", full, 60, false],
  [
    "not one of rows without ids",
    (n: number) => (n === 2 ? page(...Array(5_000).fill({})) : n < 4 ? full(n) : page()),
    6,
    true,
  ],
  ["one with fewer rows than it counts", (): unknown => ({ ...page(kutum), count: 2 }), 3, false],
  [
    "short of the count of all pages",
    (n: number): unknown => ({ ...(n < 2 ? full(n) : page(kutum)), count: 5_002 }),
    4,
    false,
  ],
])("the last page of each type is %s", async (_title, pageOf, pages, complete) => {
  const { upstream, requested } = responding(pageOf);
  const response = await acled.fetch(upstream);
  expect(requested).toHaveLength(1 + pages);
  expect(acled.parse(response, now).complete).toBe(complete);
});

test("the sample yields what it says, all valid, of the last 60 days and 40 countries or more", async () => {
  const { rows, rejected } = acled.parse(await acled.fetch(sampleUpstream("acled", () => now)), now);
  expect(rows).toHaveLength(sampleIndex("acled")!.rows);
  expect(rejected).toEqual([{ row: expect.stringMatching(/^#\d+$/), reason: "has no event_id_cnty" }]);
  expect(new Set(rows.map(({ country }) => country)).size).toBeGreaterThan(40);
  const validator = createValidator();
  for (const row of rows) {
    expect(validator.validate(ConflictEventSchema, create(ConflictEventSchema, row)).kind).toBe("valid");
    const age = (now.getTime() - Number(row.occurredAt)) / 86_400_000;
    expect(age).toBeGreaterThan(0);
    expect(age).toBeLessThan(68);
  }
});
