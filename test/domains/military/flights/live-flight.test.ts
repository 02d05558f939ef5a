import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, type TestAppOptions, testTime } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import { responding } from "../../../support/responding.ts";

const path = "/api/military/v1/get-provider-live-flight";
const of = (icao24: string) => `${path}?icao24=${icao24}`;
const now = testTime.getTime();

interface Body {
  readonly flight?: Readonly<Record<string, unknown>>;
}

const aircraft = {
  ...{ hex: "4ca7b5", flight: "RYR12AB ", r: "EI-XXX", t: "B738", alt_baro: 3500, gs: 210.4, track: 281.5 },
  ...{ baro_rate: -640, lat: 53.42, lon: -6.27, seen: 0.4, seen_pos: 0.9 },
};
const heard = (over: object = {}) => ({ ac: [{ ...aircraft, ...over }], msg: "No error", now, total: 1 });
const anonymous = { ac: [], msg: "No error", now, total: 0 };

let database: Database;
beforeAll(async () => {
  database = await openOnce();
});
afterAll(() => database.close());

/** An app whose upstreams are answered by the test, in live mode. */
async function live(bodyOf: (url: URL) => unknown, environment: TestAppOptions["environment"] = {}) {
  const requested: string[] = [];
  const outside = responding((url) => {
    requested.push(url.href);
    return bodyOf(url);
  });
  const app = await startApp(database, { environment: { IDS_DATA: "live", ...environment }, outside });
  return { app, requested, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** The values of the look-ups' counter, by upstream and outcome. */
async function lookups(app: TestApp): Promise<Record<string, number>> {
  const text = await (await app.get("/metrics")).text();
  const found = text.matchAll(/^ids_live_lookups_total\{upstream="([^"]+)",outcome="([^"]+)"\} (\d+)$/gm);
  return Object.fromEntries(
    [...found].map(([, upstream, outcome, count]) => [`${upstream} ${outcome}`, Number(count)]),
  );
}

test("an aircraft with a signal is returned with every field, and no cache may store the response", async () => {
  await using outside = await live(() => heard());
  const response = await outside.app.get(of("4ca7b5"));
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(response.headers.get("x-data-origin")).toBeNull();
  expect(await response.json()).toEqual({
    flight: {
      ...{ icao24: "4ca7b5", callsign: "RYR12AB", lat: 53.42, lon: -6.27, altitude: 3500, speed: 210.4 },
      ...{ heading: 281.5, verticalRate: -640, registration: "EI-XXX", model: "B738", operator: "", onGround: false },
      ...{ lastSeen: String(now / 1000 - 1), depIata: "", arrIata: "", depTimeUtc: "", arrTimeUtc: "" },
      ...{ depEstimatedUtc: "", arrEstimatedUtc: "", depDelayedMin: 0, arrDelayedMin: 0, flightStatus: "" },
      ...{ flightDurationMin: 0, arrTerminal: "", photoUrl: "", photoLink: "", photoCredit: "" },
      ...{ callsignIata: "FR12AB", airlineName: "Ryanair", provider: "adsb", missing: [] },
    },
  });
});

test("an altitude of 0 on the ground is measured, and a missing one is named", async () => {
  await using outside = await live(({ pathname }) =>
    pathname.endsWith("4ca7b5") ? heard({ alt_baro: "ground", gs: 0 }) : heard({ hex: "aaaaaa", alt_baro: undefined }),
  );
  const { flight: parked } = await outside.app.json<Body>(of("4ca7b5"));
  expect([parked?.altitude, parked?.onGround, parked?.missing]).toEqual([0, true, []]);
  const { flight: flying } = await outside.app.json<Body>(of("aaaaaa"));
  expect([flying?.altitude, flying?.onGround, flying?.missing]).toEqual([0, false, ["altitude"]]);
});

test("an old signal is returned with its time", async () => {
  await using outside = await live(() => heard({ seen_pos: 240 }));
  expect((await outside.app.json<Body>(of("4ca7b5"))).flight?.lastSeen).toBe(String(now / 1000 - 240));
});

test("an aircraft without a signal is an empty response, without an error", async () => {
  await using outside = await live(() => anonymous);
  const response = await outside.app.get(of("4ca7b5"));
  expect([await response.json(), response.headers.get("x-flight-upstream")]).toEqual([{}, null]);
  expect(await lookups(outside.app)).toEqual({ "adsb ok": 1 });
});

test.each([
  ["does not answer", undefined],
  ["answers HTML", "<html>busy</html>"],
  ["answers another format", { aircraft: [] }],
])(
  "a provider that %s is an empty answer that says so, is counted, never kept, and asked again at once",
  async (_title, body) => {
    let tries = 0;
    await using outside = await live(() => (++tries === 1 ? body : heard()));
    const response = await outside.app.get(of("4ca7b5"));
    expect([response.status, await response.json()]).toEqual([200, {}]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-flight-upstream")).toBe("unavailable");
    expect(await lookups(outside.app)).toEqual({ "adsb failed": 1 });
    const next = await outside.app.get(of("4ca7b5"));
    expect([next.headers.get("x-flight-upstream"), ((await next.json()) as Body).flight?.callsign]).toEqual([
      null,
      "RYR12AB",
    ]);
  },
);

test.each([
  ["no address", path],
  ["an empty one", of("")],
  ["five digits", of("4ca7b")],
  ["seven digits", of("4ca7b51")],
  ["a letter beyond f", of("4ca7bg")],
  ["a path", of("..%2F..%2F")],
  ["a query", of("4ca7b5%3Fx%3D1")],
  ["a header", of("4ca7b5%0d%0aX-A:b")],
  ["a statement", of("4ca7b5'--")],
  ["a NUL", of("4ca7b5%00")],
  ["digits of another script", of("%D9%A4ca7b5")],
])("%s is rejected with the parameter's name, and no provider is called", async (_title, place) => {
  await using outside = await live(() => heard());
  expect(await outside.app.rejected(place)).toEqual(["icao24"]);
  expect(outside.requested).toEqual([]);
});

test("upper case and blanks make no difference in request and response", async () => {
  await using outside = await live(() => heard());
  expect((await outside.app.json<Body>(of("%204CA7B5%20"))).flight?.icao24).toBe("4ca7b5");
  expect(outside.requested).toEqual(["https://api.adsb.lol/v2/hex/4ca7b5"]);
});

test("fifty callers at once are one request to the upstream; it is made again after 30 seconds", async () => {
  await using outside = await live(() => heard());
  const keys = [await outside.app.key("free"), await outside.app.key("free")];
  const callers = Array.from({ length: 50 }, (_, index) => ({ key: keys[index % 2] ?? "" }));
  const responses = await Promise.all(
    callers.map(async (caller) => (await outside.app.get(of("4ca7b5"), caller)).json()),
  );
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  expect(outside.requested).toHaveLength(1);
  outside.app.setTime(new Date(now + 30_001));
  await outside.app.json(of("4ca7b5"));
  expect(outside.requested).toHaveLength(2);
});

test("a caller may ask 30 times a minute, and no more", async () => {
  await using outside = await live(() => heard());
  const key = await outside.app.key("pro_monthly");
  const statuses: number[] = [];
  for (let count = 0; count < 31; count++) statuses.push((await outside.app.get(of("4ca7b5"), { key })).status);
  expect(statuses).toEqual([...Array(30).fill(200), 429]);
});

test("with OpenSky chosen the same operation is served from there, with an account's token if one is set", async () => {
  const state = [
    "4ca7b5",
    "RYR12AB ",
    "Ireland",
    now / 1000 - 3,
    now / 1000,
    -6.27,
    53.42,
    1066.8,
    false,
    108.2391,
    281.5,
    -3.2512,
  ];
  const environment = { IDS_FLIGHT_PROVIDER: "opensky", OPENSKY_CLIENT_ID: "client", OPENSKY_CLIENT_SECRET: "secret" };
  await using outside = await live(
    ({ host }) =>
      host.startsWith("auth") ? { access_token: "token", expires_in: 1800 } : { time: now / 1000, states: [state] },
    environment,
  );
  expect((await outside.app.json<Body>(of("4ca7b5"))).flight).toMatchObject({
    ...{ altitude: 3500, speed: 210.4, verticalRate: -640, provider: "opensky", lastSeen: String(now / 1000 - 3) },
  });
  expect(outside.requested.map((url) => new URL(url).host)).toEqual([
    "auth.opensky-network.org",
    "opensky-network.org",
  ]);
});

test("adds the route of the configured service, whose failure leaves the flight", async () => {
  const environment = { IDS_FLIGHT_SCHEDULE_URL: "https://schedule.example/v1/" };
  const responses: Record<string, unknown> = {
    "https://api.adsb.lol/v2/hex/4ca7b5": heard(),
    "https://api.adsb.lol/v2/hex/aaaaaa": heard({ hex: "aaaaaa", flight: "DLH1 " }),
    "https://schedule.example/v1/RYR12AB": { schedule: { depIata: "STN", arrIata: "DUB", arrDelayed: -4 } },
  };
  await using outside = await live(({ href }) => responses[href], environment);
  expect((await outside.app.json<Body>(of("4ca7b5"))).flight).toMatchObject({
    ...{ depIata: "STN", arrIata: "DUB", arrDelayedMin: -4 },
  });
  const response = await outside.app.get(of("aaaaaa"));
  expect(response.headers.get("x-flight-upstream")).toBeNull();
  expect(((await response.json()) as Body).flight).toMatchObject({ callsign: "DLH1", depIata: "" });
  expect(await lookups(outside.app)).toMatchObject({ "adsb ok": 2, "flight-schedule failed": 1 });
});

test.each(["adsb", "opensky"])(
  "with the samples of %s the answer is labelled, and a projection finds its way in",
  async (provider) => {
    await using app = await startApp(database, { environment: { IDS_FLIGHT_PROVIDER: provider } });
    const response = await app.get(of("8965b3"));
    expect(response.headers.get("x-data-origin")).toBe("sample");
    expect(((await response.json()) as Body).flight).toMatchObject({
      callsign: "UAE528",
      airlineName: "Emirates",
      provider,
    });
    expect(await app.json(`${of("8965b3")}&jmespath=flight.callsignIata`)).toBe("EK528");
    expect(await app.json(of("ffffff"))).toEqual({});
  },
);

test("over Connect the answer is the same, and so is the refusal", async () => {
  await using outside = await live(() => heard());
  const key = await outside.app.key("free");
  const call = async (icao24: string) => {
    const response = await fetch(`${outside.app.url}/ids.military.v1.MilitaryService/GetProviderLiveFlight`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Service-Key": key },
      body: JSON.stringify({ icao24 }),
    });
    return response.json() as Promise<Body & { readonly code?: string }>;
  };
  expect(await call("4CA7B5")).toEqual(await outside.app.json(of("4ca7b5")));
  expect((await call("nothex")).code).toBe("invalid_argument");
});
