// Written by `make generate`.
/** A page of open notices and the completeness of the feed. */
export interface ListGlobalTendersResponse {
  /** Matching open notices, in the requested order. */
  tenders: Tender[];
  /** Cursor of the next page. Empty on the last page. */
  nextCursor: string;
  /** Number of matching notices on all pages, exact up to 10,000. */
  total: number;
  /** True if more than `total` notices match. */
  totalCapped: boolean;
  /** Time of the last refresh of the feed, ISO 8601 in UTC. Empty if never refreshed. */
  fetchedAt: string;
  /** True if the feed holds any notice, or any source was read successfully. If false, an empty list does not mean that there are no notices. */
  dataAvailable: boolean;
  /** `available`: all sources were read. `empty`: all sources were read and none has an open notice. `partial`: some sources were read. `stale`: no source was read, or all were read too long ago; earlier data is returned. `unavailable`: there is no data. `unknown`: the feed has no notice of a requested country, which does not prove that there are none. */
  availability: "available" | "empty" | "partial" | "stale" | "unavailable" | "unknown";
  /** `not_requested`, `observed` (the feed has notices of every requested country) or `unknown`. */
  countryCoverage: "not_requested" | "observed" | "unknown";
  /** Status of each source. Always includes all sources. */
  sourceStatuses: TenderSourceStatus[];
  /** Names of the active filters, in parameter order. `countries` is reported as `country`. */
  appliedFilters: string[];
}

/** A procurement notice. */
export interface Tender {
  /** Source and the source's notice id, joined by a colon. Stable. */
  id: string;
  /** Name of the source, such as `ted`. */
  source: string;
  /** The source's notice id. */
  sourceNoticeId: string;
  /** URL of the notice, on a host of the source; an invented notice of a sample has one below https://example.org. */
  officialUrl: string;
  /** ISO 3166-1 alpha-2 country code. Empty if unknown. */
  countryCode: string;
  /** `North America`, `Europe`, `Oceania` or `Multilateral`. */
  region: string;
  /** Title, in English if the source provides it, otherwise in any of its languages. */
  title: string;
  /** Plain-text description. Empty if absent. */
  description: string;
  /** Name of the buyer. Empty if absent. */
  buyer: string;
  /** Publication time, ISO 8601 in UTC. Empty if absent. */
  publishedAt: string;
  /** Update time, ISO 8601 in UTC. Empty if absent. */
  updatedAt: string;
  /** Deadline, ISO 8601 in UTC. A deadline without a time is the end of that day in the source's time zone. */
  deadline: string;
  /** Status as reported by the source, lowercase. `open` if the source reports none. */
  status: string;
  /** Notice type as reported by the source. Empty if absent. */
  noticeType: string;
  /** Stated amount. Absent if neither amount nor currency is stated. */
  money?: TenderMoney;
  /** NAICS, CPV, UNSPSC or the source's own codes. */
  categoryCodes: string[];
  /** Words or codes of the main category. */
  sectors: string[];
  /** Always empty: no source reports eligibility in a reliable form. */
  eligibilityRequirements: string[];
  /** Always empty: no source reports submission URLs in a reliable form. */
  submissionUrls: string[];
  /** Always `unknown`. */
  participationMode: string;
  /** Keyword-based automation relevance score. Does not state who may bid. */
  automationFit?: AutomationFit;
}

/** Status of one source of the feed. */
export interface TenderSourceStatus {
  /** Name of the source. */
  source: string;
  /** `ok`: the last refresh succeeded. `stale`: the last refresh failed or is too long ago, and earlier notices are returned. `error`: the last refresh failed and no notices of the source are returned. `unavailable`: the source is not configured or was never read. */
  state: "ok" | "stale" | "error" | "unavailable";
  /** Number of its open notices in the feed, as of its last refresh, or as of now once the feed is stale. */
  recordCount: number;
  /** Time of the last attempt, ISO 8601 in UTC. Empty if never attempted. */
  fetchedAt: string;
  /** Time of the last successful read, ISO 8601 in UTC. Empty if never read. */
  lastSuccessfulAt: string;
  /** True if its notices are older than they should be. */
  stale: boolean;
  /** Present and true if the last refresh of the feed skipped this source, because it may be called only a few times a day. */
  paced?: boolean;
  /** Error message, at most 200 characters. Absent if the last refresh did not fail. */
  error?: string;
  /** Number of notices that the source had in all when it was last read, of which it may hand out only a part. Absent if it does not tell. */
  availableCount?: number;
}

/** A stated amount. */
export interface TenderMoney {
  /** Amount in whole units of the currency, as stated. Absent if only the currency is known. */
  amount?: number;
  /** ISO 4217 currency code. Absent if only the amount is known. */
  currency?: string;
}

/** A score based on keywords only. */
export interface AutomationFit {
  /** `none`, `low`, `medium` or `high`. */
  level: "none" | "low" | "medium" | "high";
  /** 0, 30, 60 or 90, for none, one, two, or three or more matching keywords. */
  score: number;
  /** Name of the scoring rules: `keyword-v1`. */
  classificationVersion: string;
  /** Matching keywords. */
  matchReasons: string[];
  /** The first three matching keywords with the field that contains each, such as `title: cloud`. */
  evidence: string[];
}

export interface GetPaths {
  /** Lists open procurement notices from six official sources.
   *
   * Sources: SAM.gov (US, public domain), TED (EU, CC BY 4.0), Contracts Finder (UK, OGL v3), CanadaBuys (Open Government Licence - Canada), GETS (NZ) and the World Bank (CC BY 4.0). A notice is open if its deadline is in the future and its status does not say otherwise. Notices without a deadline are left out. Pagination uses keys, not offsets: reading all pages returns every notice that stays open and unchanged exactly once. */
  "/api/economic/v1/list-global-tenders": {
    query: {
      /** Country in any form: code or English name. Combined with `countries`. */
      country?: string | undefined;
      /** Countries in any form, repeated or comma-separated. A notice of any of them matches. At most 50. */
      countries?: readonly string[] | undefined;
      /** `North America`, `Europe`, `Oceania` or `Multilateral`, case-insensitive. */
      region?: "north america" | "europe" | "oceania" | "multilateral" | undefined;
      /** Source: `sam`, `ted`, `contracts-finder`, `canada-buys`, `gets` or `world-bank`. */
      source?: "sam" | "ted" | "contracts-finder" | "canada-buys" | "gets" | "world-bank" | undefined;
      /** Status as reported by the source, such as `open`, `active` or `published`, case-insensitive. */
      status?: string | undefined;
      /** Earliest deadline, ISO 8601 date or date-time, inclusive. A date starts at 00:00 UTC. */
      deadline_from?: Date | string | undefined;
      /** Latest deadline, ISO 8601 date or date-time, inclusive. A date ends at 23:59:59.999 UTC. */
      deadline_to?: Date | string | undefined;
      /** Minimum stated amount, inclusive. 0 or less means no bound. Amounts are compared as stated: set `currency` too. */
      min_value?: number | undefined;
      /** Maximum stated amount, inclusive. 0 or less means no bound. If it is below `min_value`, the request is rejected with 400. */
      max_value?: number | undefined;
      /** ISO 4217 currency code, case-insensitive. Returns only notices with an amount in this currency. */
      currency?: string | undefined;
      /** Part of a category code or sector, case-insensitive: `5415` matches `541512`. */
      category?: string | undefined;
      /** Words and quoted phrases that must all occur in the title or description, case-insensitive, also as parts of words. Accents do not matter, nor does which apostrophe is typed. Words under three characters require a longer word or a filter. */
      query?: string | undefined;
      /** Part of the buyer's name, case-insensitive and without regard to accents. */
      buyer?: string | undefined;
      /** Earliest publication, in the format of `deadline_from`. */
      published_from?: Date | string | undefined;
      /** Latest publication, in the format of `deadline_to`. */
      published_to?: Date | string | undefined;
      /** Minimum automation-fit score, 1 to 100. Values above 100 mean 100. Any other value means no bound. */
      min_automation_score?: number | undefined;
      /** `newest`: latest publication first, or latest update if there is none. `closing_soon`: nearest deadline first. `estimated_value`: largest stated amount first; currencies are not converted. `relevance`: with `query`, notices with all words in the title first, then the rest, each newest first; without `query`, highest automation-fit score first. Rows without the value come last, ties in id order. Default `newest`. */
      sort?: "newest" | "closing_soon" | "estimated_value" | "relevance" | undefined;
      /** Rows per page, 1 to 100. Values above 100 mean 100. Default 25, also for values below 1. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page, with the same filters and sort order. Expires after 24 hours. */
      cursor?: string | undefined;
      /** Only notices that appeared or changed after this time, in the format of `deadline_from`. Send the `fetchedAt` of an earlier response to miss nothing; ListChanges lists notices that closed. Default: all open notices. */
      updated_after?: Date | string | undefined;
    };
    answer: ListGlobalTendersResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "tenders" | "sourceStatuses" | undefined; all?: boolean | undefined; raw?: boolean | undefined };
  };
}

