import { expect, test } from "vitest";
import { createReverseGeocoder } from "../../../src/domains/infrastructure/reverse-geocoder.ts";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import type { UpstreamRequest } from "../../../src/upstream/upstream.ts";

/** A provider whose time passes only on demand, and that records each wait. */
function provider(response: (request: UpstreamRequest) => unknown) {
  const requested: UpstreamRequest[] = [];
  const waits: number[] = [];
  const time = { now: Date.UTC(2026, 10, 1) };
  const geocode = createReverseGeocoder({
    provider: {
      url: "https://geocoder.example",
      userAgent: "ids (ops@example.org)",
      clock: () => new Date(time.now),
      delay: async (milliseconds) => {
        waits.push(milliseconds);
      },
      json: async (request) => {
        requested.push(request);
        return response(request);
      },
    },
  });
  return { geocode, requested, waits, time };
}

const lebanon = {
  place_id: 1,
  license: "illustrative",
  lat: "33.87",
  lon: "35.84",
  display_name: "Zahle, Lebanon",
  address: { town: "Zahle", "ISO3166-2-lvl4": "LB-BI", country: "Lebanon", country_code: "lb" },
};

test("a provider's answer becomes country, code and its own display name", async () => {
  const { geocode, requested } = provider(() => lebanon);
  expect(await geocode(33.87, 35.84)).toEqual({ country: "Lebanon", code: "LB", displayName: "Zahle, Lebanon" });
  const request = requested[0]!;
  expect(request.url).toMatch(/^https:\/\/geocoder\.example\/reverse\?.*lat=33\.87&lon=35\.84/);
  expect(request.headers).toEqual({ "user-agent": "ids (ops@example.org)" });
  expect(request.timeoutMs).toBe(8_000);
});

test("a territory with its own code comes before its country", async () => {
  const address = { "ISO3166-2-lvl3": "CN-HK", country: "China", country_code: "cn" };
  const { geocode } = provider(() => ({ display_name: "Hong Kong, China", address }));
  expect(await geocode(22.3, 114.2)).toMatchObject({ code: "HK", country: "Hong Kong" });
});

test("a state's code is not a territory's: Georgia in the United States is not Gabon", async () => {
  const address = { "ISO3166-2-lvl4": "US-GA", country: "United States", country_code: "us" };
  const { geocode } = provider(() => ({ display_name: "Atlanta", address }));
  expect(await geocode(33.7, -84.4)).toMatchObject({ code: "US", country: "United States" });
});

test("where the provider knows nothing the answer is empty, and is kept", async () => {
  const { geocode, requested } = provider(() => ({ error: "Unable to geocode" }));
  expect(await geocode(0, 0)).toEqual({});
  expect(await geocode(0, 0)).toEqual({});
  expect(requested).toHaveLength(1);
});

test.each([
  [
    "a status",
    () => Promise.reject(new UpstreamError("https://geocoder.example/?key=1: 503", { status: 503 })),
    "returned 503",
  ],
  [
    "no answer",
    () => Promise.reject(new UpstreamError("time-out at https://geocoder.example/?key=1")),
    "did not respond",
  ],
  ["another error text", () => ({ error: "Rate limited" }), "another format"],
  ["another format", () => ({ results: [] }), "another format"],
  ["a country without a code", () => ({ display_name: "X", address: { country_code: "zz" } }), "without an ISO"],
])(
  "%s is reported in error, with all other fields empty, and requested again next time",
  async (_title, response, text) => {
    const { geocode, requested } = provider(response);
    const { error, ...rest } = await geocode(1, 1);
    expect(error).toContain(text);
    expect(error).not.toContain("key");
    expect(rest).toEqual({});
    await geocode(1, 1);
    expect(requested).toHaveLength(2);
  },
);

test("requests leave a second apart, and those that would wait more than five seconds are turned away", async () => {
  const { geocode, requested, waits } = provider(() => lebanon);
  const responses = await Promise.all(Array.from({ length: 8 }, (_, i) => geocode(i, 0)));
  expect(responses.filter(({ error }) => error?.includes("too many"))).toEqual(responses.slice(6));
  expect(requested).toHaveLength(6);
  expect(waits).toEqual([1_000, 2_000, 3_000, 4_000, 5_000]);
});

test("callers of the same point share one request; its answer is kept for seven days", async () => {
  const { geocode, requested, time } = provider(() => lebanon);
  await Promise.all([geocode(5, 180), geocode(5, -180), geocode(5, 180)]);
  expect(requested).toHaveLength(1);
  time.now += 6.9 * 86_400_000;
  await geocode(5, -180);
  expect(requested).toHaveLength(1);
  time.now += 0.2 * 86_400_000;
  await geocode(5, -180);
  expect(requested).toHaveLength(2);
});
