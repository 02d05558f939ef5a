// Written by `make generate`.
/** Information about the company. */
export interface GetCompanyEnrichmentResponse {
  /** Identity of the company. Always present. */
  company?: CompanyIdentity;
  /** Technologies in use. Always empty: no current source reports them. */
  techStack: CompanyTechnology[];
  /** Up to 5 most recent Hacker News stories with the company's name in the title. */
  hackerNewsMentions: HackerNewsMention[];
  /** SEC filings. Absent if they could not be read. */
  secFilings?: SecFilings;
  /** Market profile. Absent if Finnhub has none or could not be read. */
  market?: MarketProfile;
  /** Up to 8 quarters with an actual result and an estimate, newest first. */
  earningsSurprises: EarningsSurprise[];
  /** Up to 5 most recent press feed items that name the company, newest first. */
  newsMentions: NewsMention[];
  /** Sources that were reached, in this order: `sec_edgar`, `finnhub`, `news`, `hacker_news`. `news` is included if any press feed was read in the last 12 hours. If another press feed was not, or a source fails, the response is `no-store`. */
  sources: string[];
  /** Time when the oldest part was fetched, Unix epoch milliseconds. The age of news is that of the least recently read press feed. The response time if nothing was looked up, 0 if no part could be read. */
  enrichedAtMs: number;
  /** True if the register could not be read, or every source failed for a registered company. Empty fields are then not a finding. */
  unavailable: boolean;
}

/** Identity of a company. */
export interface CompanyIdentity {
  /** Name in the SEC register. If the company was not found, the requested name. */
  name: string;
  /** Host name of the website without `www.`. Empty if unknown. */
  domain: string;
  /** Business description from its Standard Industrial Classification. */
  description: string;
  /** City and state or country of the business address. */
  location: string;
  /** Website, an http(s) URL. Empty if unknown. */
  website: string;
  /** Founding year. Always 0: no current source reports it. */
  founded: number;
  /** SEC Central Index Key, ten digits. Empty if the company was not found. */
  cik: string;
  /** Ticker in the register. If the company was not found, the requested ticker. */
  ticker: string;
}

/** A technology that a company uses. */
export interface CompanyTechnology {
  /** Name of the technology. */
  name: string;
  /** Category of the technology. */
  category: string;
  /** Confidence, 0 to 1. */
  confidence: number;
}

/** A Hacker News story. */
export interface HackerNewsMention {
  /** Title of the story. */
  title: string;
  /** URL of the linked page. If there is none, the page of the story. */
  url: string;
  /** Number of votes. */
  points: number;
  /** Number of comments. */
  comments: number;
  /** Posting time, Unix epoch milliseconds. */
  createdAtMs: number;
}

/** SEC filings of a company. */
export interface SecFilings {
  /** Number of filings of all forms in EDGAR's recent window: the last year, or the last 1,000 filings if they reach back further. */
  totalFilings: number;
  /** Up to 15 most recent filings of the forms 10-K, 10-Q, 8-K, 20-F, 6-K, 40-F, S-1, DEF 14A and their amendments, newest first. */
  recentFilings: SecFiling[];
}

/** Market profile from Finnhub. */
export interface MarketProfile {
  /** Exchange where the company is listed. */
  exchange: string;
  /** Industry, as named by Finnhub. */
  industry: string;
  /** Market capitalization, millions of US dollars. Absent if not reported in US dollars. */
  marketCapMusd?: number;
  /** Date of the initial public offering, YYYY-MM-DD. Empty if unknown. */
  ipoDate: string;
  /** URL of the logo (http or https). Empty if there is none. */
  logoUrl: string;
  /** ISO 3166-1 alpha-2 code of the country. Empty if unknown. */
  country: string;
  /** ISO 4217 code of the reporting currency. */
  currency: string;
}

/** Quarterly earnings compared with analysts' estimates, from Finnhub. */
export interface EarningsSurprise {
  /** Last day of the quarter, YYYY-MM-DD. */
  period: string;
  /** Actual earnings per share. */
  actualEps: number;
  /** Earnings per share estimated by analysts. */
  estimateEps: number;
  /** Actual minus estimated earnings per share. */
  surprise: number;
  /** Surprise in percent of the estimate. 0 if the estimate is 0. */
  surprisePercent: number;
  /** Fiscal year. */
  year: number;
  /** Fiscal quarter, 1 to 4. */
  quarter: number;
}

/** A press feed item. */
export interface NewsMention {
  /** Title of the item. */
  title: string;
  /** URL of the item. */
  url: string;
  /** Publisher of the feed. */
  source: string;
  /** Publication time, Unix epoch milliseconds. */
  publishedAtMs: number;
}

/** A filing. */
export interface SecFiling {
  /** Form, such as `10-Q` or `8-K/A`. */
  form: string;
  /** Filing date, YYYY-MM-DD. */
  fileDate: string;
  /** Subjects of the items, joined by `; `. Empty for forms other than 8-K. */
  description: string;
  /** URL of the filing's index page at the SEC; an invented filing of a sample has one below https://example.org. */
  url: string;
  /** Item numbers of an 8-K, such as `2.02`. */
  items: string[];
}

export interface GetPaths {
  /** Returns a listed company's profile, filings, earnings and mentions.
   *
   * The ticker or name is looked up in the register of the US Securities and Exchange Commission, so only companies that file there are found. Filings come from SEC EDGAR, profile and earnings from Finnhub (if the operator enables it), news from official press feeds of the last 30 days, and stories from Hacker News. The parts are fetched in parallel, each with its own cache and timeout. `sources` names the sources that were reached. If a source is missing from it, its empty part is not a finding, and the response is `no-store`. If the register does not list the company, `company.cik` is empty and `unavailable` is false. */
  "/api/intelligence/v1/get-company-enrichment": {
    query: {
      /** Ticker on a US exchange, case-insensitive, such as `FJLV` or `WXM-B` (`WXM.B` is equivalent). An unknown or impossible ticker returns an empty company. */
      ticker?: string | undefined;
      /** Exact name in the SEC register, case-insensitive, such as `Fjellvik Corp`. Must match exactly one company. */
      name?: string | undefined;
      /** Host name, such as `example.com`. No longer used for lookup: without a ticker, the response is an empty stub. Use `ticker` or `name` instead. */
      domain?: string | undefined;
    };
    answer: GetCompanyEnrichmentResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "response" | "secFilings.recentFilings" | "earningsSurprises" | "newsMentions" | "hackerNewsMentions" | undefined; raw?: boolean | undefined };
  };
}

