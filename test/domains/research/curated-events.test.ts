import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { expect, test } from "vitest";
import { TechEventSchema } from "../../../gen/es/ids/research/v1/research_pb.ts";
import { curatedEvents } from "../../../src/domains/research/curated-events.ts";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import { countryAt } from "../../../src/reference/places/boundaries.ts";
import { sampleUpstream } from "../../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-04T09:00:00Z");
const head = "id,title,location,latitude,longitude,country,start_date,end_date,url,description";
const good = 'a-2027,A 2027,"Lisbon, Portugal",38.7,-9.1,PT,2027-01-06,2027-01-09,https://a.example,About a';

test("every row of the list is good, and lies in the country that it names", async () => {
  const list = await curatedEvents.fetch(sampleUpstream("curated-events", () => now));
  const { rows, rejected } = curatedEvents.parse(list, now);
  expect(rejected).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(curatedEvents.rows.atLeast);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const validator = createValidator();
  for (const row of rows) {
    expect(validator.validate(TechEventSchema, create(TechEventSchema, row)).kind).toBe("valid");
    expect([row.title, countryAt(row.coords!.lat!, row.coords!.lng!)?.alpha2]).toEqual([
      row.title,
      row.coords?.country,
    ]);
  }
});

test("a row becomes a conference with its own coordinates and description", () => {
  expect(curatedEvents.parse(`${head}\n${good}\n`, now).rows).toEqual([
    {
      id: "a-2027",
      title: "A 2027",
      type: "conference",
      location: "Lisbon, Portugal",
      coords: { lat: 38.7, lng: -9.1, country: "PT", original: "Lisbon, Portugal" },
      startDate: "2027-01-06",
      endDate: "2027-01-09",
      url: "https://a.example",
      source: "curated",
      description: "About a",
    },
  ]);
});

test.each([
  ["an end before its start", good.replace("2027-01-09", "2027-01-05")],
  ["no country", good.replace(",PT,", ",ZZ,")],
  ["no day", good.replace("2027-01-06", "2027-02-30")],
  ["no page", good.replace("https://", "javascript:")],
  ["no latitude", good.replace("38.7", "98.7")],
])("a row with %s is left out and named", (_title, row) => {
  const { rows, rejected } = curatedEvents.parse(`${head}\n${row}\n${good}\n`, now);
  expect([rows.length, rejected.map((one) => one.row)]).toEqual([1, ["line 2"]]);
});

test("a page without a table is a failure", () => {
  expect(() => curatedEvents.parse('a,b\n"', now)).toThrow(UpstreamError);
});
