import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import {
  type ListedCompany,
  ListedCompanySchema,
  type TickerRegister,
  TickerRegisterSchema,
} from "../../../../gen/es/ids/stored/v1/company_pb.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { type Parsed, type Rejection, readAs, readRow, type Source } from "../../../ingest/source.ts";
import { declared, sec } from "./sec.ts";

type Listed = MessageInitShape<typeof ListedCompanySchema>;

const address = "https://www.sec.gov/files/company_tickers.json";

/** The list of about 10,000 tickers from EDGAR, in descending order of market value. */
export const secRegister: Source<Listed> = {
  ...sec,
  rows: { atLeast: 1_000, mayBeEmpty: false },
  fetch: async (upstream) => upstream.json({ url: address, ...declared(upstream) }),
  parse: parseRegister,
};

export const secTickers = snapshot({
  name: "sec-tickers",
  subject: "Companies listed in the United States, with ticker and registrant number.",
  notIncluded: [
    "company revenue, company profit, text of filings: filings and earnings per share",
    "foreign companies: companies that are registered with the US regulator",
  ],
  row: ListedCompanySchema,
  message: TickerRegisterSchema,
  schedule: "10 */6 * * *",
  freshForMinutes: 48 * 60,
  serves: [IntelligenceService.method.getCompanyEnrichment],
  sources: [secRegister],
  combine: ({ bySource }) => ({ companies: [...bySource.values()].flat() }),
  count: ({ companies }) => companies.length,
});

/** The register is an object with the keys `0`, `1`, and so on, in the order of market value. */
const registerSchema = z.record(z.string().regex(/^\d+$/), z.unknown());

const rowSchema = z.object({
  cik_str: z.int().positive().max(9_999_999_999),
  ticker: z.string().trim().toUpperCase().min(1),
  title: z.string().trim().min(1),
});

function parseRegister(response: unknown): Parsed<Listed> {
  const rows = new Map<string, Listed>();
  const rejected: Rejection[] = [];
  for (const [place, value] of Object.entries(readAs("SEC", registerSchema, response))) {
    const read = readRow(rowSchema, value, `#${place}`, rejected);
    if (!read) continue;
    const { cik_str: cik, ticker, title } = read;
    if (rows.has(ticker)) rejected.push({ row: ticker, reason: "is listed already" });
    else rows.set(ticker, { cik: String(cik).padStart(10, "0"), ticker, title });
  }
  return { rows: [...rows.values()], rejected };
}

interface CompanyIndex {
  readonly byTicker: (ticker: string) => ListedCompany | undefined;
  /** Returns the company with this name and its first ticker. Undefined if several companies have the name. */
  readonly byName: (name: string) => ListedCompany | undefined;
}

const tickerForm = /^[A-Z][A-Z0-9.-]{0,9}$/;

const indexes = new WeakMap<TickerRegister, CompanyIndex>();

export function companyIndex(register: TickerRegister): CompanyIndex {
  const known = indexes.get(register) ?? index(register);
  indexes.set(register, known);
  return known;
}

function index({ companies }: TickerRegister): CompanyIndex {
  const byTicker = new Map(companies.map((company) => [company.ticker, company]));
  const byName = new Map<string, ListedCompany | undefined>();
  for (const company of companies) {
    const name = folded(company.title);
    const same = byName.get(name);
    if (!byName.has(name)) byName.set(name, company);
    else if (same?.cik !== company.cik) byName.set(name, undefined);
  }
  return {
    byTicker: (ticker) =>
      // The register has a hyphen before the class of shares, where other sources often have a point.
      tickerForm.test(ticker) ? (byTicker.get(ticker) ?? byTicker.get(ticker.replaceAll(".", "-"))) : undefined,
    byName: (name) => byName.get(folded(name)),
  };
}

function folded(name: string): string {
  return name.trim().replace(/\s+/g, " ").toLowerCase();
}
