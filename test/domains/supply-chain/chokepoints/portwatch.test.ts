import { expect, test } from "vitest";
import { portWatch } from "../../../../src/domains/supply-chain/chokepoints/portwatch.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const midnight = Date.UTC(2026, 10, 9);
const feature = (over: object = {}) => ({
  attributes: { date: midnight, n_total: 40, n_tanker: 12, capacity_tanker: 1_210_000, ...over },
});
const page = (...features: object[]) => ({ features, exceededTransferLimit: false });
const parse = (...pages: object[]) => portWatch.parse({ responses: [{ series: "suez", answer: pages }] }, now);
const row = { chokepointId: "suez", day: "2026-11-09", ships: 40, tankers: 12, tankerCapacity: 1_210_000 };
const reported = (value: object) => ({ reported: { case: "transits", value } });

/** Answers each request in turn; the last answer stays. */
function scripted(...responses: readonly object[]): { upstream: Upstream; requested: URL[]; pauses: number[] } {
  const requested: URL[] = [];
  const pauses: number[] = [];
  const upstream: Upstream = {
    ...{ origin: "live", now, variable: () => "" },
    text: () => Promise.reject(new Error("not asked")),
    json: async ({ url }) => {
      requested.push(new URL(url));
      return responses[Math.min(requested.length, responses.length) - 1];
    },
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
  };
  return { upstream, requested, pauses };
}

test("a feature becomes the ships of a day, whether its date is a number or text", () => {
  expect(parse(page(feature(), feature({ date: "2026-11-10", n_total: 41 })))).toEqual({
    rows: [reported(row), reported({ ...row, day: "2026-11-10", ships: 41 })],
    rejected: [],
    missing: [],
    complete: true,
  });
});

test("a day without a capacity has none, and not 0", () => {
  const { tankerCapacity: _, ...without } = row;
  expect(parse(page(feature({ capacity_tanker: null }))).rows).toEqual([reported(without)]);
});

test("rows of another shape are left out and named", () => {
  const { rows, rejected } = parse(
    page(feature({ n_total: null }), feature({ date: "soon" }), feature({ n_tanker: -1 })),
  );
  expect(rows).toEqual([]);
  expect(rejected.map((one) => one.row)).toEqual(["suez #0", "suez #1", "suez #2"]);
});

test("a chokepoint without rows is missing", () => {
  expect(parse(page()).missing).toEqual([{ part: "suez", reason: "no rows were returned" }]);
});

test("a chokepoint that fails does not keep the others back", async () => {
  const { upstream, requested } = scripted(page(feature()));
  const json: Upstream["json"] = async (request) => {
    const response = await upstream.json(request);
    if (requested.length === 3) throw new UpstreamError("answered 503", { status: 503 });
    return response;
  };
  const { rows, missing } = portWatch.parse(await portWatch.fetch({ ...upstream, json }), now);
  expect(rows).toHaveLength(12);
  expect(missing).toEqual([{ part: expect.any(String), reason: "answered 503", status: 503 }]);
});

test.each([
  ["an error with status 200", { error: { code: 400, message: "Cannot perform query", details: [] } }],
  ["another format", { rows: [] }],
])("%s is a failure of the upstream", (_title, body) => {
  expect(() => parse(body)).toThrow(UpstreamError);
});

test("every chokepoint is asked for by name, of 180 days, page after page", async () => {
  const { upstream, requested } = scripted(
    { ...page(feature(), feature()), exceededTransferLimit: true },
    page(feature()),
  );
  const response = await portWatch.fetch(upstream);
  expect(requested).toHaveLength(14);
  expect(requested.slice(0, 3).map(({ searchParams }) => searchParams.get("resultOffset"))).toEqual(["0", "2", "0"]);
  expect(requested[0]?.searchParams.get("where")).toBe(
    "portname='Suez Canal' AND date >= timestamp '2026-05-22 00:00:00'",
  );
  expect(portWatch.parse(response, now).rows).toHaveLength(15);
});

test("an empty answer is asked for again after a pause", async () => {
  const { upstream, requested, pauses } = scripted(page(), page(feature()));
  const response = await portWatch.fetch(upstream);
  expect([requested.length, pauses]).toEqual([14, [5_000]]);
  expect(portWatch.parse(response, now)).toMatchObject({ rejected: [], missing: [] });
});

test("days stay for 200 days, one a chokepoint", () => {
  const { key, retains } = portWatch.remember!;
  const [one] = parse(page(feature())).rows;
  expect(key(one!)).toBe("suez 2026-11-09");
  expect(retains(one!, new Date(midnight + 199 * 86_400_000))).toBe(true);
  expect(retains(one!, new Date(midnight + 200 * 86_400_000))).toBe(false);
});

test("the sample yields at least 100 days of each of 13 chokepoints, the newest about a week old", async () => {
  const { rows, rejected } = portWatch.parse(await portWatch.fetch(sampleUpstream("portwatch", () => now)), now);
  expect(rejected).toEqual([]);
  expect(rows).toHaveLength(sampleIndex("portwatch")!.rows);
  const days = rows.flatMap(({ reported }) => (reported?.case === "transits" ? [reported.value] : []));
  const byId = Map.groupBy(days, ({ chokepointId }) => chokepointId);
  expect(byId.size).toBe(13);
  for (const [id, those] of byId) {
    expect(those.length, id).toBeGreaterThanOrEqual(100);
    expect(those.at(-1)?.day).toBe("2026-11-12");
  }
});
