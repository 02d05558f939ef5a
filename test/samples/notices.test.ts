import { expect, test } from "vitest";
import { writtenFiles } from "./stories.ts";

const portals = ["canada-buys", "contracts-finder", "gets", "sam", "ted", "world-bank"] as const;
/** Real bodies and firms, which only their own sources may name. */
const real =
  /\b(canadian coast guard|parks canada|fisheries and oceans canada|natural resources canada|corps of engineers|dept of defense|nasa|noaa|national park service|usda|us embassy|melton mowbray|whitby|kendal|gore district|ministry of justice|kommune aalborg|aalborg|tirol kliniken|irish rail|rzesz[oó]w)\b/i;

test.each(portals)("buyers of %s are invented, and no notice is published on a weekend", (source) => {
  for (const { file, text } of writtenFiles(source)) {
    expect(real.exec(text)?.[0], file).toBeUndefined();
    const past = [...text.matchAll(/\{\{sun(-\d+)?[ }]/g)].map(([, offset = "0"]) => -Number(offset));
    expect(past.length, file).toBeGreaterThan(10);
    // Days before a Sunday: whole weeks are Sundays, and a day before them Saturdays.
    expect(
      past.filter((ago) => ago % 7 === 0 || ago % 7 === 1),
      file,
    ).toEqual([]);
  }
});

const companies =
  /\b(microsoft|apple|nvidia|alphabet|google|amazon|berkshire hathaway|taiwan semiconductor|broadcom|tesla|eli lilly|jpmorgan|exxon|walmart|mastercard|costco|oracle|coca[ -]cola|cisco|merck|pfizer|salesforce|qualcomm|boeing|lockheed|general motors|ford motor|mcdonald'?s|asml|novo nordisk|uber|palo alto networks|crowdstrike|deere)\b/i;

test.each([
  "sec",
  "finnhub",
  "hn-algolia",
  "cisa-advisories",
  "cma-announcements",
  "ec-press",
  "ftc-press",
  "doj-press",
])("no company that exists has invented figures, filings or news in %s", (source) => {
  for (const { file, text } of writtenFiles(source)) expect(companies.exec(text)?.[0], file).toBeUndefined();
});
