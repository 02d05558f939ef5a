import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { expect, test } from "vitest";
import { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { gscpi } from "../../../../src/domains/economic/us-series/gscpi.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { UpstreamRequest } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/fred/csv-cc0/gscpi.csv", import.meta.url);
const head = "Date,45292,45323,45352";
const parse = (...lines: readonly string[]) => gscpi.parse(lines.join("\r\n"), now);
const row = (date: string, value: string) => ({ seriesId: "GSCPI", date, value });

test("of a month the value of its latest edition is taken", () => {
  expect(parse(head, "31-May-2026,0.11,0.13,0.12", "30-Jun-2026,#N/A,#N/A,0.40", "31-Jul-2026,0.3,#N/A,")).toEqual({
    rows: [row("2026-05-31", "0.12"), row("2026-06-30", "0.40"), row("2026-07-31", "0.3")],
    rejected: [],
  });
});

test("a month without any edition, blank lines and lines of commas are passed over", () => {
  expect(parse(head, "31-May-2026,-1.5e-2,#N/A,", "", ",,,", "30-Jun-2026,#N/A,#N/A,#N/A", "31-Jul-2026,,,")).toEqual({
    rows: [row("2026-05-31", "-1.5e-2")],
    rejected: [],
  });
});

test.each(["31-Jun-2026,1,1,1", "2026-06-31,1,1,1", "30-Mai-2026,1,1,1", "x,1,1,1", "30-Jun-2026,1,1,high"])(
  "the line %s is rejected by its month",
  (line) => {
    const { rows, rejected } = parse(head, "31-May-2026,0.11", line);
    expect(rows).toHaveLength(1);
    expect(rejected.map((one) => one.row)).toEqual([line.split(",")[0]]);
  },
);

test.each([
  ["a page instead", "<!DOCTYPE html><html></html>", /HTML/],
  ["a page after blank lines", "\n\n <html></html>", /HTML/],
  ["nothing", "", /no table/],
  ["another table", "date,value\n1998-01-01,-1.14", /no table/],
  ["only a head without editions", "Date", /no table/],
  ["broken quotes", `${head}\n"31-May-2026,1`, /is not CSV/],
])("%s is a failure of the upstream", (_title, text, message) => {
  expect(() => gscpi.parse(text, now)).toThrow(UpstreamError);
  expect(() => gscpi.parse(text, now)).toThrow(message);
});

test("the site is asked as a browser would", async () => {
  const requested: UpstreamRequest[] = [];
  const text = async (request: UpstreamRequest) => String(requested.push(request));
  await gscpi.fetch({ origin: "live", now, text, json: async () => undefined, variable: () => "" });
  expect(requested).toMatchObject([{ likeBrowser: true }]);
});

test.each(["2026-11-01", "2026-12-31", "2027-03-01", "2028-02-29"])(
  "the sample yields what it says on %s, all valid, up to the end of the month that ended ten days before at least",
  async (day) => {
    const then = new Date(`${day}T09:00:00Z`);
    const { rows, rejected } = gscpi.parse(await gscpi.fetch(sampleUpstream("gscpi", () => then)), then);
    expect(rows).toHaveLength(sampleIndex("gscpi")!.rows);
    expect(rejected).toEqual([]);
    const validator = createValidator();
    for (const one of rows)
      expect(validator.validate(ObservationSchema, create(ObservationSchema, one)).kind).toBe("valid");
    const ends = rows.map(({ date = "" }) => new Date(Date.parse(date) + 86_400_000).getUTCDate());
    expect(new Set(ends)).toEqual(new Set([1]));
    const out = new Date(then.getTime() - 10 * 86_400_000);
    const lastOfMonthBefore = new Date(Date.UTC(out.getUTCFullYear(), out.getUTCMonth(), 0));
    expect(rows.at(-1)?.date).toBe(lastOfMonthBefore.toISOString().slice(0, 10));
  },
);

test.skipIf(!existsSync(captured))("the captured table is of another format, and refused", () => {
  expect(() => gscpi.parse(readFileSync(captured, "utf8"), now)).toThrow(/no table/);
});
