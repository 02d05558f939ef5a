import fc from "fast-check";
import { expect, test } from "vitest";
import { shiftInstants, shiftPeriods, shiftYears } from "../../../src/upstream/sample/sample-periods.ts";

const reference = "2026-11-01";
const months = (text: string, now: string) => shiftPeriods(text, "months", reference, new Date(now));
const quarters = (text: string, now: string) => shiftPeriods(text, "quarters", reference, new Date(now));

test.each([
  ['{"date":"2026-10-01"}', '{"date":"2027-01-01"}'],
  ["2026-10-31|2026-02-28", "2027-01-31|2026-05-31"],
  ["2026-11-30", "2027-02-28"],
  ["31-Oct-2026,0.4", "31-Jan-2027,0.4"],
  ["30-Nov-2026", "28-Feb-2027"],
  ["Date,46296,46327\r\n", "Date,46388,46419\r\n"],
  ['{"year":"2026","period":"M10","periodName":"October"}', '{"year":"2027","period":"M01","periodName":"January"}'],
  [
    '"year": "2026", "period": "M01", "periodName": "January"',
    '"year": "2026", "period": "M04", "periodName": "April"',
  ],
  ['{"yearMonth":"202610","total":"90"}', '{"yearMonth":"202701","total":"90"}'],
  ['{"2026-10":0,"2026-11":1}', '{"2027-01":0,"2027-02":1}'],
  ['{"year":"2026","month":"08"}', '{"year":"2026","month":"11"}'],
  ['"marketYear":"2026","calendarYear":"2026","month":"10"', '"marketYear":"2026","calendarYear":"2027","month":"01"'],
])("three months later %s is %s", (text, moved) => {
  expect(months(text, "2027-02-15T12:00:00Z")).toBe(moved);
});

test("a year later the marketing year is the next one", () => {
  const psd = (marketYear: number, year: number) =>
    `"marketYear":"${marketYear}","calendarYear":"${year}","month":"10"`;
  expect(months(psd(2026, 2026), "2027-11-15T12:00:00Z")).toBe(psd(2027, 2027));
});

test.each([
  "2026-02-30",
  "31-Jun-2026",
  "30-Mai-2026",
  "9999-12-31",
  "ETH-2026-10-10-7",
  "Date,x",
  "12,46327",
  "2026-10",
])("%s stays: it is no day, part of an id, or for ever", (text) => {
  expect(months(text, "2027-02-15T12:00:00Z")).toBe(text);
});

test("quarters move by their own kind: in December as in November not at all, in January by one", () => {
  const text = '"year": "2026", "period": "Q03", "periodName": "3rd Quarter"|2026-07-01';
  expect(quarters(text, "2026-12-31T23:00:00Z")).toBe(text);
  expect(quarters(text, "2027-01-01T00:00:00Z")).toBe(
    '"year": "2026", "period": "Q04", "periodName": "4th Quarter"|2026-10-01',
  );
  expect(quarters(text, "2027-04-01T00:00:00Z")).toBe(
    '"year": "2027", "period": "Q01", "periodName": "1st Quarter"|2027-01-01',
  );
});

test("beside months, quarters still move by quarters", () => {
  const text = '"year":"2026","period":"Q03","periodName":"3rd Quarter"';
  expect([months(text, "2026-12-15T00:00:00Z"), months(text, "2027-03-15T00:00:00Z")]).toEqual([
    text,
    '"year":"2026","period":"Q04","periodName":"4th Quarter"',
  ]);
});

test("in the reference day's own month nothing moves", () => {
  const text = "Date,46296\n31-Oct-2026,2026-10-31";
  for (const now of ["2026-11-01T00:00:00Z", "2026-11-30T23:59:59Z"]) expect(months(text, now)).toBe(text);
});

test("a first, a last and a middle day stay that, there and back, whatever the month", () => {
  const day = fc
    .record({
      year: fc.integer({ min: 1990, max: 2090 }),
      month: fc.integer({ min: 1, max: 12 }),
      date: fc.constantFrom(1, 15, 0),
    })
    .map(({ year, month, date }) => new Date(Date.UTC(year, date === 0 ? month : month - 1, date)));
  const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(day, moment, (from, now) => {
      const text = from.toISOString().slice(0, 10);
      const there = months(text, now.toISOString());
      expect(shiftPeriods(there, "months", now.toISOString().slice(0, 10), new Date(reference))).toBe(text);
      const to = new Date(there);
      const place = (one: Date) => {
        const isLast = new Date(one.getTime() + 86_400_000).getUTCDate() === 1;
        return isLast ? "last" : one.getUTCDate();
      };
      expect(place(to)).toBe(place(from));
    }),
  );
});

test("quarters that are numbers move by quarters with the year of the same object, and by months not at all", () => {
  const text = '[{"period":"2026-09-30","quarter":3,"symbol":"A","year":2026},{"quarter":4},{"year":2026,"quarter":1}]';
  expect(quarters(text, "2027-02-01T00:00:00Z")).toBe(
    '[{"period":"2026-12-31","quarter":4,"symbol":"A","year":2026},{"quarter":4},{"year":2026,"quarter":1}]',
  );
  expect(quarters(text, "2027-05-01T00:00:00Z")).toContain(
    '"period":"2027-03-31","quarter":1,"symbol":"A","year":2027',
  );
  expect(months(text, "2027-02-01T00:00:00Z")).toContain('"quarter":3,"symbol":"A","year":2026');
});

test.each([
  ['"date":"2025","value":2025', "2027-03-01T00:00:00Z", '"date":"2026","value":2025'],
  ['"date": "2018"', "2026-12-31T23:59:59Z", '"date": "2018"'],
  [
    '"refYear":2024,"period":"2024","refYearX":2024',
    "2027-03-01T00:00:00Z",
    '"refYear":2025,"period":"2025","refYearX":2024',
  ],
  ['{"TimeDim":2023,"NumericValue":2023}', "2027-03-01T00:00:00Z", '{"TimeDim":2024,"NumericValue":2023}'],
  ["Norway,NOR,2025,98.9\nAfrica,,2024,2024", "2027-03-01T00:00:00Z", "Norway,NOR,2026,98.9\nAfrica,,2025,2024"],
  ['"date":"2026-10-01"', "2027-01-01T00:00:00Z", '"date":"2026-10-01"'],
])("years of %s move at %s to %s", (text, now, moved) => {
  expect(shiftYears(text, reference, new Date(now))).toBe(moved);
});

test.each([
  ['"now":1793491200000,"ctime":1793491200000', '"now":1793491201500,"ctime":1793491201500'],
  ["[1793491190,52.1,1234567890123456,-1793491190]", "[1793491191,52.1,1234567890123456,-1793491190]"],
  ['"hex":"a1793491200","n":179349120', '"hex":"a1793491200","n":179349120'],
])("instants of %s move by the exact time to %s", (text, moved) => {
  expect(shiftInstants(text, reference, new Date("2026-11-01T00:00:01.500Z"))).toBe(moved);
});
