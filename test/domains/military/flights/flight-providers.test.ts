import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { adsb, parseAircraft } from "../../../../src/domains/military/flights/adsb.ts";
import { opensky, parseStates } from "../../../../src/domains/military/flights/opensky.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream, UpstreamRequest } from "../../../../src/upstream/upstream.ts";

const captured = new URL("../../../../../shared/upstream/adsb/adsblol-point-andorra-20261006.json", import.meta.url);
const at = 1_793_520_000;
const now = new Date(at * 1000);

const aircraft = {
  hex: "4ca7b5",
  flight: "RYR12AB ",
  r: "EI-XXX",
  t: "B738",
  alt_baro: 3500,
  gs: 210.4,
  track: 281.5,
  baro_rate: -640,
  lat: 53.42,
  lon: -6.27,
  seen: 0.4,
  seen_pos: 0.9,
  dbFlags: 0,
};
const envelope = (...ac: readonly object[]) => ({ ac, msg: "No error", now: at * 1000, total: ac.length });
const state = [
  "4ca7b5",
  "RYR12AB ",
  "Ireland",
  at - 5,
  at - 1,
  -6.27,
  53.42,
  1066.8,
  false,
  108.2391,
  281.5,
  -3.2512,
  null,
];

/** Plays answers by address, and writes down what was asked. */
function playing(response: (request: UpstreamRequest) => unknown, variables: Readonly<Record<string, string>> = {}) {
  const requested: UpstreamRequest[] = [];
  const time = { now: now.getTime() };
  const upstream: Upstream = {
    origin: "live",
    get now() {
      return new Date(time.now);
    },
    variable: (name, fallback) => variables[name] ?? fallback ?? "",
    text: () => Promise.reject(new Error("not asked")),
    json: async (request) => {
      requested.push(request);
      return response(request);
    },
  };
  return { waiting: { upstream, timeoutMs: 8_000 }, requested, time };
}

test("adsb.lol's aircraft has its own units and the time of its position", () => {
  expect(parseAircraft(envelope({ ...aircraft, hex: "000000" }, aircraft), "4ca7b5")).toEqual({
    icao24: "4ca7b5",
    callsign: "RYR12AB",
    lat: 53.42,
    lon: -6.27,
    altitude: 3500,
    speed: 210.4,
    heading: 281.5,
    verticalRate: -640,
    onGround: false,
    registration: "EI-XXX",
    model: "B738",
    operator: "",
    lastSeen: BigInt(at - 1),
    provider: "adsb",
    missing: [],
  });
});

test("on the ground the altitude is a measured 0, and missing values are named", () => {
  const { track: _track, baro_rate: _rate, ...parked } = { ...aircraft, alt_baro: "ground", gs: 0 };
  expect(parseAircraft(envelope(parked), "4ca7b5")).toMatchObject({
    ...{ altitude: 0, onGround: true, speed: 0, heading: 0, verticalRate: 0 },
    missing: ["heading", "verticalRate"],
  });
});

test.each([
  ["OpenSky", "climbs", 3.2, true],
  ["OpenSky", "descends", -2.6, true],
  ["OpenSky", "rolls", 0, false],
  ["OpenSky", "reports no vertical rate", null, false],
])("%s: the altitude of an aircraft that moves on the ground and %s is missing or 0", (_, _how, rate, isMissing) => {
  const moving = state.with(7, null).with(8, true).with(9, 83).with(11, rate);
  const flight = parseStates({ time: at, states: [moving] }, "4ca7b5");
  expect([flight?.altitude, flight?.onGround, flight?.missing?.includes("altitude")]).toEqual([0, true, isMissing]);
});

test("adsb.lol: an aircraft on the ground that moves and climbs has no altitude, one that stands has 0", () => {
  const climbing = parseAircraft(envelope({ ...aircraft, alt_baro: "ground", gs: 161, baro_rate: 900 }), "4ca7b5");
  expect([climbing?.altitude, climbing?.missing]).toEqual([0, ["altitude"]]);
  const dataStatus = parseAircraft(envelope({ ...aircraft, alt_baro: "ground", gs: 0, baro_rate: 64 }), "4ca7b5");
  expect([dataStatus?.altitude, dataStatus?.missing]).toEqual([0, []]);
  expect(parseAircraft(envelope({ ...aircraft, alt_baro: null }), "4ca7b5")?.missing).toEqual(["altitude"]);
});

test("on the ground the heading is where the nose points; in the air it is the track", () => {
  const { track: _track, ...parked } = { ...aircraft, alt_baro: "ground", gs: 0, true_heading: 106.88 };
  expect(parseAircraft(envelope(parked), "4ca7b5")).toMatchObject({ heading: 106.88, missing: [] });
  expect(parseAircraft(envelope({ ...aircraft, true_heading: 12 }), "4ca7b5")?.heading).toBe(281.5);
});

test("nothing but an address is a signal all of whose numbers are missing, as old as its message", () => {
  expect(parseAircraft(envelope({ hex: "4CA7B5", seen: 3.2 }), "4ca7b5")).toMatchObject({
    ...{ callsign: "", lat: 0, lon: 0, onGround: false, lastSeen: BigInt(at - 4) },
    missing: ["position", "altitude", "speed", "heading", "verticalRate"],
  });
});

test("a position older than a minute is returned with its age", () => {
  const { lat: _lat, lon: _lon, seen_pos: _seen, ...lost } = aircraft;
  const lastPosition = { lat: 51.2, lon: -32.4, nic: 8, rc: 186, seen_pos: 95.2 };
  expect(parseAircraft(envelope({ ...lost, lastPosition }), "4ca7b5")).toMatchObject({
    ...{ lat: 51.2, lon: -32.4, lastSeen: BigInt(at - 96), missing: [] },
  });
});

test("the geometric rate replaces a missing barometric one, and signal strength never does", () => {
  const { baro_rate: _rate, ...other } = aircraft;
  expect(parseAircraft(envelope({ ...other, geom_rate: 192, rssi: -12 }), "4ca7b5")?.verticalRate).toBe(192);
  expect(parseAircraft(envelope({ ...other, rssi: -12 }), "4ca7b5")?.missing).toEqual(["verticalRate"]);
});

test.each([
  ["no aircraft", envelope()],
  ["null for a list", { ac: null, now: at * 1000 }],
  ["another aircraft", envelope({ ...aircraft, hex: "4ca7b6" })],
  ["an address outside of the registry", envelope({ ...aircraft, hex: "~4ca7b5" })],
  ["a 404", undefined],
])("%s has no signal", (_title, response) => {
  expect(parseAircraft(response, "4ca7b5")).toBeUndefined();
});

test.each([
  ["no time", { ac: [aircraft] }],
  ["HTML as text", "<html>"],
  ["an altitude in words", envelope({ ...aircraft, alt_baro: "high" })],
  ["a speed as text", envelope({ ...aircraft, gs: "210" })],
])("an answer with %s is a failure", (_title, response) => {
  expect(() => parseAircraft(response, "4ca7b5")).toThrow(UpstreamError);
});

test("adsb.lol gets one request for the address, with a timeout", async () => {
  const { waiting, requested } = playing(() => envelope(aircraft));
  expect((await adsb(waiting).signal("4ca7b5"))?.callsign).toBe("RYR12AB");
  expect(requested).toEqual([
    {
      url: "https://api.adsb.lol/v2/hex/4ca7b5",
      ...{
        timeoutMs: 8_000,
        tries: 1,
        callerWaits: true,
        maxBytes: 1024 * 1024,
      },
    },
  ]);
});

test("OpenSky's metres become feet, knots and feet a minute", () => {
  expect(parseStates({ time: at, states: [state] }, "4ca7b5")).toEqual({
    icao24: "4ca7b5",
    callsign: "RYR12AB",
    lat: 53.42,
    lon: -6.27,
    altitude: 3500,
    speed: 210.4,
    heading: 281.5,
    verticalRate: -640,
    onGround: false,
    lastSeen: BigInt(at - 5),
    provider: "opensky",
    missing: [],
  });
});

test("whatever feet, knots and feet a minute an aircraft has, OpenSky's metric value leads back to them", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000, max: 60_000 }),
      fc.integer({ min: 0, max: 1_200 }),
      fc.integer({ min: -9_000, max: 9_000 }),
      (feet, knots, rate) => {
        const metric = state
          .with(7, feet * 0.3048)
          .with(9, (knots * 1852) / 3600)
          .with(11, (rate * 0.3048) / 60);
        expect(parseStates({ time: at, states: [metric] }, "4ca7b5")).toMatchObject({
          ...{ altitude: feet, speed: knots, verticalRate: rate },
        });
      },
    ),
  );
});

test("missing values of OpenSky are named, and on the ground the altitude is 0", () => {
  const silent = ["4ca7b5", null, "Ireland", null, at - 1, null, null, null, false, null, null, null];
  expect(parseStates({ time: at, states: [silent] }, "4ca7b5")).toMatchObject({
    ...{ callsign: "", lastSeen: BigInt(at - 1) },
    missing: ["position", "altitude", "speed", "heading", "verticalRate"],
  });
  expect(parseStates({ time: at, states: [silent.with(8, true)] }, "4ca7b5")?.missing).not.toContain("altitude");
});

test("without states OpenSky has no signal; another format is a failure", () => {
  for (const states of [null, [], [state.with(0, "4ca7b6")]])
    expect(parseStates({ time: at, states }, "4ca7b5")).toBeUndefined();
  for (const response of [{}, "x", { time: at, states: [state.with(9, "fast")] }, { time: at, states: [["4ca7b5"]] }])
    expect(() => parseStates(response, "4ca7b5")).toThrow(UpstreamError);
});

test("without an account OpenSky is asked without one", async () => {
  const { waiting, requested } = playing(() => ({ time: at, states: [state] }));
  await opensky(waiting).signal("4ca7b5");
  expect(requested).toHaveLength(1);
  expect(requested[0]?.headers).toEqual({});
});

test("with a client a token is taken once, used until shortly before it ends, and let go when it is refused", async () => {
  const rejections: string[] = [];
  let tokens = 0;
  const variables = { OPENSKY_CLIENT_ID: "client", OPENSKY_CLIENT_SECRET: "secret" };
  const { waiting, requested, time } = playing(({ form }) => {
    if (form) return { access_token: `token ${++tokens}`, expires_in: 1_800 };
    if (rejections.pop()) throw new UpstreamError("answered 401", { status: 401 });
    return { time: at, states: [state] };
  }, variables);
  const { signal } = opensky(waiting);
  const used = () => requested.at(-1)?.headers?.authorization;
  await signal("4ca7b5");
  expect(requested[0]?.form).toEqual({
    grant_type: "client_credentials",
    client_id: "client",
    client_secret: "secret",
  });
  time.now += 1_700_000;
  await signal("4ca7b5");
  expect(used()).toBe("Bearer token 1");
  time.now += 100_000;
  await signal("4ca7b5");
  expect(used()).toBe("Bearer token 2");
  rejections.push("token 2");
  await expect(signal("4ca7b5")).rejects.toThrow(UpstreamError);
  await signal("4ca7b5");
  expect(used()).toBe("Bearer token 3");
});

test.each([
  ["adsb", adsb],
  ["opensky", opensky],
] as const)("every aircraft of %s's sample is returned, and was seen just now", async (name, provider) => {
  const upstream = sampleUpstream(name, () => now);
  const { signal } = provider({ upstream, timeoutMs: 8_000 });
  const files = sampleIndex(name)!.responses.map(({ file }) => file.replace(".json", ""));
  const flights = await Promise.all(files.filter((file) => file !== "none").map(signal));
  expect(flights.length).toBeGreaterThanOrEqual(12);
  for (const flight of flights) {
    const age = now.getTime() / 1000 - Number(flight?.lastSeen);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(120);
  }
  expect(flights.some((flight) => flight?.onGround)).toBe(true);
  expect(flights.some((flight) => (flight?.missing?.length ?? 0) > 2)).toBe(true);
  expect(await signal("ffffff")).toBeUndefined();
});

test("both providers report the sample's aircraft with the same values and units", async () => {
  const reported = async (name: "adsb" | "opensky", provider: typeof adsb) =>
    provider({ upstream: sampleUpstream(name, () => now), timeoutMs: 1 }).signal("8965b3");
  const [a, b] = [await reported("adsb", adsb), await reported("opensky", opensky)];
  expect([a?.altitude, a?.speed, a?.verticalRate]).toEqual([31_000, 455.7, 64]);
  expect(b?.altitude).toBeCloseTo(31_000, 1);
  expect(b?.speed).toBeCloseTo(455.7, 1);
  expect(Math.abs(b!.verticalRate! - 64)).toBeLessThan(1);
});

test.skipIf(!existsSync(captured))("every aircraft of the captured answer passes", () => {
  const response = JSON.parse(readFileSync(captured, "utf8")) as { ac: { hex: string }[] };
  const reported = response.ac.map(({ hex }) => parseAircraft(response, hex));
  expect(reported).toHaveLength(4);
  expect(reported[0]).toMatchObject({
    ...{ icao24: "4853d1", callsign: "TRA62U", registration: "PH-HXG", model: "B738", altitude: 34_550, speed: 452.7 },
    ...{ heading: 352.64, verticalRate: 1472, lat: 42.604706, lon: 1.531032, lastSeen: 1_791_275_559n, missing: [] },
  });
});
