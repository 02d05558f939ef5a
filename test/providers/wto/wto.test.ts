import { expect, test } from "vitest";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import { economies, fetchWto, type Indicator, wtoMetadata } from "../../../src/providers/wto/wto.ts";
import type { Upstream } from "../../../src/upstream/upstream.ts";

const now = new Date("2026-11-04T09:00:00Z");
const tariffs: Indicator = { code: "TP_A_0010", unit: "PCT" };
const exports: Indicator = { code: "ITS_MTV_AX", unit: "USM", partner: "000", product: "TO" };
const imports: Indicator = { ...exports, code: "ITS_MTV_AM" };

const reporters = Array.from({ length: 70 }, (_, i) => ({ code: String(100 + i), name: `Economy ${i}` }));

/** An upstream that records the order of events, and fails on demand. */
function recording(fails: (url: URL) => boolean = () => false) {
  const events: (URL | number)[] = [];
  const upstream: Upstream = {
    origin: "live",
    now,
    variable: (name) => `${name} value`,
    json: async () => reporters,
    async text({ url, headers, timeoutMs }) {
      expect(headers).toEqual({ "ocp-apim-subscription-key": "WTO_API_KEY value" });
      expect(timeoutMs).toBe(60_000);
      events.push(new URL(url));
      if (fails(new URL(url))) throw new UpstreamError("api.wto.org answered 503", { status: 503 });
      return "";
    },
    async pause(milliseconds) {
      events.push(milliseconds);
    },
  };
  return { upstream, events, urls: () => events.filter((event) => event instanceof URL) };
}

test("reporters are asked for by thirty, a second apart", async () => {
  const { upstream, urls } = recording();
  await fetchWto(upstream, [tariffs]);
  expect(wtoMetadata.pace).toEqual({ spacingMs: 1_000 });
  expect(urls().map((url) => url.searchParams.get("r")?.split(",").length)).toEqual([30, 30, 10]);
});

test("a request names indicator, years, format and the most rows, and partner and product where there are some", async () => {
  const { upstream, urls } = recording();
  await fetchWto(upstream, [tariffs, exports]);
  const requested = { ps: "1996-2026", fmt: "json", mode: "full", max: "5000" };
  const r = reporters
    .slice(0, 30)
    .map(({ code }) => code)
    .join();
  expect(urls().map((url) => Object.fromEntries(url.searchParams))[0]).toEqual({ i: "TP_A_0010", r, ...requested });
  expect(urls().map((url) => Object.fromEntries(url.searchParams))[1]).toEqual({
    ...{ i: "ITS_MTV_AX", r, p: "000", pc: "TO" },
    ...requested,
  });
});

test("an indicator of recent years is requested for those only", async () => {
  const { upstream, urls } = recording();
  await fetchWto(upstream, [{ ...tariffs, yearsBack: 10 }]);
  expect(urls()[0]?.searchParams.get("ps")).toBe("2016-2026");
});

test("one indicator is asked for at a time", async () => {
  const { upstream, urls } = recording();
  await fetchWto(upstream, [exports, imports]);
  expect(urls().map((url) => url.searchParams.get("i"))).toEqual([
    ...["ITS_MTV_AX", "ITS_MTV_AM"],
    ...["ITS_MTV_AX", "ITS_MTV_AM"],
    ...["ITS_MTV_AX", "ITS_MTV_AM"],
  ]);
});

test("a batch that fails says why, and the others continue", async () => {
  const { upstream } = recording((url) => url.searchParams.get("r")?.startsWith("130") ?? false);
  const { batches } = await fetchWto(upstream, [tariffs]);
  expect(batches.map(({ body, failure }) => failure ?? body)).toEqual(["", "api.wto.org answered 503", ""]);
});

test("after three failures the rest is not asked for any more, and counts as not answered", async () => {
  const { upstream, urls } = recording(() => true);
  const { batches } = await fetchWto(upstream, [exports, imports]);
  expect(urls()).toHaveLength(3);
  expect(batches).toHaveLength(6);
  expect(batches.at(-1)?.failure).toBe("not requested because other requests had failed");
});

test("an internal failure is not reported as one of the upstream", async () => {
  const { upstream } = recording();
  const broken = { ...upstream, text: () => Promise.reject(new TypeError("a mistake of ours")) };
  await expect(fetchWto(broken, [tariffs])).rejects.toThrow(TypeError);
});

test("the economies listed are those with three digits, the world and groups left out, however the members are written", () => {
  const listed = [
    { code: "000", name: "World" },
    { Code: "918", Name: " European Union " },
    { code: "ACP", name: "A group" },
    { code: "4", name: "Too short" },
    { code: "004", name: "Afghanistan" },
    { code: "008" },
    null,
  ];
  expect([...economies(listed)]).toEqual([
    ["918", "European Union"],
    ["004", "Afghanistan"],
  ]);
});

test.each([[[]], [{ message: "no" }], [[{ code: "000", name: "World" }]]])(
  "without any economy (%j) the request fails, and no list replaces it",
  (listed) => {
    expect(() => economies(listed)).toThrow(UpstreamError);
  },
);
