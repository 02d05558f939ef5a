import fc from "fast-check";
import { expect, test } from "vitest";
import { fetchSchedule } from "../../../../src/domains/military/flights/flight-schedule.ts";
import { airlineOf, iataCallsign, liveFlight } from "../../../../src/domains/military/flights/flight-signal.ts";
import { createFlightTracker, type FlightParts } from "../../../../src/domains/military/flights/flight-tracker.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { airlines } from "../../../../src/reference/airlines.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const start = Date.UTC(2026, 10, 1);
const signal = (icao24: string, callsign = "RYR12AB") =>
  liveFlight("adsb", { icao24, callsign, position: { lat: 1, lon: 2 }, onGround: false, seenAt: start / 1000 });

/** A tracker with a recording provider, whose time passes only on demand. */
function tracker(parts: Partial<FlightParts> = {}) {
  const requested: string[] = [];
  const reported: string[] = [];
  const time = { now: start };
  const { find } = createFlightTracker({
    clock: () => new Date(time.now),
    lookedUp: (upstream, failure) => reported.push(`${upstream} ${failure ? "failed" : "ok"}`),
    ...parts,
    provider: {
      name: "adsb",
      signal: async (icao24) => {
        requested.push(icao24);
        return parts.provider ? parts.provider.signal(icao24) : signal(icao24);
      },
    },
  });
  return { find, requested, responded: reported, time };
}

const down = () => Promise.reject(new UpstreamError("down"));

/** Plays answers by address. */
const waiting = (responses: Readonly<Record<string, unknown>>, requested: string[] = []) => ({
  upstream: {
    origin: "live",
    now: new Date(start),
    variable: () => "",
    text: down,
    json: async ({ url }) => {
      requested.push(url);
      if (url in responses) return responses[url];
      throw new UpstreamError("answered 404", { status: 404 });
    },
  } satisfies Upstream,
  timeoutMs: 6_000,
});

test.each([
  ["UAE528", "EK528", "Emirates"],
  ["EZY13BU", "U213BU", "easyJet"],
  [" ryr12ab ", "FR12AB", "Ryanair"],
  ["TRA62U", "HV62U", "Transavia"],
  ["N123AB", "", undefined],
  ["DUKE41", "", undefined],
  ["RCH123", "", undefined],
  ["UAE", "", undefined],
  ["", "", undefined],
  ["UAEX1", "", undefined],
])("the callsign %s is %j of %s", (callsign, iata, name) => {
  expect([iataCallsign(callsign), airlineOf(callsign)?.name]).toEqual([iata, name]);
});

test("every airline of the table has codes of their form and a name", () => {
  expect(airlines.size).toBeGreaterThan(150);
  for (const [code, { icao, iata, name }] of airlines) {
    expect(code).toBe(icao);
    expect(`${icao} ${iata} ${name}`).toMatch(/^[A-Z]{3} (?=.?[A-Z])[A-Z\d]{2} \p{Lu}?\S.+$/u);
  }
});

test("any callsign keeps its number behind the airline's code", () => {
  const number = fc.stringMatching(/^\d[A-Z\d]{0,3}$/);
  fc.assert(
    fc.property(fc.constantFrom(...airlines.values()), number, ({ icao, iata }, rest) => {
      expect(iataCallsign(icao + rest)).toBe(iata + rest);
    }),
  );
});

test("fifty concurrent calls for one aircraft are one request, and so is a call within 30 seconds", async () => {
  const { find, requested, time } = tracker();
  const findings = await Promise.all(Array.from({ length: 50 }, () => find("4ca7b5")));
  expect(findings.every(({ flight }) => flight?.callsignIata === "FR12AB" && flight.airlineName === "Ryanair")).toBe(
    true,
  );
  time.now += 30_000;
  await find("4ca7b5");
  expect(requested).toEqual(["4ca7b5"]);
  time.now += 1;
  await find("4ca7b5");
  expect(requested).toHaveLength(2);
});

test("the absence of a signal is cached like a signal", async () => {
  const {
    find,
    requested,
    responded: reported,
  } = tracker({ provider: { name: "adsb", signal: async () => undefined } });
  expect([await find("4ca7b5"), await find("4ca7b5")]).toEqual([{}, {}]);
  expect([requested.length, reported]).toEqual([1, ["adsb ok", "adsb ok"]]);
});

test("a failing provider is reported as failing, counted, and called again at once", async () => {
  let tries = 0;
  const provider = { name: "adsb", signal: async (icao24: string) => (++tries === 1 ? down() : signal(icao24)) };
  const { find, responded: reported } = tracker({ provider });
  expect(await find("4ca7b5")).toEqual({ unavailable: true });
  expect((await find("4ca7b5")).flight?.callsign).toBe("RYR12AB");
  expect(reported).toEqual(["adsb failed", "adsb ok"]);
});

test("an internal fault does not count as a failure of the provider", async () => {
  const provider = { name: "adsb", signal: () => Promise.reject(new TypeError("ours")) };
  await expect(tracker({ provider }).find("4ca7b5")).rejects.toThrow(TypeError);
});

test("no more than 32 different aircraft are asked for at once", async () => {
  const provider = { name: "adsb", signal: () => new Promise<never>(() => undefined) };
  const { find, requested } = tracker({ provider });
  for (let index = 0; index < 32; index++) void find(index.toString(16).padStart(6, "0"));
  expect(await find("ffffff")).toEqual({ unavailable: true });
  expect(requested).toHaveLength(32);
});

test("adds the schedule, except to a signal without a callsign", async () => {
  const schedule = async (callsign: string) => ({ depIata: callsign, arrDelayedMin: -4 });
  const named = await tracker({ schedule }).find("4ca7b5");
  expect(named.flight).toMatchObject({ depIata: "RYR12AB", arrDelayedMin: -4 });
  const provider = { name: "adsb", signal: async (icao24: string) => signal(icao24, "") };
  const unnamed = await tracker({ provider, schedule }).find("4ca7b5");
  expect(unnamed.flight).not.toHaveProperty("depIata");
  expect(unnamed.flight).toMatchObject({ callsignIata: "" });
});

test("caches a schedule for 60 seconds and returns the flight even if the schedule fails", async () => {
  let requested = 0;
  const { find, time } = tracker({ schedule: async () => ({ flightStatus: String(++requested) }) });
  const statuses: (string | undefined)[] = [];
  for (const seconds of [0, 31, 29, 1]) {
    time.now += seconds * 1000;
    statuses.push((await find("4ca7b5")).flight?.flightStatus);
  }
  expect(statuses).toEqual(["1", "1", "1", "2"]);
  const broken = tracker({ schedule: down });
  expect((await broken.find("4ca7b5")).flight?.callsign).toBe("RYR12AB");
  expect(broken.responded).toEqual(["adsb ok", "flight-schedule failed"]);
});

const schedule = {
  ...{ flightIcao: "RYR12AB", depIata: "STN", arrIata: "DUB", depTimeUtc: "2026-06-01T08:50:00Z" },
  ...{ arrTimeUtc: "2026-06-01T10:10:00Z", depEstimated: "2026-06-01T08:58:00Z", arrEstimated: "2026-06-01T10:06:00Z" },
  ...{ depDelayed: 8, arrDelayed: -4, status: "en-route", duration: 80, arrTerminal: "1" },
};

test("a schedule is found under the callsign, else under the one with the airline's IATA code", async () => {
  const base = "https://s.example/schedule";
  const requested: string[] = [];
  expect(await fetchSchedule(waiting({ [`${base}/FR12AB`]: { schedule } }, requested), base, "ryr12ab")).toEqual({
    ...{ depIata: "STN", arrIata: "DUB", depTimeUtc: "2026-06-01T08:50:00Z", arrTimeUtc: "2026-06-01T10:10:00Z" },
    ...{ depEstimatedUtc: "2026-06-01T08:58:00Z", arrEstimatedUtc: "2026-06-01T10:06:00Z", depDelayedMin: 8 },
    ...{ arrDelayedMin: -4, flightStatus: "en-route", flightDurationMin: 80, arrTerminal: "1" },
  });
  expect(requested).toEqual([`${base}/RYR12AB`, `${base}/FR12AB`]);
  expect(await fetchSchedule(waiting({ [`${base}/RYR12AB`]: { schedule: null } }), base, "RYR12AB")).toBeUndefined();
  const changed = waiting({ [`${base}/RYR12AB`]: { schedule: { depIata: 7 } } });
  await expect(fetchSchedule(changed, base, "RYR12AB")).rejects.toThrow(UpstreamError);
});

test.each(["../../admin", "A B", "RYR12AB?x=1", "", "RYR%2F1", "TOOLONGCALLSIGN"])(
  "no provider receives a request for the schedule of %j",
  async (callsign) => {
    const requested: string[] = [];
    await fetchSchedule(waiting({}, requested), "https://s.example", callsign);
    expect(requested).toEqual([]);
  },
);
