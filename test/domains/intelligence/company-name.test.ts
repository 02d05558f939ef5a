import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { brandOf, namesCompany } from "../../../src/domains/intelligence/company-name.ts";

const captured = new URL("../../../../shared/upstream/sec/company_tickers.json", import.meta.url);

test.each([
  ["Apple Inc.", "Apple"],
  ["MICROSOFT CORP", "MICROSOFT"],
  ["AMAZON COM INC", "AMAZON"],
  ["JPMORGAN CHASE & CO", "JPMORGAN CHASE"],
  ["ELI LILLY & Co", "ELI LILLY"],
  ["Merck & Co., Inc.", "Merck"],
  ["JOHNSON & JOHNSON", "JOHNSON & JOHNSON"],
  ["BANK OF AMERICA CORP /DE/", "BANK OF AMERICA"],
  ["QUALCOMM INC/DE", "QUALCOMM"],
  ["COSTCO WHOLESALE CORP /NEW", "COSTCO WHOLESALE"],
  ["CrowdStrike Holdings, Inc.", "CrowdStrike"],
  ["NOVO NORDISK A S", "NOVO NORDISK"],
  ["ASML HOLDING NV", "ASML"],
  ["AT&T INC.", "AT&T"],
  ["3M CO", "3M"],
  ["The Trade Desk, Inc.", "Trade Desk"],
  ["Booking.com Inc", "Booking"],
  ["Group Inc", "Group"],
  ["OI S.A. - In Judicial Reorganization", "OI"],
  ["", ""],
])("%j is known as %j", (title, brand) => {
  expect(brandOf(title)).toBe(brand);
});

test.each([
  ["Apple Inc.", "AAPL", "The agency asked Apple's counsel for comments", true],
  ["Apple Inc.", "AAPL", "The harvest of apples and of every apple tree", false],
  ["Apple Inc.", "AAPL", "Pineapple growers met the ministry", false],
  ["Apple Inc.", "AAPL", "FTC Acts On Apple Fees", false],
  ["TARGET CORP", "TGT", "FTC Acts To Target Fraud", false],
  ["MICROSOFT CORP", "MSFT", "Commitments by Microsoft were accepted", true],
  ["COCA COLA CO", "KO", "CMA Clears Coca-Cola Deal", true],
  ["EXXON MOBIL CORP", "XOM", "A Refinery Of ExxonMobil", true],
  ["MCDONALDS CORP", "MCD", "Franchisees of McDonald’s gathered in Chicago", true],
  ["AT&T INC.", "T", "An Outage At AT&T", true],
  ["AT&T INC.", "T", "at the table", false],
  ["3M CO", "MMM", "Masks of 3M were recalled", true],
  ["Ge Co", "GE", "Ge was asked", false],
  ["INTERNATIONAL BUSINESS MACHINES CORP", "IBM", "A Maker Of Mainframes (NYSE: IBM)", true],
  ["BERKSHIRE HATHAWAY INC", "BRK-B", "A Holding (NYSE:BRK.B) Answers", true],
  ["VISA INC.", "V", "A visa for researchers", false],
  ["VISA INC.", "V", "A Firm (Nasdaq: VV) Answers", false],
])("%s (%s) in %j: %s", (title, ticker, text, expected) => {
  expect(namesCompany({ title, ticker })(text)).toBe(expected);
});

test("a company without a name of letters or digits is named by nothing", () => {
  expect(namesCompany({ title: "&", ticker: "X" })("a text & more")).toBe(false);
});

test.skipIf(!existsSync(captured))(
  "every name of the captured register leaves something, and is found in a sentence",
  () => {
    const companies: { title: string; ticker: string }[] = Object.values(JSON.parse(readFileSync(captured, "utf8")));
    const lost = companies.filter((company) => {
      const brand = brandOf(company.title);
      return brand === "" || !namesCompany(company)(`Yesterday ${brand.toUpperCase()} announced results`);
    });
    expect(lost.map(({ title }) => title)).toEqual([]);
  },
);
