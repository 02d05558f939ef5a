import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fillPlaceholders } from "../../../src/upstream/sample/placeholders.ts";
import { sampleUpstream } from "../../../src/upstream/sample/sample.ts";

const root = fileURLToPath(new URL("../../../sample/", import.meta.url));
const fill = (text: string, now: string) => fillPlaceholders(text, new Date(now), "test/sample.json");
const wednesday = "2026-11-18T12:00:00.000Z";

test.each([
  ["{{day}} {{day-1}} {{day+14}}", "2026-11-18 2026-11-17 2026-12-02"],
  ['"at":"{{day-3}}T07:30:00Z"', '"at":"2026-11-15T07:30:00Z"'],
  ["{{day-18 YYYYMMDD}} {{day-18 DD-Mon-YYYY}}", "20261031 31-Oct-2026"],
  ["{{sun}} {{sun-1}} {{wed}} {{thu}}", "2026-11-15 2026-11-14 2026-11-18 2026-11-12"],
  ["{{trade-1}} {{trade-6}} {{trade+1}} {{trade+3 YYYYMMDD}}", "2026-11-13 2026-11-06 2026-11-16 20261118"],
  ["{{sun-2 Day, DD Mon YYYY}} 09:00:00 GMT", "Fri, 13 Nov 2026 09:00:00 GMT"],
  ["{{sun-10 Weekday, D Month YYYY}}", "Thursday, 5 November 2026"],
  ["{{wed-2 DD1420Z MON YYYY}}", "161420Z NOV 2026"],
  ["{{sun+1 Mon D, YYYY}}", "Nov 16, 2026"],
  ["{{sun+1..+4}} {{sun+15..+17}} {{sun+45..+48}}", "Nov 16–19, 2026 Nov 30 – Dec 2, 2026 Dec 30, 2026 – Jan 2, 2027"],
  ["[{{day-1T20:52:03 s}},{{day-1T20:52 ms}},{{day s}}]", "[1794948723,1794948720000,1794960000]"],
  ["[{{now s}},{{now-15 s}},{{now-1500 ms}}]", "[1795003200,1795003185,1795003198500]"],
  ["{{month}} {{month-11}} {{month-11 YYYYMM}}", "2026-11 2025-12 202512"],
  ["{{month-9 YYYY-MM-01}} {{month-9 last-Mon-YYYY}}", "2026-02-01 28-Feb-2026"],
  ["{{month-1 Month}} M{{month-1 MM}} {{month-12 serial}}", "October M10 45962"],
  ["{{quarter}} {{quarter-4}} {{quarter+1}}", "2026-Q4 2025-Q4 2027-Q1"],
  ["{{quarter-1 Qth}} Quarter, Q0{{quarter-1 Q}} {{quarter-1 YYYY}}", "3rd Quarter, Q03 2026"],
  ["{{quarter-2.3 YYYY-MM-last}} {{quarter-2 YYYY-MM-01}}", "2026-06-30 2026-04-01"],
  ['{"{{year-2}}":{{year+1}}}', '{"2024":2027}'],
  ['"{{gas-2 100.00}}","{{gas-230 100.00}}","{{gas 50}}"', '"91.85","53.30","46"'],
  ["{ {day} } {{}", "{ {day} } {{}"],
])("%s is %s on a Wednesday noon", (text, filled) => {
  expect(fill(text, wednesday)).toBe(filled);
});

test.each([
  ["2028-02-29T23:59:59.999Z", "{{day}} {{day+1}} {{day-366}} {{tue}}", "2028-02-29 2028-03-01 2027-02-28 2028-02-29"],
  ["2028-03-15T00:00:00Z", "{{month-1 YYYY-MM-last}}", "2028-02-29"],
  ["2026-12-31T23:59:59Z", "{{day+1}} {{year}} {{month}} {{quarter}}", "2027-01-01 2026 2026-12 2026-Q4"],
  ["2027-01-01T00:00:00Z", "{{day}} {{year}} {{month}} {{quarter}}", "2027-01-01 2026 2026-12 2026-Q4"],
])("at %s, %s is %s", (now, text, filled) => {
  expect(fill(text, now)).toBe(filled);
});

test.each([
  ["2027-01-07T12:00:00Z", "{{trade-1}} {{trade-2}} {{trade+4}}", "2026-12-31 2026-12-30 2027-01-07"],
  ["2026-12-31T12:00:00Z", "{{trade-1}} {{trade-2}} {{trade+5}}", "2026-12-24 2026-12-23 2027-01-04"],
  ["2027-03-31T12:00:00Z", "{{trade-1}} {{trade-2}} {{trade+1}}", "2027-03-25 2027-03-24 2027-03-30"],
  ["2038-05-02T12:00:00Z", "{{trade-1}} {{trade-2}} {{trade-5}}", "2038-04-30 2038-04-29 2038-04-22"],
  [
    "2026-11-27T23:00:00Z",
    "{{trade+3}} {{trade+4}} {{nyse+3}} {{nyse+4}}",
    "2026-11-25 2026-11-27 2026-11-25 2026-11-27",
  ],
  ["2026-10-11T12:00:00Z", "{{trade-1}} {{trade-2}} {{nyse-1}}", "2026-10-09 2026-10-08 2026-10-09"],
  ["2026-10-11T12:00:00Z", "{{trade-3}} {{nyse-8}}", "2026-09-30 2026-09-30"],
  ["2026-02-25T12:00:00Z", "{{trade-1}} {{trade+2}}", "2026-02-13 2026-02-25"],
  ["2026-07-05T12:00:00Z", "{{nyse-1}} {{nyse-10}} {{nyse-11}}", "2026-07-02 2026-06-18 2026-06-17"],
  ["2027-01-24T12:00:00Z", "{{nyse-4}} {{nyse-5}} {{nyse-14}}", "2027-01-19 2027-01-15 2027-01-04"],
  ["2027-12-31T23:00:00Z", "{{nyse-1}} {{nyse+5}}", "2027-12-23 2027-12-31"],
])("at %s the trading days %s are %s: none is on a weekend or a closing day of an exchange", (now, text, filled) => {
  expect(fill(text, now)).toBe(filled);
});

test.each([
  ["2027-01-10T23:59:59Z", "2026-12"],
  ["2027-01-11T00:00:00Z", "2027-01"],
])("at %s the newest month that has begun is %s, as one is published ten days after its end", (now, month) => {
  expect(fill("{{month}}", now)).toBe(month);
});

test.each([
  ["2027-01-30T23:59:59Z", "2026-Q4"],
  ["2027-01-31T00:00:00Z", "2027-Q1"],
])("at %s the newest quarter that has begun is %s, as one is published thirty days after its end", (now, quarter) => {
  expect(fill("{{quarter}}", now)).toBe(quarter);
});

test.each([
  ["2027-06-29T23:59:59Z", "2025"],
  ["2027-06-30T00:00:00Z", "2026"],
])("at %s the newest whole year is %s, as one is published 180 days after its end", (now, year) => {
  expect(fill("{{year-1}}", now)).toBe(year);
});

test("a day that is counted from a weekday stays on it, and is at least the given number of days ago", () => {
  for (let day = 0; day < 30; day++) {
    const now = Date.parse("2028-02-14T13:00:00Z") + day * 86_400_000;
    const filled = Date.parse(fill("{{sun-3}}", new Date(now).toISOString()));
    expect(new Date(filled).getUTCDay()).toBe(4);
    const before = Math.floor((now - filled) / 86_400_000);
    expect(before >= 3 && before < 10, String(before)).toBe(true);
  }
});

test.each([
  ...["{{dya-3}}", "{{day3}}", "{{Day-3}}", "{{ day-3}}", "{{day-3 }}", "{{day-1.5}}", "{{day-3 yyyy-mm-dd}}"],
  ...["{{day-3 DD of Month}}", "{{day-3T07:30}}", "{{month-1T07:30 s}}", "{{now-5}}", "{{now-5 YYYY}}", "{{day.2}}"],
  ...["{{quarter-1.4}}", "{{trade}}", "{{trade+0}}", "{{trade-2..+1}}", "{{month-1..+2}}", "{{week-1}}", "{{}}"],
  ...["{{gas-2}}", "{{gas-2 YYYY}}", "{{gas-2 1.2.3}}", "{{gas-2T07:30 50}}", "{{gas-2..+1 50}}"],
])("%s is refused by name, with the file that has it", (placeholder) => {
  expect(() => fill(`{"day":"{{day}}","at":"${placeholder}"}`, wednesday)).toThrow(
    `The sample test/sample.json has the unknown placeholder ${placeholder}`,
  );
});

test("every placeholder of every sample is known, and its answers hold none", () => {
  const files = globSync("*/*", { cwd: root }).filter((file) => !file.endsWith("sample.json"));
  expect(files.length).toBeGreaterThan(500);
  const left = files.filter((file) =>
    fillPlaceholders(readFileSync(`${root}${file}`, "utf8"), new Date(wednesday), file).includes("{{"),
  );
  expect(left).toEqual([]);
});

test("an answer that is played has dates for its placeholders", async () => {
  const upstream = sampleUpstream("agsi", () => new Date("2027-02-28T09:00:00Z"));
  const response = await upstream.text({ url: "https://agsi.gie.eu/api?type=eu&size=40" });
  expect(/"gas_day": ?"([\d-]+)"/.exec(response)?.[1]).toBe("2027-02-26");
});
