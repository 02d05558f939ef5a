import type { SampleFolder } from "../folder.ts";
import { jsonText } from "../format/json.ts";
import { type Random, randomOf } from "../random.ts";
import { one, weighted } from "../world/draw.ts";
import { table } from "../world/table.ts";
import { rising, sunday, type Week } from "../world/weeks.ts";

const listings = table<"ticker" | "key" | "title" | "exchange" | "industry" | "line" | "city" | "state" | "year_ends">(
  "companies",
);
type Listing = (typeof listings)[number];

const days = 270;
const weekdays: Week = [0, 1, 1, 1, 1, 1, 0];
/** Prefix of invented filing numbers. No real company has this number. */
const filer = "9999999999-00";
/** Companies in these countries use the forms for foreign issuers. */
const abroad = new Set(["Taiwan", "Netherlands", "Denmark"]);
/** Items of filings, without items that report problems of a company. */
const items = ["2.02,9.01", "7.01,9.01", "8.01", "5.07", "8.01,9.01"];

const submissions = (key: string) => `CIK${key.padStart(10, "0")}`;

/** Returns the register of tickers and the filings of each company, all invented. */
export function sample(): SampleFolder {
  const companies = [...Map.groupBy(listings, ({ key }) => key)];
  const register = listings.map(({ key, ticker, title }, place) => [place, { cik_str: Number(key), ticker, title }]);
  return {
    index: {
      note: "Illustrative. Tickers, names and keys of invented companies at real places, and every filing, number and date, in the form of the SEC's ticker register and submissions API.",
      rows: listings.length,
      responses: [
        { url: "https://www.sec.gov/files/company_tickers.json", file: "company_tickers.json" },
        ...companies.map(([key]) => ({
          url: `https://data.sec.gov/submissions/${submissions(key)}.json`,
          file: `${submissions(key)}.json`,
        })),
      ],
    },
    files: {
      "company_tickers.json": jsonText(Object.fromEntries(register)),
      ...Object.fromEntries(companies.map(([key, own]) => [`${submissions(key)}.json`, jsonText(company(key, own))])),
    },
  };
}

function company(key: string, own: readonly Listing[]) {
  const [listing] = own;
  if (!listing) throw new Error(`The company ${key} has no ticker`);
  const { title, exchange, industry, line, city, state, year_ends } = listing;
  const place = { street1: "1 EXAMPLE WAY", street2: null, city, stateOrCountry: state, zipCode: "00000" };
  const address = { ...place, stateOrCountryDescription: state };
  return {
    cik: key.padStart(10, "0"),
    entityType: "operating",
    sic: industry,
    sicDescription: line,
    name: title,
    tickers: own.map(({ ticker }) => ticker),
    exchanges: own.map(() => exchange),
    ein: "000000000",
    description: "",
    website: "",
    category: "Large accelerated filer",
    fiscalYearEnd: year_ends,
    stateOfIncorporation: state,
    addresses: { mailing: address, business: address },
    phone: "555-555-0100",
    flags: "",
    formerNames: [],
    filings: { recent: filings(randomOf("filings", key), abroad.has(state)), files: [] },
  };
}

interface Filing {
  readonly ago: number;
  readonly form: string;
}

/** Returns the reports of three quarters and the filings between them, newest first. */
function filings(random: Random, isAbroad: boolean) {
  const { integer } = random;
  const first = integer(3, 80);
  // Companies file on Fridays.
  const friday = (ago: number) => 7 * Math.floor(ago / 7) + 2;
  const reports: Filing[] = [0, 1, 2].map((quarter) => ({
    ago: friday(first + 91 * quarter),
    form: isAbroad ? "6-K" : quarter === 1 ? "10-K" : "10-Q",
  }));
  const forms = isAbroad
    ? ([["6-K", 1]] as const)
    : ([
        ["8-K", 4],
        ["4", 9],
        ["144", 2],
        ["SCHEDULE 13G/A", 1],
        ["S-8", 0.5],
        ["DEF 14A", 0.3],
      ] as const);
  const between = rising(days, weekdays, 0.1);
  const others: Filing[] = Array.from({ length: integer(32, 48) }, () => ({
    ago: weighted(random, between),
    form: weighted<string>(random, forms),
  }));
  const all = [...reports, ...others].filter(({ ago }) => ago < days).sort((a, b) => a.ago - b.ago);
  return {
    accessionNumber: all.map((_, place) => `${filer}-${String(all.length - place).padStart(6, "0")}`),
    filingDate: all.map(({ ago }) => sunday(ago)),
    reportDate: all.map(({ ago, form }) => (form.startsWith("10-") ? sunday(ago + 35) : sunday(ago + 1))),
    acceptanceDateTime: all.map(({ ago }) => `${sunday(ago)}T${integer(12, 20)}:${integer(10, 59)}:00.000Z`),
    form: all.map(({ form }) => form),
    items: all.map(({ form }) => (form === "8-K" ? one(random, items) : "")),
    primaryDocument: all.map(({ form }) => `${form.toLowerCase().replaceAll(/[ /]/g, "-")}.htm`),
    primaryDocDescription: all.map(({ form }) => form),
  };
}
