import type { ListedCompany, TickerRegister } from "../../../../gen/es/ids/stored/v1/company_pb.ts";

export interface CompanyIndex {
  readonly byTicker: (ticker: string) => ListedCompany | undefined;
  /** Returns the company with this name if only one has it, by the first of its tickers. */
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
      // The register writes classes of shares with a hyphen, and other sources often write a point.
      tickerForm.test(ticker) ? (byTicker.get(ticker) ?? byTicker.get(ticker.replaceAll(".", "-"))) : undefined,
    byName: (name) => byName.get(folded(name)),
  };
}

function folded(name: string): string {
  return name.trim().replace(/\s+/g, " ").toLowerCase();
}
