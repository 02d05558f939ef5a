import type { ListedCompany, TickerRegister } from "../../../../gen/es/ids/stored/v1/company_pb.ts";

/** Finds companies in the register. */
export interface CompanyIndex {
  readonly byTicker: (ticker: string) => ListedCompany | undefined;
  /** The company whose alone this name is; by the first of its tickers. */
  readonly byName: (name: string) => ListedCompany | undefined;
}

/** Longer or otherwise written ones are no company's. */
const tickerForm = /^[A-Z][A-Z0-9.-]{0,9}$/;

const indexes = new WeakMap<TickerRegister, CompanyIndex>();

/** The index of a register, made once. */
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
      // Classes of shares are written with a hyphen there and often with a point elsewhere.
      tickerForm.test(ticker) ? (byTicker.get(ticker) ?? byTicker.get(ticker.replaceAll(".", "-"))) : undefined,
    byName: (name) => byName.get(folded(name)),
  };
}

function folded(name: string): string {
  return name.trim().replace(/\s+/g, " ").toLowerCase();
}
