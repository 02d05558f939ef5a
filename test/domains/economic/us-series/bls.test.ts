import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { expect, test } from "vitest";
import { z } from "zod";
import { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { bls } from "../../../../src/domains/economic/us-series/bls.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream, UpstreamRequest } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/bls/bls_data.json", import.meta.url);

const month = { year: "2026", period: "M10", periodName: "October", latest: "true", value: "136012", footnotes: [{}] };
const quarter = { year: "2026", period: "Q03", periodName: "3rd Quarter", value: "175.2", footnotes: [{}] };

const response = (privately: readonly unknown[], costs: readonly unknown[]) => ({
  status: "REQUEST_SUCCEEDED",
  responseTime: 200,
  message: [],
  Results: {
    series: [
      { seriesID: "CES0500000001", data: privately },
      { seriesID: "CIS1010000000000I", data: costs },
    ],
  },
});
const parse = (...responses: readonly unknown[]) => bls.parse(responses, now);

test("months and quarters become days, values stay the upstream's text", () => {
  expect(parse(response([month, { ...month, period: "M01", value: "135900.50" }], [quarter]))).toEqual({
    rows: [
      { seriesId: "USPRIV", date: "2026-10-01", value: "136012" },
      { seriesId: "USPRIV", date: "2026-01-01", value: "135900.50" },
      { seriesId: "ECIALLCIV", date: "2026-07-01", value: "175.2" },
    ],
    rejected: [],
  });
});

test("a period without a value is passed over", () => {
  const { rows, rejected } = parse(response([month, { ...month, period: "M09", value: "-" }], [quarter]));
  expect([rows.length, rejected]).toEqual([2, []]);
});

test.each(["M13", "M00", "Q01", "A01", "S01", "M1", ""])("%j is not a month, and rejected", (period) => {
  const { rows, rejected } = parse(response([month, { ...month, period }], [quarter]));
  expect(rows).toHaveLength(2);
  expect(rejected).toEqual([{ row: "CES0500000001", reason: `${period} is not a period of the series` }]);
});

test.each(["Q05", "Q00", "M01"])("%s is not a quarter, and rejected", (period) => {
  expect(parse(response([month], [quarter, { ...quarter, period }])).rejected).toHaveLength(1);
});

test.each([
  ["no number", { value: "n/a" }],
  ["no year", { year: "26" }],
  ["no value", { value: undefined }],
])("an observation with %s is rejected", (_title, over) => {
  expect(parse(response([month, { ...month, period: "M09", ...over }], [quarter])).rejected).toHaveLength(1);
});

test.each([
  ["without one of its series", response([month], []), /CIS1010000000000I/],
  ["with values of one of them missing", response([{ ...month, value: "-" }], [quarter]), /CES0500000001/],
  [
    "that refuses with status 200",
    {
      status: "REQUEST_NOT_PROCESSED",
      message: ["Request could not be serviced, as the daily threshold has been reached."],
      Results: {},
    },
    /rejected the request: REQUEST_NOT_PROCESSED .*threshold/,
  ],
  ["in another form", { observations: [] }, /status/],
])("an answer %s is a failure of the upstream", (_title, body, message) => {
  expect(() => parse(body)).toThrow(UpstreamError);
  expect(() => parse(body)).toThrow(message);
});

function requesting(key: string) {
  const bodies: UpstreamRequest["body"][] = [];
  const upstream: Upstream = {
    origin: "live",
    now,
    text: () => Promise.reject(new Error("not asked")),
    json: async ({ body }) => bodies.push(body),
    variable: (_name, fallback) => key || fallback || "",
  };
  return { upstream, bodies };
}

test.each([
  ["ten years without a key", "", ["2017-2026", "2007-2016", "1997-2006", "1987-1996", "1984-1986"]],
  ["twenty with one", "a-key", ["2007-2026", "1987-2006", "1984-1986"]],
])("500 months are asked for in spans of %s", async (_title, key, spans) => {
  const { upstream, bodies } = requesting(key);
  await bls.fetch(upstream);
  expect(bodies.map((body) => `${body?.startyear}-${body?.endyear}`)).toEqual(spans);
  for (const body of bodies) {
    expect(body?.seriesid).toEqual(["CES0500000001", "CIS1010000000000I"]);
    expect(body?.registrationkey).toBe(key || undefined);
  }
});

test("spans form one history, and a duplicate period counts once", () => {
  const { rows } = parse(response([month], [quarter]), response([month, { ...month, year: "2016" }], []));
  expect(rows.map(({ date }) => date)).toEqual(["2026-10-01", "2016-10-01", "2026-07-01"]);
});

test.each(["2026-11-01", "2026-12-31", "2027-01-01", "2028-02-29"])(
  "the sample yields what it says on %s, all valid, up to the month and the quarter that ended ten days before at least",
  async (today) => {
    const then = new Date(`${today}T09:00:00Z`);
    const { rows, rejected } = bls.parse(await bls.fetch(sampleUpstream("bls", () => then)), then);
    expect(rows).toHaveLength(sampleIndex("bls")!.rows);
    expect(rejected).toEqual([]);
    const validator = createValidator();
    for (const row of rows)
      expect(validator.validate(ObservationSchema, create(ObservationSchema, row)).kind).toBe("valid");
    const latest = (id: string) =>
      rows
        .flatMap(({ seriesId, date = "" }) => (seriesId === id ? [date] : []))
        .toSorted()
        .at(-1) ?? "";
    const out = new Date(then.getTime() - 10 * 86_400_000);
    const before = (months: number) =>
      new Date(Date.UTC(out.getUTCFullYear(), out.getUTCMonth() - months, 1)).toISOString().slice(0, 10);
    expect(latest("USPRIV")).toBe(before(1));
    expect(latest("ECIALLCIV")).toBe(before((out.getUTCMonth() % 3) + 3));
  },
);

test.skipIf(!existsSync(captured))(
  "the captured answer passes, with one of its series in the place of each of ours",
  () => {
    const wrapped = z.object({ data: z.looseObject({ Results: z.object({ series: z.array(z.looseObject({})) }) }) });
    const text = readFileSync(captured, "utf8");
    const renamed = text.replaceAll("CES0000000001", "CES0500000001");
    const wire = wrapped.parse(JSON.parse(renamed)).data;
    const series = [...wire.Results.series, { seriesID: "CIS1010000000000I", data: [quarter] }];
    const { rows, rejected } = parse({ ...wire, Results: { series } });
    expect(rejected).toEqual([]);
    const payrolls = rows.filter(({ seriesId }) => seriesId === "USPRIV");
    expect(payrolls).toHaveLength(59);
    expect(payrolls[0]).toEqual({ seriesId: "USPRIV", date: "2024-11-01", value: "159288" });
  },
);
