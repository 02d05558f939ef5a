import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { brandOf, commonWords, namesCompany } from "../../../../src/domains/intelligence/companies/company-name.ts";
import { processorMs } from "../../../support/processor-time.ts";

const captured = new URL("../../../../../shared/upstream/sec/company_tickers.json", import.meta.url);

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
  ["VISA INC.", "V", "Visa fraud conspiracy leads to prison for former employee", false],
  ["TARGET CORP", "TGT", "Target of federal investigation pleads guilty", false],
  ["Block, Inc.", "SQ", "Block grant funding announced for states", false],
  ["Block, Inc.", "SQ", "It was announced today. Block grants will follow", false],
  ["Block, Inc.", "SQ", "The agency said: “Block grants will follow soon”", false],
  ["Block, Inc.", "SQ", "Block grants were frozen, and payments by Block were not", true],
  ["Block, Inc.", "SQ", "Community Development Block Grant funding announced", false],
  ["SOUTHERN CO", "SO", "Attorneys of the Southern District announced charges", false],
  ["CITY HOLDING CO", "CHCO", "A Kansas City man pleaded guilty today", false],
  ["SOUTHERN CO", "SO", "Southern Company agreed to lower its prices", true],
  ["VISA INC.", "V", "Visa, Inc. agreed to lower its fees", true],
  ["VISA INC.", "V", "Visa’s fees are under investigation", true],
  ["VISA INC.", "V", "VISA agreed to lower its fees", true],
  ["VISA INC.", "V", "United States v. Visa was decided yesterday", true],
  ["VISA INC.", "V", "Regulators accepted commitments by Visa and others", true],
  ["MICROSOFT CORP", "MSFT", "Microsoft to pay millions over privacy", true],
  ["Apple Inc.", "AAPL", "Apple to pay millions over privacy", true],
  ["NVIDIA CORP", "NVDA", "NVIDIA answered the questions yesterday", true],
  ["EBAY INC", "EBAY", "eBay answered the questions yesterday", true],
  ["S&P Global Inc.", "SPGI", "A report of S&P Global was cited", true],
  ["S&P Global Inc.", "SPGI", "The report’s pages on global trade", false],
])("%s (%s) in %j: %s", (title, ticker, text, expected) => {
  expect(namesCompany({ title, ticker })(text)).toBe(expected);
});

const letters = fc.stringMatching(/^[a-zé]{2,6}$/);
// A legal form at the end is not part of the name, which may then be too short to be found within a sentence.
const company = fc
  .array(letters, { minLength: 2, maxLength: 4 })
  .filter((words) => words.join("").length > 3 && brandOf(words.join(" ")) === words.join(" "));

test("a name is found however its words are parted by up to three signs, and not by four, nor inside a longer word", () => {
  const gap = fc.stringMatching(/^[ &.’-]{0,3}$/);
  fc.assert(
    fc.property(company, gap, fc.constantFrom("s", "é", "7"), (words, between, more) => {
      const names = namesCompany({ title: words.join(" "), ticker: "X" });
      const capitals = brandOf(words.join(" ")).toUpperCase().split(" ");
      const spelling = capitals.join(between);
      expect(names(`It said ${spelling}, and left`)).toBe(true);
      if (capitals.length > 1) expect(names(`It said ${capitals.join("    ")}, and left`)).toBe(false);
      expect(names(`It said ${more}${spelling}, and left`)).toBe(false);
      expect(names(`It said ${spelling}${more}, and left`)).toBe(false);
    }),
  );
});

// About 6 times on a quiet machine: the first letter of the other is hardly ever found.
test("a text that a name's common first letters run through costs about as much as any other", () => {
  const texts = Array.from({ length: 500 }, (_, i) => `${i} at the attorney's attic, a team in spring `.repeat(100));
  const slowest = (title: string) => {
    const names = namesCompany({ title, ticker: "X" });
    const run = () => texts.map(names);
    return Math.min(...Array.from({ length: 7 }, () => processorMs(run)));
  };
  expect(slowest("AT&T INC.")).toBeLessThan(40 * slowest("Zymeworks Inc."));
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

test.skipIf(!existsSync(captured))("every common word is the whole name of a listed company", () => {
  const companies: { title: string }[] = Object.values(JSON.parse(readFileSync(captured, "utf8")));
  const brands = new Set(companies.map(({ title }) => brandOf(title).toLowerCase()));
  expect([...commonWords].filter((word) => !brands.has(word) || word.length < 4)).toEqual([]);
});

test("a ticker is compared as it is written, whatever expression it would be", () => {
  const finds = namesCompany({ title: "Group Inc", ticker: "A(+" });
  expect([finds("Rates rise (NYSE: A(+)"), finds("Rates rise (NYSE: AA)")]).toEqual([true, false]);
});
