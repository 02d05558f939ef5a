// Written by `make generate`.
/** Every path that is read, with its query and its answer. */
export interface GetPaths {
  /** Returns the caller's key, account, plan and scopes. */
  "/api/account/v1/get-caller": {
    query: Record<never, never>;
    answer: GetCallerResponse;
  };
  /** Lists the account's API keys. */
  "/api/account/v1/list-api-keys": {
    query: {
      /** Account id, for the operator only. */
      account?: string | undefined;
    };
    answer: ListApiKeysResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Lists feed URLs. */
  "/api/account/v1/list-feed-urls": {
    query: {
      /** Account id, for the operator only. */
      account?: string | undefined;
    };
    answer: ListFeedUrlsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns the caller's calls by operation and UTC day. */
  "/api/account/v1/get-usage": {
    query: {
      /** Number of UTC days, including the current day, 1 to 90. */
      days?: number | undefined;
    };
    answer: GetUsageResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "usage" | "limits" | undefined; raw?: boolean | undefined };
  };
  /** Returns the limits of the caller's plan and the remaining calls. */
  "/api/account/v1/get-limits": {
    query: Record<never, never>;
    answer: GetLimitsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Lists the audit events of an account, newest first. */
  "/api/account/v1/list-audit-events": {
    query: {
      /** Account whose log to read. */
      account?: string | undefined;
      /** Events per page, 1 to 200. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    answer: ListAuditEventsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
  /** Lists accounts by id. */
  "/api/account/v1/list-accounts": {
    query: {
      /** Accounts per page, 1 to 200. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    answer: ListAccountsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
  /** Lists all datasets with their state, sources and operations. */
  "/api/catalog/v1/list-datasets": {
    query: Record<never, never>;
    answer: ListDatasetsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "datasets" | "datasets.sources" | undefined; raw?: boolean | undefined };
  };
  /** Returns one dataset with its rows by country and source. */
  "/api/catalog/v1/get-dataset": {
    query: {
      /** Name of the dataset. */
      name: string;
    };
    answer: GetDatasetResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "coverage.countries" | "coverage.sources" | "dataset.sources" | undefined; raw?: boolean | undefined };
  };
  /** Lists all sources with their terms, access and state. */
  "/api/catalog/v1/list-sources": {
    query: Record<never, never>;
    answer: ListSourcesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "sources" | "sources.variables" | undefined; raw?: boolean | undefined };
  };
  /** Lists material impacts on the account's companies, latest change first. */
  "/api/company-monitoring/v1/list-company-event-impacts": {
    query: {
      /** Company ids, repeated or comma-separated. */
      company_id?: readonly (string)[] | undefined;
      /** Directions, such as `negative` or `MATERIAL_IMPACT_DIRECTION_NEGATIVE`, repeated or comma-separated. */
      direction?: readonly (MaterialImpactDirection)[] | undefined;
      /** Lifecycle stages, such as `corrected` or `MATERIAL_IMPACT_LIFECYCLE_CORRECTED`, repeated or comma-separated. */
      lifecycle?: readonly (MaterialImpactLifecycle)[] | undefined;
      /** Impacts per page, 1 to 100. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page, with the same filters. */
      cursor?: string | undefined;
    };
    answer: ListCompanyEventImpactsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
  /** Lists impacts changed after a snapshot, oldest change first. */
  "/api/company-monitoring/v1/list-company-event-changes": {
    query: {
      /** As in ListCompanyEventImpacts. */
      company_id?: readonly (string)[] | undefined;
      /** As in ListCompanyEventImpacts. */
      direction?: readonly (MaterialImpactDirection)[] | undefined;
      /** As in ListCompanyEventImpacts. */
      lifecycle?: readonly (MaterialImpactLifecycle)[] | undefined;
      /** Impacts per page, 1 to 100. */
      page_size?: number | undefined;
      /** `snapshot.pollCursor` of an earlier response, or `nextCursor` of the previous page. */
      cursor: string;
    };
    answer: ListCompanyEventChangesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
  /** Lists the account's monitored companies, latest change first. */
  "/api/company-monitoring/v1/list-monitored-companies": {
    query: {
      /** States, such as `active` or `MONITORED_COMPANY_STATE_ACTIVE`, repeated or comma-separated. */
      state?: readonly (MonitoredCompanyState)[] | undefined;
      /** Companies per page, 1 to 100. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page, with the same states. */
      cursor?: string | undefined;
      /** ISO 3166-1 alpha-2 code of the country of domicile, case-insensitive. */
      country?: string | undefined;
    };
    answer: ListMonitoredCompaniesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
  /** Lists armed-conflict events in a time range, newest first. */
  "/api/conflict/v1/list-conflict-events": {
    query: {
      /** Earliest time, Unix epoch milliseconds, inclusive. */
      start?: bigint | number | string | undefined;
      /** Latest time, Unix epoch milliseconds, inclusive. */
      end?: bigint | number | string | undefined;
      /** ISO 3166-1 alpha-2 country code, case-insensitive. */
      country?: string | undefined;
      /** Event classes, comma-separated, case-insensitive. */
      event_type?: readonly (string)[] | undefined;
      /** Minimum reported deaths. */
      min_fatalities?: number | undefined;
      /** Text that the name of a party contains, case-insensitive, at most 100 characters. */
      actor?: string | undefined;
      /** Latitude of the north-east corner of a box, decimal degrees. */
      ne_lat?: number | undefined;
      /** Longitude of the north-east corner, decimal degrees. */
      ne_lon?: number | undefined;
      /** Latitude of the south-west corner, decimal degrees. */
      sw_lat?: number | undefined;
      /** Longitude of the south-west corner, decimal degrees. */
      sw_lon?: number | undefined;
      /** Order: `newest`, `oldest` or `fatalities` (most reported deaths first, then newest). */
      sort?: string | undefined;
      /** Maximum number of events. */
      limit?: number | undefined;
      /** `nextAfter` of the previous response to the same filters and order. */
      after?: string | undefined;
    };
    answer: ListConflictEventsResponse;
    file: { format: "ndjson" | "csv" | "geojson" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
  /** Counts armed-conflict events and their reported deaths, by group. */
  "/api/conflict/v1/count-conflict-events": {
    query: {
      /** Earliest time, Unix epoch milliseconds, inclusive. */
      start?: bigint | number | string | undefined;
      /** Latest time, Unix epoch milliseconds, inclusive. */
      end?: bigint | number | string | undefined;
      /** ISO 3166-1 alpha-2 country code, case-insensitive. */
      country?: string | undefined;
      /** Event classes, comma-separated, case-insensitive. */
      event_type?: readonly (string)[] | undefined;
      /** Minimum reported deaths. */
      min_fatalities?: number | undefined;
      /** Text that the name of a party contains, case-insensitive, at most 100 characters. */
      actor?: string | undefined;
      /** Latitude of the north-east corner of a box, decimal degrees. */
      ne_lat?: number | undefined;
      /** Longitude of the north-east corner, decimal degrees. */
      ne_lon?: number | undefined;
      /** Latitude of the south-west corner, decimal degrees. */
      sw_lat?: number | undefined;
      /** Longitude of the south-west corner, decimal degrees. */
      sw_lon?: number | undefined;
      /** What events are grouped by: `country`, `type` or `day`. */
      group_by?: string | undefined;
    };
    answer: CountConflictEventsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Lists internet outages, most recently detected first. */
  "/api/infrastructure/v1/list-internet-outages": {
    query: {
      /** Earliest detection time, Unix epoch milliseconds, inclusive. */
      start?: bigint | number | string | undefined;
      /** Latest detection time, Unix epoch milliseconds, inclusive. */
      end?: bigint | number | string | undefined;
      /** ISO 3166-1 alpha-2 country code, case-insensitive. */
      country?: string | undefined;
      /** Extents, comma-separated: `partial`, `major`, `total`. */
      severity?: readonly (OutageSeverity)[] | undefined;
      /** If true, only outages without an end; if false, only those that ended. */
      ongoing?: boolean | undefined;
    };
    answer: ListInternetOutagesResponse;
    file: { format: "ndjson" | "csv" | "geojson" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Counts internet outages, by group. */
  "/api/infrastructure/v1/count-internet-outages": {
    query: {
      /** Earliest detection time, Unix epoch milliseconds, inclusive. */
      start?: bigint | number | string | undefined;
      /** Latest detection time, Unix epoch milliseconds, inclusive. */
      end?: bigint | number | string | undefined;
      /** ISO 3166-1 alpha-2 country code, case-insensitive. */
      country?: string | undefined;
      /** Extents, comma-separated: `partial`, `major`, `total`. */
      severity?: readonly (OutageSeverity)[] | undefined;
      /** If true, only outages without an end; if false, only those that ended. */
      ongoing?: boolean | undefined;
      /** What outages are grouped by: `country`, `type` or `day` of detection. */
      group_by?: string | undefined;
    };
    answer: CountInternetOutagesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns the country and the nearest populated place of a point. */
  "/api/infrastructure/v1/reverse-geocode": {
    query: {
      /** Latitude in decimal degrees, -90 to 90. */
      lat: number;
      /** Longitude in decimal degrees, -180 to 180. */
      lon: number;
    };
    answer: ReverseGeocodeResponse;
    file: { format: "ndjson" | "csv" | "geojson" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns the location of the caller's IP address. */
  "/api/infrastructure/v1/get-ip-geo": {
    query: Record<never, never>;
    answer: GetIpGeoResponse;
  };
  /** Lists the average applied tariff of an economy by year. */
  "/api/trade/v1/get-tariff-trends": {
    query: {
      /** Three-digit code of the economy: UN M49, or a WTO code such as `918` for the European Union. */
      reporting_country?: string | undefined;
      /** Three-digit code. */
      partner_country?: string | undefined;
      /** Letters, digits, `_` and `-`, at most 16 characters. */
      product_sector?: string | undefined;
      /** Number of years listed before the most recent year on record, 0 to 30. */
      years?: number | undefined;
    };
    answer: GetTariffTrendsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Lists the merchandise exports and imports of an economy by year. */
  "/api/trade/v1/get-trade-flows": {
    query: {
      /** Three-digit code of the economy: UN M49, or a WTO code such as `918` for the European Union. */
      reporting_country?: string | undefined;
      /** Three-digit code of the partner. */
      partner_country?: string | undefined;
      /** Number of years listed before the most recent year on record, 0 to 30. */
      years?: number | undefined;
    };
    answer: GetTradeFlowsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns the key figures of one country across all subjects. */
  "/api/country/v1/get-country-brief": {
    query: {
      /** ISO 3166-1 alpha-2 country code (Kosovo is `XK`), case-insensitive. */
      country_code: string;
    };
    answer: GetCountryBriefResponse;
  };
  /** Lists open procurement notices from six official sources. */
  "/api/economic/v1/list-global-tenders": {
    query: {
      /** ISO 3166-1 alpha-2 country code, case-insensitive. */
      country?: string | undefined;
      /** ISO 3166-1 alpha-2 country codes, repeated or comma-separated. */
      countries?: readonly (string)[] | undefined;
      /** `North America`, `Europe`, `Oceania` or `Multilateral`, case-insensitive. */
      region?: string | undefined;
      /** Source: `sam`, `ted`, `contracts-finder`, `canada-buys`, `gets` or `world-bank`. */
      source?: string | undefined;
      /** Status as reported by the source, such as `open`, `active` or `published`, case-insensitive. */
      status?: string | undefined;
      /** Earliest deadline, ISO 8601 date or date-time, inclusive. */
      deadline_from?: string | undefined;
      /** Latest deadline, ISO 8601 date or date-time, inclusive. */
      deadline_to?: string | undefined;
      /** Minimum stated amount, inclusive. */
      min_value?: number | undefined;
      /** Maximum stated amount, inclusive. */
      max_value?: number | undefined;
      /** ISO 4217 currency code, case-insensitive. */
      currency?: string | undefined;
      /** Part of a category code or sector, case-insensitive: `5415` matches `541512`. */
      category?: string | undefined;
      /** Words and quoted phrases that must all occur in the title or description, case-insensitive, also as parts of words. */
      query?: string | undefined;
      /** Part of the buyer's name, case-insensitive. */
      buyer?: string | undefined;
      /** Earliest publication, in the format of `deadline_from`. */
      published_from?: string | undefined;
      /** Latest publication, in the format of `deadline_to`. */
      published_to?: string | undefined;
      /** Minimum automation-fit score, 1 to 100. */
      min_automation_score?: number | undefined;
      /** `newest`: latest publication first, or latest update if there is none. */
      sort?: string | undefined;
      /** Rows per page, 1 to 100. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page, with the same filters and sort order. */
      cursor?: string | undefined;
    };
    answer: ListGlobalTendersResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "tenders" | "sourceStatuses" | undefined; all?: boolean | undefined; raw?: boolean | undefined };
  };
  /** Returns the EU gas storage level and its trend. */
  "/api/economic/v1/get-eu-gas-storage": {
    query: {
      /** Empty or `EU`: storage is known for the European Union as a whole. */
      country?: string | undefined;
    };
    answer: GetEuGasStorageResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "history" | "response" | undefined; raw?: boolean | undefined };
  };
  /** Lists government measures against energy crises. */
  "/api/economic/v1/get-energy-crisis-policies": {
    query: {
      /** ISO 3166-1 alpha-2 country code, case-insensitive. */
      country_code?: string | undefined;
      /** Category of the measure. */
      category?: string | undefined;
    };
    answer: GetEnergyCrisisPoliciesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns the most recent observations of a US labor series. */
  "/api/economic/v1/get-labor-stats-series": {
    query: {
      /** `USPRIV`: total private nonfarm payrolls, monthly. */
      series_id: string;
      /** Maximum number of observations, most recent ones, 1 to 500. */
      limit?: number | undefined;
    };
    answer: GetLaborStatsSeriesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns an economic stress index built from six series. */
  "/api/economic/v1/get-economic-stress": {
    query: Record<never, never>;
    answer: GetEconomicStressResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "components" | "response" | undefined; raw?: boolean | undefined };
  };
  /** Returns macroeconomic figures for about 190 countries. */
  "/api/economic/v1/get-country-macro": {
    query: {
      /** ISO 3166-1 alpha-2 codes (Kosovo is `XK`), case-insensitive, repeated or comma-separated. */
      countries?: readonly (string)[] | undefined;
      /** Maximum number of countries in each part, in code order. */
      limit?: number | undefined;
      /** If true, returns only the first known figure of each part for each country, with its year, in the documented order (inflation, growth, unemployment, current account). */
      summary?: boolean | undefined;
    };
    answer: GetCountryMacroResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "data.macro.countries" | "data.growth.countries" | "data.labor.countries" | "data.external.countries" | undefined; raw?: boolean | undefined };
  };
  /** Returns annual house price indices for EU members and aggregates. */
  "/api/economic/v1/get-eu-housing-cycle": {
    query: {
      /** Eurostat codes, case-insensitive, repeated or comma-separated: alpha-2 codes of EU members (Greece is `EL`; `GR` is also accepted), `EA20` (euro area) and `EU27_2020`, which mean the newest composition. */
      countries?: readonly (string)[] | undefined;
      /** Maximum number of places: members first, by code, then the two aggregates. */
      limit?: number | undefined;
      /** If true, returns only the most recent value of each place, with its date and unit. */
      summary?: boolean | undefined;
    };
    answer: GetEuHousingCycleResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns quarterly government debt for EU members and aggregates. */
  "/api/economic/v1/get-eu-quarterly-gov-debt": {
    query: {
      /** Eurostat codes, case-insensitive, repeated or comma-separated: alpha-2 codes of EU members (Greece is `EL`; `GR` is also accepted), `EA20` (euro area) and `EU27_2020`, which mean the newest composition. */
      countries?: readonly (string)[] | undefined;
      /** Maximum number of places: members first, by code, then the two aggregates. */
      limit?: number | undefined;
      /** If true, returns only the most recent value of each place, with its date and unit. */
      summary?: boolean | undefined;
    };
    answer: GetEuQuarterlyGovDebtResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns monthly industrial production for EU members and aggregates. */
  "/api/economic/v1/get-eu-industrial-production": {
    query: {
      /** Eurostat codes, case-insensitive, repeated or comma-separated: alpha-2 codes of EU members (Greece is `EL`; `GR` is also accepted), `EA20` (euro area) and `EU27_2020`, which mean the newest composition. */
      countries?: readonly (string)[] | undefined;
      /** Maximum number of places: members first, by code, then the two aggregates. */
      limit?: number | undefined;
      /** If true, returns only the most recent value of each place, with its date and unit. */
      summary?: boolean | undefined;
    };
    answer: GetEuIndustrialProductionResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns a listed company's profile, filings, earnings and mentions. */
  "/api/intelligence/v1/get-company-enrichment": {
    query: {
      /** Ticker on a US exchange, case-insensitive, such as `FJLV` or `WXM-B` (`WXM.B` is equivalent). */
      ticker?: string | undefined;
      /** Exact name in the SEC register, case-insensitive, such as `Fjellvik Corp`. */
      name?: string | undefined;
      /** Host name, such as `example.com`. */
      domain?: string | undefined;
    };
    answer: GetCompanyEnrichmentResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "response" | "secFilings.recentFilings" | "earningsSurprises" | "newsMentions" | "hackerNewsMentions" | undefined; raw?: boolean | undefined };
  };
  /** Returns the daily tone and volume of news on a topic. */
  "/api/intelligence/v1/get-news-topic-timeline": {
    query: {
      /** `military`, `cyber`, `nuclear`, `sanctions`, `intelligence` or `maritime`, case-insensitive. */
      topic: string;
    };
    answer: GetNewsTopicTimelineResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "tone" | "vol" | undefined; raw?: boolean | undefined };
  };
  /** Returns instability scores of 31 countries, 0 to 100. */
  "/api/intelligence/v1/get-risk-scores": {
    query: {
      /** ISO 3166-1 alpha-2 country code, case-insensitive. */
      region?: string | undefined;
    };
    answer: GetRiskScoresResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "ciiScores" | "strategicRisks" | undefined; raw?: boolean | undefined };
  };
  /** Returns all inputs and terms behind a country's risk score. */
  "/api/intelligence/v1/get-risk-score-explanation": {
    query: {
      /** ISO 3166-1 alpha-2 country code, case-insensitive. */
      region: string;
    };
    answer: GetRiskScoreExplanationResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "components.terms" | "components" | "additions" | "floors" | "response" | undefined; raw?: boolean | undefined };
  };
  /** Returns Shanghai premiums of gold and silver over COMEX futures. */
  "/api/market/v1/get-physical-premiums": {
    query: {
      /** `gold` or `silver`, case-insensitive, repeated or comma-separated. */
      metals?: readonly (string)[] | undefined;
    };
    answer: GetPhysicalPremiumsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns how unusual the gold and silver premiums are. */
  "/api/market/v1/get-physical-divergence-index": {
    query: {
      /** `gold` and `silver`, lowercase, each at most once, repeated or comma-separated. */
      metals?: readonly (string)[] | undefined;
    };
    answer: GetPhysicalDivergenceIndexResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "readings" | "response" | undefined; raw?: boolean | undefined };
  };
  /** Returns stored quotes of shipping shares, a freight fund and metals. */
  "/api/market/v1/get-market-data": {
    query: {
      /** Symbols such as `ZIM` or `GC=F`, case-insensitive, repeated or comma-separated, at most 100. */
      symbols?: readonly (string)[] | undefined;
      /** `equity`, `commodity`, `crypto`, `sectors`, `etf`, `gulf` or `sentiment`, case-insensitive, repeated or comma-separated. */
      asset_class?: readonly (string)[] | undefined;
      /** Maximum number of quotes, 0 or more. */
      limit?: number | undefined;
      /** If true, returns only `symbol`, `price` and `changePct` of each quote. */
      summary?: boolean | undefined;
    };
    answer: GetMarketDataResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Lists military bases in a map box, clustered at low zoom. */
  "/api/military/v1/list-military-bases": {
    query: {
      /** Latitude of the north-east corner, decimal degrees. */
      ne_lat?: number | undefined;
      /** Longitude of the north-east corner, decimal degrees. */
      ne_lon?: number | undefined;
      /** Latitude of the south-west corner, decimal degrees. */
      sw_lat?: number | undefined;
      /** Longitude of the south-west corner, decimal degrees. */
      sw_lon?: number | undefined;
      /** Map zoom. */
      zoom?: number | undefined;
      /** Operating power. */
      type?: string | undefined;
      /** Kind of installation. */
      kind?: string | undefined;
      /** ISO 3166-1 alpha-2 code of the host country, case-insensitive. */
      country?: string | undefined;
    };
    answer: ListMilitaryBasesResponse;
    file: { format: "ndjson" | "csv" | "geojson" | "parquet" | "csvw"; rows?: "bases" | "clusters" | undefined; raw?: boolean | undefined };
  };
  /** Returns the live position of one aircraft by ICAO address. */
  "/api/military/v1/get-provider-live-flight": {
    query: {
      /** ICAO 24-bit address, six hexadecimal digits, case-insensitive. */
      icao24: string;
    };
    answer: GetProviderLiveFlightResponse;
  };
  /** Returns a country's military spending, personnel, arms trade and suppliers. */
  "/api/military/v1/get-defense-industrial-base": {
    query: {
      /** ISO 3166-1 alpha-2 country code, case-insensitive. */
      country_code: string;
    };
    answer: GetDefenseIndustrialBaseResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "response" | "suppliers" | undefined; raw?: boolean | undefined };
  };
  /** Lists upcoming technology events, soonest first. */
  "/api/research/v1/list-tech-events": {
    query: {
      /** Type of event. */
      type?: string | undefined;
      /** If true, returns only events with coordinates that are not virtual. */
      mappable?: boolean | undefined;
      /** Maximum number of events. */
      limit?: number | undefined;
      /** Latest start, in days from the current UTC day. */
      days?: number | undefined;
      /** ISO 3166-1 alpha-2 code of the country, case-insensitive. */
      country_code?: string | undefined;
    };
    answer: ListTechEventsResponse;
    file: { format: "ndjson" | "csv" | "geojson" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns a country's resilience score, 0 to 100, and its parts. */
  "/api/resilience/v1/get-resilience-score": {
    query: {
      /** ISO 3166-1 alpha-2 country code (or `XK`), case-insensitive. */
      country_code: string;
    };
    answer: GetResilienceScoreResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "response" | "domains" | "domains.dimensions" | "pillars" | undefined; raw?: boolean | undefined };
  };
  /** Returns the ranking of countries by resilience score. */
  "/api/resilience/v1/get-resilience-ranking": {
    query: {
      /** ISO 3166-1 alpha-2 code of the only country to list, case-insensitive. */
      country_code?: string | undefined;
    };
    answer: GetResilienceRankingResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "items" | "greyedOut" | undefined; raw?: boolean | undefined };
  };
  /** Returns all values and indicators behind a country's resilience score. */
  "/api/resilience/v1/get-resilience-score-explanation": {
    query: {
      /** ISO 3166-1 alpha-2 country code (or `XK`), case-insensitive. */
      country_code: string;
    };
    answer: GetResilienceScoreExplanationResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "pillars.domains.dimensions.indicators" | "pillars.domains.dimensions" | "pillars.domains" | "pillars" | "response" | undefined; raw?: boolean | undefined };
  };
  /** Returns the versions, flags and storage of the resilience scoring. */
  "/api/resilience/v1/get-runtime-manifest": {
    query: Record<never, never>;
    answer: GetResilienceRuntimeManifestResponse;
  };
  /** Lists the scenarios that can be run. */
  "/api/scenario/v1/list-scenario-templates": {
    query: Record<never, never>;
    answer: ListScenarioTemplatesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns the status and result of a scenario job. */
  "/api/scenario/v1/get-scenario-status": {
    query: {
      /** `jobId` from the RunScenario response. */
      job_id: string;
    };
    answer: GetScenarioStatusResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "result.topImpactCountries" | "result.currentDisruptionScores" | "response" | undefined; raw?: boolean | undefined };
  };
  /** Lists the account's webhooks, oldest first. */
  "/api/v2/shipping/webhooks": {
    query: Record<never, never>;
    answer: ListWebhooksResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns a webhook of the account. */
  "/api/v2/shipping/webhooks/{subscriber_id}": {
    query: {
      /** Id of the webhook. */
      subscriber_id: string;
    };
    answer: Webhook;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Lists the latest 50 deliveries of a webhook, newest first. */
  "/api/v2/shipping/webhooks/{subscriber_id}/deliveries": {
    query: {
      /** Id of the webhook. */
      subscriber_id: string;
    };
    answer: ListWebhookDeliveriesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "deliveries" | "deliveries.attempts" | undefined; raw?: boolean | undefined };
  };
  /** Returns a country's import exposure to each of 13 chokepoints. */
  "/api/supply-chain/v1/get-country-chokepoint-index": {
    query: {
      /** ISO 3166-1 alpha-2 code of the importing country, uppercase, or `XK`. */
      iso2: string;
      /** Chapter of the Harmonized System, 01 to 97 or 99. */
      hs2?: string | undefined;
    };
    answer: GetCountryChokepointIndexResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "exposures" | "response" | undefined; raw?: boolean | undefined };
  };
  /** Lists a country's imports of 36 watched headings, with exporters. */
  "/api/supply-chain/v1/get-country-products": {
    query: {
      /** ISO 3166-1 alpha-2 code of the importing country, case-insensitive. */
      iso2: string;
    };
    answer: GetCountryProductsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "products" | "products.topExporters" | undefined; raw?: boolean | undefined };
  };
  /** Returns the added import cost by sector if a chokepoint closes. */
  "/api/supply-chain/v1/get-multi-sector-cost-shock": {
    query: {
      /** ISO 3166-1 alpha-2 code of the importing country, case-insensitive. */
      iso2: string;
      /** Canonical id of the chokepoint, case-insensitive. */
      chokepoint_id: string;
      /** Duration of the closure in days. */
      closure_days?: number | undefined;
    };
    answer: GetMultiSectorCostShockResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns a shipping stress score based on carrier share prices. */
  "/api/supply-chain/v1/get-shipping-stress": {
    query: Record<never, never>;
    answer: GetShippingStressResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "carriers" | "response" | undefined; raw?: boolean | undefined };
  };
  /** Returns countries' production of fourteen critical minerals. */
  "/api/supply-chain/v1/get-mineral-production": {
    query: {
      /** Id or label of a mineral, case-insensitive: `ree`, `lithium`, `cobalt`, `copper`, `nickel`, `graphite`, `tungsten`, `gallium`, `germanium`, `helium`, `aluminum`, `bauxite`, `alumina` or `uranium`. */
      commodity?: string | undefined;
      /** ISO 3166-1 alpha-2 country code, case-insensitive. */
      iso2?: string | undefined;
      /** `mine` or `refinery`, case-insensitive. */
      stage?: string | undefined;
    };
    answer: GetMineralProductionResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "commodities.mine.countries" | "commodities.refinery.countries" | "commodities" | "countries.holdings" | undefined; raw?: boolean | undefined };
  };
  /** Returns a country's vulnerability to shortages of 23 commodities. */
  "/api/supply-chain/v1/get-country-vulnerabilities": {
    query: {
      /** ISO 3166-1 alpha-2 code of the importing country, case-insensitive. */
      iso2: string;
    };
    answer: GetCountryVulnerabilitiesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Lists countries and commodities that depend on a chokepoint. */
  "/api/supply-chain/v1/get-chokepoint-dependencies": {
    query: {
      /** Canonical chokepoint id, lowercase, such as `hormuz_strait`. */
      chokepoint_id: string;
      /** Maximum number of rows, up to 100. */
      page_size?: number | undefined;
      /** ISO 3166-1 alpha-2 code of the country, case-insensitive. */
      country_code?: string | undefined;
    };
    answer: GetChokepointDependenciesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Lists the most vulnerable country-commodity pairs, at most 25. */
  "/api/supply-chain/v1/list-vulnerability-rankings": {
    query: {
      /** Id of a commodity, such as `cobalt` or `crude_oil`. */
      commodity_id?: string | undefined;
      /** Band: `low`, `moderate`, `high` or `critical`. */
      band?: string | undefined;
      /** State: `ok`, `insufficient_data` or `stale_input`. */
      state?: string | undefined;
      /** Maximum number of rows. */
      page_size?: number | undefined;
      /** ISO 3166-1 alpha-2 code of the country, case-insensitive. */
      country_code?: string | undefined;
    };
    answer: ListVulnerabilityRankingsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

/** Every path that takes a body, with its body and its answer. */
export interface PostPaths {
  /** Creates an API key and returns it once. */
  "/api/account/v1/create-api-key": { body: CreateApiKeyRequest; answer: CreateApiKeyResponse };
  /** Creates a replacement key with the same name, scopes and expiry. */
  "/api/account/v1/rotate-api-key": { body: RotateApiKeyRequest; answer: RotateApiKeyResponse };
  /** Revokes an API key on every replica within two seconds. */
  "/api/account/v1/revoke-api-key": { body: RevokeApiKeyRequest; answer: RevokeApiKeyResponse };
  /** Creates a feed URL and returns it once. */
  "/api/account/v1/create-feed-url": { body: CreateFeedUrlRequest; answer: CreateFeedUrlResponse };
  /** Revokes a feed URL on every replica within two seconds. */
  "/api/account/v1/revoke-feed-url": { body: RevokeFeedUrlRequest; answer: RevokeFeedUrlResponse };
  /** Creates an account. */
  "/api/account/v1/create-account": { body: CreateAccountRequest; answer: CreateAccountResponse };
  /** Sets the operator-managed subscription of an account. */
  "/api/account/v1/set-subscription": { body: SetSubscriptionRequest; answer: SetSubscriptionResponse };
  /** Sets the scopes that an account's keys may carry. */
  "/api/account/v1/set-scopes": { body: SetScopesRequest; answer: SetScopesResponse };
  /** Runs up to 20 reads in one request. */
  "/api/batch/v1/run-batch": { body: RunBatchRequest; answer: RunBatchResponse };
  /** Adds or updates up to 100 monitored companies in one call. */
  "/api/company-monitoring/v1/import-companies": { body: ImportCompaniesRequest; answer: ImportCompaniesResponse };
  /** Admits an impact of an event on an account's company. */
  "/api/company-monitoring/v1/admit-impact": { body: AdmitImpactRequest; answer: AdmitImpactResponse };
  /** Corrects an impact with a new assessment, as its next revision. */
  "/api/company-monitoring/v1/correct-impact": { body: CorrectImpactRequest; answer: CorrectImpactResponse };
  /** Retracts an impact permanently, as its last revision. */
  "/api/company-monitoring/v1/retract-impact": { body: RetractImpactRequest; answer: RetractImpactResponse };
  /** Queues a scenario computation and returns its status URL. */
  "/api/scenario/v1/run-scenario": { body: RunScenarioRequest; answer: RunScenarioResponse };
  /** Registers a webhook and returns its secret once. */
  "/api/v2/shipping/webhooks": { body: RegisterWebhookRequest; answer: RegisterWebhookResponse };
  /** Creates a new webhook secret and returns it once. */
  "/api/v2/shipping/webhooks/{subscriber_id}/rotate-secret": { body: RotateWebhookSecretRequest; answer: RotateWebhookSecretResponse };
  /** Re-enables a disabled webhook. */
  "/api/v2/shipping/webhooks/{subscriber_id}/reactivate": { body: ReactivateWebhookRequest; answer: ReactivateWebhookResponse };
  /** Sends a `webhook.test` event after all pending deliveries. */
  "/api/v2/shipping/webhooks/{subscriber_id}/test": { body: TestWebhookRequest; answer: TestWebhookResponse };
  /** Resends a completed delivery under its original id. */
  "/api/v2/shipping/webhooks/{subscriber_id}/replay": { body: ReplayWebhookDeliveryRequest; answer: ReplayWebhookDeliveryResponse };
}

/** Every path that something is taken away by, with what the path says and its answer. */
export interface DeletePaths {
  /** Deletes a webhook and its pending deliveries. */
  "/api/v2/shipping/webhooks/{subscriber_id}": { body: DeleteWebhookRequest; answer: DeleteWebhookResponse };
}

/** The caller's account and key. */
export interface GetCallerResponse {
  /** The account. */
  account?: Account;
  /** The key used for the request. */
  key?: ApiKey;
}

/** API keys of the account. */
export interface ListApiKeysResponse {
  /** Active keys first, then oldest first. */
  keys: ApiKey[];
}

/** Feed URLs of the account. */
export interface ListFeedUrlsResponse {
  /** Active feed URLs first, then oldest first. */
  feeds: FeedUrl[];
}

/** Calls of the account. */
export interface GetUsageResponse {
  /** Newest day first, then by operation. */
  usage: Usage[];
  /** Current remaining calls of each limit. */
  limits: Limit[];
}

/** Limits of the caller's account. */
export interface GetLimitsResponse {
  /** Plan limits first, then operations with a limit of their own. */
  limits: Limit[];
}

/** A page of the audit log. */
export interface ListAuditEventsResponse {
  /** Newest first. */
  events: AuditEvent[];
  /** `nextCursor` is empty on the last page. */
  pagination?: Pagination;
}

/** A page of accounts. */
export interface ListAccountsResponse {
  /** Sorted by id. */
  accounts: Account[];
  /** `nextCursor` is empty on the last page. */
  pagination?: Pagination;
}

/** All datasets. */
export interface ListDatasetsResponse {
  /** In a fixed order, by domain. */
  datasets: Dataset[];
}

/** A dataset and its rows. */
export interface GetDatasetResponse {
  /** The dataset, as in ListDatasets. */
  dataset?: Dataset;
  /** Rows by country and by source. */
  coverage?: DatasetCoverage;
}

/** All sources. */
export interface ListSourcesResponse {
  /** In the order of the datasets. */
  sources: Source[];
}

/** A page of impacts. */
export interface ListCompanyEventImpactsResponse {
  /** Latest change first, then by id, highest first. */
  impacts: CompanyEventImpact[];
  /** Cursor of the next page. */
  nextCursor: string;
  /** The generation from which this page was read. */
  snapshot?: MonitoringSnapshot;
}

/** Whether an impact is positive or negative for the company. */
export type MaterialImpactDirection = "MATERIAL_IMPACT_DIRECTION_UNSPECIFIED" | "MATERIAL_IMPACT_DIRECTION_POSITIVE" | "MATERIAL_IMPACT_DIRECTION_NEGATIVE" | "MATERIAL_IMPACT_DIRECTION_MIXED";

/** Lifecycle stage of an impact. */
export type MaterialImpactLifecycle = "MATERIAL_IMPACT_LIFECYCLE_UNSPECIFIED" | "MATERIAL_IMPACT_LIFECYCLE_ADMITTED" | "MATERIAL_IMPACT_LIFECYCLE_CORRECTED" | "MATERIAL_IMPACT_LIFECYCLE_RETRACTED";

/** A page of changed impacts. */
export interface ListCompanyEventChangesResponse {
  /** Oldest change first. */
  impacts: CompanyEventImpact[];
  /** Cursor of the next page. */
  nextCursor: string;
  /** `CURRENT`: all pages together are the changes up to `snapshot`. */
  pollState: string;
  /** The generation from which this page was read. */
  snapshot?: MonitoringSnapshot;
}

/** A page of companies. */
export interface ListMonitoredCompaniesResponse {
  /** Latest change first, then by id, highest first. */
  companies: MonitoredCompany[];
  /** Cursor of the next page. */
  nextCursor: string;
  /** The generation from which this page was read. */
  snapshot?: MonitoringSnapshot;
}

/** Monitoring state of a company. */
export type MonitoredCompanyState = "MONITORED_COMPANY_STATE_UNSPECIFIED" | "MONITORED_COMPANY_STATE_ACTIVE" | "MONITORED_COMPANY_STATE_PAUSED" | "MONITORED_COMPANY_STATE_REMOVED";

/** Matching events. */
export interface ListConflictEventsResponse {
  /** Events in the requested order, by default by time, newest first, then by id. */
  events: ConflictEvent[];
  /** `nextCursor` is always empty: use `nextAfter`. */
  pagination?: Pagination;
  /** Send as `after` to get the next page. */
  nextAfter: string;
}

/** Counted events. */
export interface CountConflictEventsResponse {
  /** Sorted by number of events, highest first, then by country or type; days newest first. */
  counts: ConflictEventCount[];
  /** Matching events of all groups. */
  totalEvents: number;
  /** Reported deaths of all groups. */
  totalFatalities: number;
}

/** Matching outages. */
export interface ListInternetOutagesResponse {
  /** Sorted by detection time, newest first, then by id. */
  outages: InternetOutage[];
  /** `nextCursor` is always empty. */
  pagination?: Pagination;
}

/** Extent of an outage within a country. */
export type OutageSeverity = "OUTAGE_SEVERITY_UNSPECIFIED" | "OUTAGE_SEVERITY_PARTIAL" | "OUTAGE_SEVERITY_MAJOR" | "OUTAGE_SEVERITY_TOTAL";

/** Counted outages. */
export interface CountInternetOutagesResponse {
  /** Sorted by number of outages, highest first, then by country or type; days newest first. */
  counts: InternetOutageCount[];
  /** Matching outages of all groups. */
  totalOutages: number;
}

/** Country and place at the point. */
export interface ReverseGeocodeResponse {
  /** English short name of the country or territory. */
  country: string;
  /** ISO 3166-1 alpha-2 code of the country. */
  code: string;
  /** Nearest populated place within 50 km and the country. */
  displayName: string;
  /** Empty on success. */
  error: string;
}

/** Registered location of the caller's IP address. */
export interface GetIpGeoResponse {
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Name of the first-level subdivision. */
  region: string;
  /** Name of the city. */
  city: string;
}

/** Stored tariffs. */
export interface GetTariffTrendsResponse {
  /** One row per year, ascending. */
  datapoints: TariffDatapoint[];
  /** Time when the rows were last read from the source, ISO 8601 in UTC. */
  fetchedAt: string;
  /** True if data is missing because of a failure; a retry may succeed. */
  upstreamUnavailable: boolean;
  /** Effective tariff rate. */
  effectiveTariffRate?: EffectiveTariffRate;
  /** Reason why there are no rows. */
  unavailableReason: GetTariffTrendsResponseUnavailableReason;
  /** First year listed. */
  coverageStartYear: number;
  /** Last year listed. */
  coverageEndYear: number;
}

/** Stored trade flows. */
export interface GetTradeFlowsResponse {
  /** One row per year, ascending. */
  flows: TradeFlow[];
  /** Time when the rows were last read from the source, ISO 8601 in UTC. */
  fetchedAt: string;
  /** True if data is missing because of a failure; a retry may succeed. */
  upstreamUnavailable: boolean;
  /** Reason why there are no rows. */
  unavailableReason: GetTradeFlowsResponseUnavailableReason;
  /** First year listed. */
  coverageStartYear: number;
  /** Last year listed. */
  coverageEndYear: number;
}

/** Key figures of one country. */
export interface GetCountryBriefResponse {
  /** The requested country. */
  country?: CountryIdentity;
  /** Instability score and its movement. */
  risk?: RiskPart;
  /** Resilience score with domains and pillars. */
  resilience?: ResiliencePart;
  /** Armed-conflict events of the last 30 days. */
  conflict?: ConflictPart;
  /** Internet outages of the last 30 days. */
  outages?: OutagesPart;
  /** Exposure of energy imports to maritime chokepoints. */
  chokepoints?: ChokepointsPart;
  /** Commodities whose supply is most vulnerable. */
  vulnerabilities?: VulnerabilitiesPart;
  /** Macroeconomic figures. */
  macro?: MacroPart;
  /** Merchandise trade of the most recent year on record. */
  trade?: TradePart;
  /** Average tariff of the most recent year on record. */
  tariffs?: TariffsPart;
  /** Military spending, personnel and arms suppliers. */
  defense?: DefensePart;
  /** Number of military bases in the country. */
  bases?: BasesPart;
  /** Number of open tenders in the country. */
  tenders?: TendersPart;
  /** Gas storage of the European Union. */
  gas?: GasPart;
}

/** A page of open notices and the completeness of the feed. */
export interface ListGlobalTendersResponse {
  /** Matching open notices, in the requested order. */
  tenders: Tender[];
  /** Cursor of the next page. */
  nextCursor: string;
  /** Number of matching notices on all pages, exact up to 10,000. */
  total: number;
  /** True if more than `total` notices match. */
  totalCapped: boolean;
  /** Time of the last refresh of the feed, ISO 8601 in UTC. */
  fetchedAt: string;
  /** True if the feed holds any notice, or any source was read successfully. */
  dataAvailable: boolean;
  /** `available`: all sources were read. */
  availability: string;
  /** `not_requested`, `observed` (the feed has notices of every requested country) or `unknown`. */
  countryCoverage: string;
  /** Status of each source. */
  sourceStatuses: TenderSourceStatus[];
  /** Names of the active filters, in parameter order. */
  appliedFilters: string[];
}

/** EU gas storage on the latest gas day. */
export interface GetEuGasStorageResponse {
  /** How full the storage is, in percent of the working volume, 2 decimals. */
  fillPct: number;
  /** Change since the previous gas day in percentage points, 2 decimals. */
  fillPctChange1d: number;
  /** Days the stored gas lasts at 18 TWh per day, the average winter drawdown, rounded. */
  gasDaysConsumption: number;
  /** `injecting` if the change is above 0.05, `withdrawing` if it is below -0.05, otherwise `stable`. */
  trend: string;
  /** The most recently published gas days, at most five, oldest first. */
  history: EuGasStorageDay[];
  /** Time of the last successful read of the source, Unix epoch milliseconds as a decimal string. */
  seededAt: string;
  /** Latest gas day, YYYY-MM-DD. */
  updatedAt: string;
  /** True if the source could not be read for 72 hours, or was never read. */
  unavailable: boolean;
}

/** Matching policies. */
export interface GetEnergyCrisisPoliciesResponse {
  /** Publisher of the list. */
  source: string;
  /** URL of the list. */
  sourceUrl: string;
  /** One-sentence description of the list. */
  context: string;
  /** Sorted by country, category, announcement date (newest first) and measure. */
  policies: EnergyCrisisPolicy[];
  /** Time of the last review of the list, ISO 8601 in UTC. */
  updatedAt: string;
  /** True if there is no list. */
  unavailable: boolean;
}

/** A labor series. */
export interface GetLaborStatsSeriesResponse {
  /** Always present. */
  series?: LaborStatsSeries;
}

/** The index and its components. */
export interface GetEconomicStressResponse {
  /** 0 (calm) to 100 (extreme), 1 decimal. */
  compositeScore: number;
  /** Label of the rounded score: `Low` below 20, `Moderate` below 40, `Elevated` below 60, `Severe` below 80, otherwise `Critical`. */
  label: string;
  /** Always the same six components in the same order, including missing ones. */
  components: EconomicStressComponent[];
  /** Time of the last successful read of FRED, ISO 8601 in UTC. */
  seededAt: string;
  /** True if FRED could not be read for 6 hours, or was never read. */
  unavailable: boolean;
}

/** Figures of the requested countries. */
export interface GetCountryMacroResponse {
  /** Time when the oldest of the four parts was read, ISO 8601 in UTC. */
  cached_at?: string;
  /** True if the figures were read more than 70 days ago, or a part is missing. */
  stale: boolean;
  /** Always present. */
  data?: CountryMacroData;
}

/** House prices of the requested places. */
export interface GetEuHousingCycleResponse {
  /** Time of the last successful read of Eurostat, ISO 8601 in UTC. */
  cached_at?: string;
  /** True if Eurostat was last read more than 50 days ago, or never. */
  stale: boolean;
  /** Always present. */
  data?: EuHousingCycleData;
}

/** Government debt of the requested places. */
export interface GetEuQuarterlyGovDebtResponse {
  /** Time of the last successful read of Eurostat, ISO 8601 in UTC. */
  cached_at?: string;
  /** True if Eurostat was last read more than 14 days ago, or never. */
  stale: boolean;
  /** Always present. */
  data?: EuQuarterlyGovDebtData;
}

/** Industrial production of the requested places. */
export interface GetEuIndustrialProductionResponse {
  /** Time of the last successful read of Eurostat, ISO 8601 in UTC. */
  cached_at?: string;
  /** True if Eurostat was last read more than 5 days ago, or never. */
  stale: boolean;
  /** Always present. */
  data?: EuIndustrialProductionData;
}

/** Information about the company. */
export interface GetCompanyEnrichmentResponse {
  /** Identity of the company. */
  company?: CompanyIdentity;
  /** Technologies in use. */
  techStack: CompanyTechnology[];
  /** Up to 5 most recent Hacker News stories with the company's name in the title. */
  hackerNewsMentions: HackerNewsMention[];
  /** SEC filings. */
  secFilings?: SecFilings;
  /** Market profile. */
  market?: MarketProfile;
  /** Up to 8 quarters with an actual result and an estimate, newest first. */
  earningsSurprises: EarningsSurprise[];
  /** Up to 5 most recent press feed items that name the company, newest first. */
  newsMentions: NewsMention[];
  /** Sources that were reached, in this order: `sec_edgar`, `finnhub`, `news`, `hacker_news`. */
  sources: string[];
  /** Time when the oldest part was fetched, Unix epoch milliseconds. */
  enrichedAtMs: number;
  /** True if the register could not be read, or every source failed for a registered company. */
  unavailable: boolean;
}

/** Tone and volume of a topic. */
export interface GetNewsTopicTimelineResponse {
  /** The requested topic. */
  topic: string;
  /** Time when these points were fetched from the source, ISO 8601 in UTC. */
  fetchedAt: string;
  /** Mean tone of the matching articles of each day, about -10 (hostile) to 10 (friendly), four decimals. */
  tone: TopicPoint[];
  /** Number of matching articles of each day. */
  vol: TopicPoint[];
  /** Empty on success. */
  error: string;
}

/** Scores of the requested countries. */
export interface GetRiskScoresResponse {
  /** Sorted by `combinedScore`, highest first. */
  ciiScores: CiiScore[];
  /** One entry for the world. */
  strategicRisks: StrategicRisk[];
  /** True if the scores are degraded: a source is unavailable (`missingInputs`) or the scores are old. */
  degraded: boolean;
  /** True if the scores are the last good ones, 20 to 60 minutes old. */
  stale: boolean;
  /** Inputs that count as 0 because data is missing. */
  missingInputs: string[];
}

/** All parts of a score. */
export interface GetRiskScoreExplanationResponse {
  /** ISO 3166-1 alpha-2 country code. */
  region: string;
  /** Version of the methodology, `v8`. */
  methodologyVersion: string;
  /** Time when the score was computed, Unix epoch milliseconds. */
  computedAt: number;
  /** As in GetRiskScores. */
  degraded: boolean;
  /** As in GetRiskScores. */
  stale: boolean;
  /** As in GetRiskScores. */
  missingInputs: string[];
  /** Constant of the methodology for the country, 0 to 100. */
  staticBaseline: number;
  /** Weight of the baseline in the score. */
  baselineWeight: number;
  /** The constant `m` of the formulas, which multiplies the country's events. */
  eventMultiplier: number;
  /** Weight of the components in the score. */
  eventWeight: number;
  /** The four components. */
  components: RiskComponent[];
  /** Points added to the baseline and the components. */
  additions: RiskTerm[];
  /** Minimum scores of the country. */
  floors: RiskFloor[];
  /** Score before rounding and floors. */
  blendedScore: number;
  /** As in GetRiskScores. */
  combinedScore: number;
  /** Snapshot of about 24 hours earlier. */
  earlier?: RiskSnapshot;
  /** As in GetRiskScores. */
  dynamicScore: number;
  /** True if the country is scored. */
  scored: boolean;
}

/** Premiums and the exchange rate used. */
export interface GetPhysicalPremiumsResponse {
  /** The requested metals, gold before silver. */
  premiums: PhysicalPremium[];
  /** Exchange rate. */
  fx?: PremiumExchangeRate;
  /** True if there are reliable premiums. */
  available: boolean;
}

/** Readings of the metals and their composite. */
export interface GetPhysicalDivergenceIndexResponse {
  /** The requested metals, gold before silver. */
  readings: PhysicalDivergenceReading[];
  /** Composite of both metals, regardless of the request. */
  composite?: PhysicalDivergenceComposite;
  /** Evaluation time, which is the time of the call, Unix epoch milliseconds. */
  evaluatedAt: number;
  /** Name of the methodology, `physical-divergence-v2`. */
  methodologyVersion: string;
  /** True if a premium is stored for any metal. */
  available: boolean;
}

/** Quotes and their age. */
export interface GetMarketDataResponse {
  /** Time of the last read of the least recently read source behind the requested classes, ISO 8601 in UTC. */
  cached_at?: string;
  /** True if any of these sources was never read or is overdue: after 45 minutes for shares, 3 days for metals. */
  stale: boolean;
  /** The quotes. */
  data?: MarketData;
  /** True if any requested asset class has no quotes, regardless of symbol. */
  unavailable: boolean;
  /** Requested asset classes without any quotes, in parameter order. */
  unavailableAssetClasses: string[];
}

/** Bases and clusters in the box. */
export interface ListMilitaryBasesResponse {
  /** Individual bases, at most 2,000, sorted by tier, name and id. */
  bases: MilitaryBase[];
  /** Groups of two or more bases, at most 2,000, sorted by size (largest first), latitude and longitude. */
  clusters: MilitaryBaseCluster[];
  /** Total number of matching bases: individual bases plus the sizes of all groups, before truncation. */
  totalInView: number;
  /** True if bases or clusters were left out because of the limits. */
  truncated: boolean;
}

/** The aircraft, if it is currently received. */
export interface GetProviderLiveFlightResponse {
  /** Absent if no receiver currently sees the aircraft, or the provider failed (`X-Flight-Upstream: unavailable`). */
  flight?: LiveFlight;
}

/** Defense industrial base of the country. */
export interface GetDefenseIndustrialBaseResponse {
  /** The requested country. */
  countryCode: string;
  /** True if at least one of the two sources has data for the country. */
  available: boolean;
  /** Military expenditure, percent of GDP. */
  expenditurePctGdp?: DefenseIndicator;
  /** Military expenditure, current US dollars. */
  expenditureUsd?: DefenseIndicator;
  /** Number of armed forces personnel. */
  personnel?: DefenseIndicator;
  /** Exports of major arms, SIPRI trend-indicator value: a volume index, not money. */
  armsExportsTiv?: DefenseIndicator;
  /** Imports of major arms, SIPRI trend-indicator value: a volume index, not money. */
  armsImportsTiv?: DefenseIndicator;
  /** Supplier countries of the country's arms imports in the window, largest share first. */
  suppliers: ArmsSupplier[];
  /** Supplier concentration, 0 to 1: the sum of squared shares of all suppliers, including those that are not countries. */
  supplierHhi: number;
  /** First year of the five-year window. */
  windowStartYear: number;
  /** Last year of the window. */
  windowEndYear: number;
  /** Source of the supplier data. */
  supplierSource: string;
  /** The earlier of the two read times below, ISO 8601 in UTC. */
  fetchedAt: string;
  /** Time when the indicators were read, ISO 8601 in UTC. */
  industrialFetchedAt: string;
  /** Time when the suppliers were read, ISO 8601 in UTC. */
  supplierFetchedAt: string;
  /** True if the last read failed and the suppliers are from an earlier one. */
  supplierRetained: boolean;
  /** Share of the deliveries whose supplier is a country, 0 to 1. */
  supplierMappingCoverage: number;
  /** Status of the indicators: `ok`, `stale` (read more than 28 days ago), `no_data` (read, but without this country) or `not_loaded` (never read). */
  industrialState: string;
  /** Status of the suppliers, with the same values. */
  supplierState: string;
}

/** Matching events. */
export interface ListTechEventsResponse {
  /** True if data is available. */
  success: boolean;
  /** Number of events in the response. */
  count: number;
  /** Number of those events that are conferences. */
  conferenceCount: number;
  /** Number of those events, of any type, that have coordinates and are not virtual. */
  mappableCount: number;
  /** Time when the most recent feed data was read, ISO 8601 in UTC. */
  lastUpdated: string;
  /** Sorted by first day, then last day, title and id. */
  events: TechEvent[];
  /** Reason if `success` is false. */
  error: string;
}

/** Score of a country with all its parts. */
export interface GetResilienceScoreResponse {
  /** The requested country, ISO 3166-1 alpha-2 code. */
  countryCode: string;
  /** 0 to 100, two decimals. */
  overallScore: number;
  /** `high` (60 and above), `medium` (30 and above) or `low`. */
  level: string;
  /** Always the six domains in a fixed order. */
  domains: ResilienceDomain[];
  /** Direction of the daily scores of the last 30 days including the current one: `rising`, `stable` or `falling`. */
  trend: string;
  /** `overallScore` minus the oldest score of the last 30 days, two decimals. */
  change30d: number;
  /** True if less than 55 percent is covered, or more than 40 percent is imputed. */
  lowConfidence: boolean;
  /** Imputed weight divided by total weight, 0 to 1, four decimals. */
  imputationShare: number;
  /** Coverage-weighted mean of the baseline and mixed dimensions, 0 to 100, two decimals. */
  baselineScore: number;
  /** Coverage-weighted mean of the stress and mixed dimensions, 0 to 100, two decimals. */
  stressScore: number;
  /** 1 − `stressScore` / 100, clamped to 0–0.5, four decimals. */
  stressFactor: number;
  /** Date of the most recent annual data, YYYY-MM-DD. */
  dataVersion: string;
  /** Range of the score if the pillar weights are changed by up to one tenth. */
  scoreInterval?: ScoreInterval;
  /** The three pillars in a fixed order. */
  pillars: ResiliencePillar[];
  /** `2.0`. */
  schemaVersion: string;
  /** True if the score is eligible for the ranking: coverage at least 0.65, not low confidence, and a population of at least 200,000 or else a coverage of at least 0.85. */
  headlineEligible: boolean;
  /** Version of the methodology. */
  methodologyVersion: string;
}

/** All countries of the ranking. */
export interface GetResilienceRankingResponse {
  /** Ranked countries, highest score first, ties by code. */
  items: RankedCountry[];
  /** Countries whose score is not reliable enough, in the same order, then countries without a score. */
  greyedOut: RankedCountry[];
  /** Time when the scores were computed, ISO 8601 in UTC. */
  fetchedAt: string;
  /** Number of countries with a score. */
  scored: number;
  /** Number of countries of the ranking: the 193 members of the United Nations, Hong Kong, Macao and Taiwan. */
  total: number;
  /** `scored` / `total`, four decimals. */
  coverage: number;
  /** True while fewer than 95 percent of the countries have a score. */
  partial: boolean;
  /** Version of the methodology, as in GetResilienceScore. */
  methodologyVersion: string;
}

/** All parts of a score. */
export interface GetResilienceScoreExplanationResponse {
  /** ISO 3166-1 alpha-2 country code. */
  countryCode: string;
  /** As in GetResilienceScore. */
  overallScore: number;
  /** As in GetResilienceScore. */
  level: string;
  /** As in GetResilienceScore. */
  methodologyVersion: string;
  /** Time when the score was computed, ISO 8601 in UTC. */
  computedAt: string;
  /** Fraction of the score that is lost if the weakest pillar is 0. */
  penalty: number;
  /** Factor by which a wholly imputed dimension counts. */
  imputedFactor: number;
  /** Mean coverage of the dimensions, reduced for old data, 0 to 1. */
  overallCoverage: number;
  /** As in GetResilienceScore. */
  imputationShare: number;
  /** As in GetResilienceScore. */
  lowConfidence: boolean;
  /** As in GetResilienceScore. */
  headlineEligible: boolean;
  /** Population. */
  population: number;
  /** The three pillars. */
  pillars: ExplainedPillar[];
}

/** Versions, flags and storage. */
export interface GetResilienceRuntimeManifestResponse {
  /** Version of the response format. */
  manifestVersion: number;
  /** Time of the response, ISO 8601 in UTC. */
  generatedAt: string;
  /** Commit of the running deployment, as set by the operator (`IDS_COMMIT`). */
  deployedCommitSha: string;
  /** Origin of the data: `live` or `sample`. */
  environment: string;
  /** Formula that combines the pillars: `pc`, the mean minus a penalty for the weakest pillar. */
  formulaTag: string;
  /** Date of the most recent annual data, YYYY-MM-DD. */
  dataVersion: string;
  /** Feature flags. */
  flags: RuntimeFlag[];
  /** Storage of the scores. */
  cache?: RuntimeCache;
  /** The ranking currently returned. */
  rankingCache?: RankingState;
  /** Constructs of single dimensions by name: `energy` is `v2`. */
  constructVersions: Record<string, string>;
  /** Whether scores have intervals. */
  intervals?: IntervalState;
  /** Version of the methodology. */
  methodologyVersion: string;
}

/** The scenarios that can be run. */
export interface ListScenarioTemplatesResponse {
  /** Templates in a fixed order. */
  templates: ScenarioTemplate[];
}

/** Status of a job. */
export interface GetScenarioStatusResponse {
  /** `pending` until a worker starts it, `processing`, then `done` or `failed`. */
  status: string;
  /** Result. */
  result?: ScenarioResult;
  /** `computation_error` if the computation failed three times. */
  error: string;
}

/** Webhooks of the account. */
export interface ListWebhooksResponse {
  /** Oldest first. */
  webhooks: Webhook[];
}

/** A registered webhook. */
export interface Webhook {
  /** `wh_` and 24 hexadecimal digits. */
  subscriberId: string;
  /** URL to which deliveries are sent. */
  callbackUrl: string;
  /** Chokepoints that are reported. */
  chokepointIds: string[];
  /** Disruption score from which a chokepoint is reported, 0 to 100. */
  alertThreshold: number;
  /** Registration time, ISO 8601 in UTC. */
  createdAt: string;
  /** True if deliveries are sent. */
  active: boolean;
  /** Reason why the webhook is disabled: `gone` if the URL returned 410, `exhausted` if a delivery failed on every attempt. */
  inactiveReason: string;
  /** Time when the webhook was disabled, ISO 8601 in UTC. */
  inactiveSince?: string;
}

/** Sent and pending deliveries of the webhook. */
export interface ListWebhookDeliveriesResponse {
  /** Newest first, at most 50. */
  deliveries: WebhookDelivery[];
}

/** Dependence of a country's imports of a chapter on each chokepoint. */
export interface GetCountryChokepointIndexResponse {
  /** The requested country. */
  iso2: string;
  /** The requested chapter, always two digits. */
  hs2: string;
  /** All 13 chokepoints, highest score first. */
  exposures: ChokepointExposure[];
  /** Id of the chokepoint with the highest score. */
  primaryChokepointId: string;
  /** Weighted sum of the three highest scores (0.5, 0.3 and 0.2), 0 to 100, one decimal. */
  vulnerabilityIndex: number;
  /** Computation time, ISO 8601 in UTC. */
  fetchedAt: string;
  /** Basis of the scores: `flow_weighted` (the country's imports) or `country_route_fallback` (its trade routes only). */
  coverage: string;
  /** True if the imports could not be read yet, or those used are more than 45 days old. */
  upstreamUnavailable: boolean;
}

/** Imports of a country. */
export interface GetCountryProductsResponse {
  /** The requested country. */
  iso2: string;
  /** Watched headings with stored imports, highest value first. */
  products: ImportedProduct[];
  /** Time when the imports were read, ISO 8601 in UTC. */
  fetchedAt: string;
  /** True if no imports of any country could be read yet, those of this country are more than 45 days old, or the store cannot be read. */
  upstreamUnavailable: boolean;
}

/** Cost of the closure by sector. */
export interface GetMultiSectorCostShockResponse {
  /** The requested country. */
  iso2: string;
  /** The requested chokepoint. */
  chokepointId: string;
  /** Duration of the closure in days, as used in the computation. */
  closureDays: number;
  /** War-risk tier of the chokepoint. */
  warRiskTier: WarRiskTier;
  /** Ten sectors, highest cost per day first. */
  sectors: SectorCostShock[];
  /** Sum of the sectors' `total_cost_shock`, in US dollars. */
  totalAddedCost: number;
  /** Computation time, ISO 8601 in UTC. */
  fetchedAt: string;
  /** Reason why every cost is 0. */
  unavailableReason: string;
  /** True if no imports of any country could be read yet, or those used are more than 45 days old. */
  upstreamUnavailable: boolean;
}

/** Carrier shares and the resulting score. */
export interface GetShippingStressResponse {
  /** Always in the same order. */
  carriers: ShippingCarrier[];
  /** Stress score, an integer from 0 to 100. */
  stressScore: number;
  /** `low` below 25, `moderate` below 50, `elevated` below 75, otherwise `critical`. */
  stressLevel: string;
  /** Time when the prices were read, Unix epoch milliseconds. */
  fetchedAt: number;
  /** True if the prices were never read, or more than 45 minutes ago. */
  upstreamUnavailable: boolean;
}

/** Matching minerals. */
export interface GetMineralProductionResponse {
  /** In a fixed order, rare earths first. */
  commodities: MineralCommodity[];
  /** If `iso2` is set, one entry with the country's holdings in the same order. */
  countries: MineralCountry[];
  /** Time when the least recently read source was read, ISO 8601 in UTC. */
  fetchedAt: string;
  /** True if no source was ever read, or none for 400 days. */
  upstreamUnavailable: boolean;
  /** Most recent year of all data, regardless of the filters. */
  dataYear: number;
}

/** Vulnerability of one country by commodity. */
export interface GetCountryVulnerabilitiesResponse {
  /** The requested country. */
  iso2: string;
  /** English name of the country. */
  country: string;
  /** All 23 commodities: those with a score first, highest first, then by `commodity_id`. */
  vulnerabilities: CommodityVulnerability[];
  /** Time when this set of scores was computed, ISO 8601 in UTC. */
  generatedAt: string;
  /** Methodology of the scores. */
  methodologyVersion: string;
  /** True if no set of scores was ever published, or the last one is more than 72 hours old. */
  upstreamUnavailable: boolean;
  /** True if there is a set of scores. */
  available: boolean;
}

/** Countries and commodities that depend on one chokepoint. */
export interface GetChokepointDependenciesResponse {
  /** The requested chokepoint. */
  chokepointId: string;
  /** English name of the chokepoint. */
  chokepoint: string;
  /** Countries and commodities with a share above 0: those with a score first, highest first, then by `weighted_transit_share`, country and commodity. */
  dependencies: ChokepointDependency[];
  /** As in GetCountryVulnerabilities. */
  generatedAt: string;
  /** Methodology of the scores. */
  methodologyVersion: string;
  /** True if no set of scores was ever published, or the last one is more than 72 hours old. */
  upstreamUnavailable: boolean;
  /** True if there is a set of scores. */
  available: boolean;
}

/** Most vulnerable pairs of country and commodity. */
export interface ListVulnerabilityRankingsResponse {
  /** Pairs with a score first, highest first, then by country and commodity. */
  vulnerabilities: CommodityVulnerability[];
  /** As in GetCountryVulnerabilities. */
  generatedAt: string;
  /** Methodology of the scores. */
  methodologyVersion: string;
  /** True if no set of scores was ever published, or the last one is more than 72 hours old. */
  upstreamUnavailable: boolean;
  /** True if there is a set of scores. */
  available: boolean;
}

/** The new key, shown only once. */
export interface CreateApiKeyResponse {
  /** The key: `ids_` and 40 hexadecimal digits. */
  secret: string;
  /** Stored properties of the key. */
  key?: ApiKey;
}

/** Properties of the new key. */
export interface CreateApiKeyRequest {
  /** Display name, 1 to 100 characters. */
  name: string;
  /** Scopes in addition to the generic reads: `keys:read`, `keys:write` and those granted to the account. */
  scopes?: string[] | undefined;
  /** Expiry, Unix epoch milliseconds, in the future and not after the expiry of the calling key. */
  expiresAt?: number | undefined;
  /** Account id, for the operator only. */
  account?: string | undefined;
}

/** The new key, shown only once, and the old key. */
export interface RotateApiKeyResponse {
  /** The new key. */
  secret: string;
  /** Stored properties of the new key. */
  key?: ApiKey;
  /** The old key. */
  replaced?: ApiKey;
}

/** Key to replace and overlap with the old key. */
export interface RotateApiKeyRequest {
  /** Id of the key, such as `key_…`. */
  keyId: string;
  /** Time in seconds for which the old key stays valid, 0 to 2,592,000 (30 days). */
  overlapSeconds?: number | undefined;
}

/** The revoked key. */
export interface RevokeApiKeyResponse {
  /** The key, with `revokedAt` set. */
  key?: ApiKey;
}

/** Key to revoke. */
export interface RevokeApiKeyRequest {
  /** Id of the key, such as `key_…`. */
  keyId: string;
}

/** The new feed URL, shown only once. */
export interface CreateFeedUrlResponse {
  /** The URL, as a path of this service. */
  url: string;
  /** Stored properties of the feed URL. */
  feed?: FeedUrl;
}

/** The read that the new URL is bound to. */
export interface CreateFeedUrlRequest {
  /** Display name, 1 to 100 characters. */
  name: string;
  /** Path and query of the read, as in its GET request: percent-encoded, without host and fragment. */
  path: string;
  /** Expiry, Unix epoch milliseconds, in the future, at most 366 days away and not after the expiry of the calling key. */
  expiresAt?: number | undefined;
}

/** The revoked feed URL. */
export interface RevokeFeedUrlResponse {
  /** The feed URL, with `revokedAt` set. */
  feed?: FeedUrl;
}

/** Feed URL to revoke. */
export interface RevokeFeedUrlRequest {
  /** Id of the feed URL, such as `feed_…`. */
  feedId: string;
}

/** The created account. */
export interface CreateAccountResponse {
  /** The new account. */
  account?: Account;
}

/** The account to create. */
export interface CreateAccountRequest {
  /** Account id: letters, digits, `-`, `_` and `.`, at most 64 characters, starting with a letter or a digit. */
  id: string;
  /** Display name. */
  name?: string | undefined;
  /** Plan of the first subscription. */
  plan?: string | undefined;
  /** Customer id at the billing provider. */
  billingCustomer?: string | undefined;
}

/** The updated account. */
export interface SetSubscriptionResponse {
  /** The account. */
  account?: Account;
}

/** The operator-managed subscription to set. */
export interface SetSubscriptionRequest {
  /** Account id. */
  account: string;
  /** Plan. */
  plan: string;
  /** End of the paid period, Unix epoch milliseconds. */
  validUntil?: number | undefined;
  /** If true, ends the subscription immediately. */
  ended?: boolean | undefined;
}

/** The updated account. */
export interface SetScopesResponse {
  /** The account. */
  account?: Account;
}

/** The scopes to set. */
export interface SetScopesRequest {
  /** Account id. */
  account: string;
  /** All scopes that the account's keys may carry in addition to `keys:read` and `keys:write`, such as `company_monitoring:read`. */
  scopes?: string[] | undefined;
}

/** The responses. */
export interface RunBatchResponse {
  /** One response for each read, in request order. */
  responses: BatchedResponse[];
}

/** The reads to run. */
export interface RunBatchRequest {
  /** 1 to 20 reads. */
  requests: BatchedRead[];
}

/** Result for each company. */
export interface ImportCompaniesResponse {
  /** In the order of the request. */
  companies: ImportedCompany[];
}

/** Companies to add or update. */
export interface ImportCompaniesRequest {
  /** Version of this contract: `cm-import-v1`. */
  contractVersion: string;
  /** 1 to 100 companies. */
  companies: CompanyImport[];
}

/** The admitted impact. */
export interface AdmitImpactResponse {
  /** The first revision. */
  impact?: CompanyEventImpact;
}

/** An impact to admit. */
export interface AdmitImpactRequest {
  /** Account that monitors the company. */
  account: string;
  /** Id of the company. */
  companyId: string;
  /** Event id: `cm_event_` and a ULID. */
  eventId?: string | undefined;
  /** Revision of the assessed event. */
  eventRevision?: number | undefined;
  /** Effect of the event on the company. */
  assessment: ImpactAssessment;
}

/** The corrected impact. */
export interface CorrectImpactResponse {
  /** The newest revision. */
  impact?: CompanyEventImpact;
}

/** An impact to correct. */
export interface CorrectImpactRequest {
  /** Account that owns the impact. */
  account: string;
  /** Id of the impact. */
  impactId: string;
  /** Revision of the assessed event, not earlier than the previously assessed one. */
  eventRevision?: number | undefined;
  /** The complete new assessment. */
  assessment: ImpactAssessment;
}

/** The retracted impact. */
export interface RetractImpactResponse {
  /** The last revision. */
  impact?: CompanyEventImpact;
}

/** An impact to retract. */
export interface RetractImpactRequest {
  /** Account that owns the impact. */
  account: string;
  /** Id of the impact. */
  impactId: string;
  /** Reason, at most 2,048 bytes. */
  rationale?: string | undefined;
}

/** The queued job. */
export interface RunScenarioResponse {
  /** `scenario:`, 13 digits of Unix epoch milliseconds, `:` and 32 hexadecimal digits. */
  jobId: string;
  /** Always `pending`. */
  status: string;
  /** Relative URL of GetScenarioStatus for this job. */
  statusUrl: string;
}

/** Scenario to run, countries and severity. */
export interface RunScenarioRequest {
  /** Id of a template from ListScenarioTemplates. */
  scenarioId: string;
  /** ISO 3166-1 alpha-2 code of a single country to compute, case-insensitive, or `XK`. */
  iso2?: string | undefined;
  /** Percent of the traffic that is lost, 0 to 100. */
  disruptionPct?: number | undefined;
}

/** Id and secret of the webhook. */
export interface RegisterWebhookResponse {
  /** `wh_` and 24 hexadecimal digits. */
  subscriberId: string;
  /** `whsec_` and 32 bytes in base64. */
  secret: string;
}

/** Callback URL, chokepoints and alert threshold. */
export interface RegisterWebhookRequest {
  /** An https URL at a public address, 8 to 2,048 characters. */
  callbackUrl: string;
  /** Chokepoints to report, such as `suez`. */
  chokepointIds?: string[] | undefined;
  /** Disruption score from which a chokepoint is reported, 0 to 100. */
  alertThreshold?: number | undefined;
}

/** The new secret. */
export interface RotateWebhookSecretResponse {
  /** Id of the webhook. */
  subscriberId: string;
  /** `whsec_` and 32 bytes in base64. */
  secret: string;
  /** Time from which the new secret signs, ISO 8601 in UTC. */
  rotatedAt: string;
  /** Time until which the previous secret also signs, ISO 8601 in UTC. */
  earlierSecretUntil: string;
}

/** Webhook whose secret to rotate. */
export interface RotateWebhookSecretRequest {
  /** Id of the webhook. */
  subscriberId: string;
}

/** The re-enabled webhook. */
export interface ReactivateWebhookResponse {
  /** Id of the webhook. */
  subscriberId: string;
  /** Always true. */
  active: boolean;
}

/** Webhook to re-enable. */
export interface ReactivateWebhookRequest {
  /** Id of the webhook. */
  subscriberId: string;
}

/** The queued delivery. */
export interface TestWebhookResponse {
  /** Id of the delivery, sent in its `webhook-id` header. */
  deliveryId: string;
}

/** Webhook to test. */
export interface TestWebhookRequest {
  /** Id of the webhook. */
  subscriberId: string;
}

/** The queued delivery. */
export interface ReplayWebhookDeliveryResponse {
  /** Id of the delivery, unchanged. */
  deliveryId: string;
}

/** Delivery to resend. */
export interface ReplayWebhookDeliveryRequest {
  /** Id of the webhook. */
  subscriberId: string;
  /** Id of the delivery. */
  deliveryId: string;
}

/** Empty response. */
export interface DeleteWebhookResponse {
}

/** Webhook to delete. */
export interface DeleteWebhookRequest {
  /** Id of the webhook. */
  subscriberId: string;
}

/** An account: owns keys, and is metered and billed. */
export interface Account {
  /** Account id. */
  id: string;
  /** Display name. */
  name: string;
  /** Current plan. */
  plan: string;
  /** Tier of the current plan: 0 free, 1 pro, 2 api, 3 enterprise. */
  tier: number;
  /** Scopes that its keys may carry. */
  scopes: string[];
  /** Paid or granted subscriptions. */
  subscriptions: Subscription[];
  /** Creation time, Unix epoch milliseconds. */
  createdAt: number;
}

/** Stored properties of an API key. */
export interface ApiKey {
  /** Id of the key, such as `key_…`. */
  id: string;
  /** Display name. */
  name: string;
  /** The first nine characters of the key. */
  prefix: string;
  /** Scopes in addition to the generic reads. */
  scopes: string[];
  /** Creation time, Unix epoch milliseconds. */
  createdAt: number;
  /** Time of the last use, Unix epoch milliseconds, accurate to five minutes. */
  lastUsedAt?: number;
  /** Expiry, Unix epoch milliseconds. */
  expiresAt?: number;
  /** Revocation time, Unix epoch milliseconds. */
  revokedAt?: number;
  /** Account that owns the key. */
  account: string;
}

/** A feed URL. */
export interface FeedUrl {
  /** Id of the feed URL, such as `feed_…`. */
  id: string;
  /** Account that owns it. */
  account: string;
  /** Display name. */
  name: string;
  /** Path and query of the read that it answers. */
  path: string;
  /** Creation time, Unix epoch milliseconds. */
  createdAt: number;
  /** Expiry, Unix epoch milliseconds. */
  expiresAt: number;
  /** Time of the last use, Unix epoch milliseconds, accurate to five minutes. */
  lastUsedAt?: number;
  /** Revocation time, Unix epoch milliseconds. */
  revokedAt?: number;
}

/** Calls of one operation on one day. */
export interface Usage {
  /** UTC day, `YYYY-MM-DD`. */
  day: string;
  /** Operation, such as `ListInternetOutages`. */
  operation: string;
  /** Number of admitted calls. */
  calls: number;
}

/** A limit and its remaining calls. */
export interface Limit {
  /** `per_minute`, `daily`, `exported_rows` or `feed_urls` for plan limits, or the name of the operation that has a limit of its own. */
  name: string;
  /** Requests allowed per window; of `feed_urls`, those that may be active. */
  limit?: number;
  /** What is left of the limit. */
  remaining?: number;
  /** Length of the window in seconds. */
  windowSeconds: number;
  /** End of the window, Unix epoch milliseconds. */
  resetAt?: number;
}

/** A write. */
export interface AuditEvent {
  /** Event id. */
  id: string;
  /** Start time, Unix epoch milliseconds. */
  at: number;
  /** Account of the key that made the write. */
  actor: string;
  /** Id of the key. */
  keyId: string;
  /** Account affected by the write. */
  account: string;
  /** Operation, such as `CreateApiKey`. */
  operation: string;
  /** `ok`, or the name of the error. */
  outcome: string;
  /** Client IP address. */
  address: string;
  /** `X-Request-Id` of the request. */
  requestId: string;
  /** Request values and results (results have names that start with `result.`). */
  details: AuditDetail[];
}

/** Position in a list and its total size. */
export interface Pagination {
  /** Cursor of the next page. */
  nextCursor: string;
  /** Total number of matching items. */
  totalCount: number;
}

/** What this service reads on a schedule and answers from. */
export interface Dataset {
  /** Name of the dataset. */
  name: string;
  /** What the dataset is about, in one sentence. */
  subject: string;
  /** When the dataset is refreshed: a cron expression in UTC. */
  schedule: string;
  /** Current state. */
  state: string;
  /** Why the dataset is not returned as it is. */
  reason?: string;
  /** Whether the rows are `live` or invented, `sample`. */
  origin?: string;
  /** Number of the stored generation: it rises with every refresh that stores rows. */
  generation?: number;
  /** Number of rows, as the dataset counts them. */
  rows?: number;
  /** Time of the last store, Unix epoch milliseconds. */
  storedAt?: number;
  /** Time of the last successful read of its main sources, Unix epoch milliseconds. */
  readAt?: number;
  /** Time since `readAt`, in seconds. */
  ageSeconds?: number;
  /** Age in seconds after which the dataset is stale. */
  freshForSeconds: number;
  /** Age in seconds after which the dataset is no longer returned as current. */
  servableForSeconds: number;
  /** Main parts that were never read. */
  missingParts: string[];
  /** Operations that answer from the dataset directly. */
  operations: DatasetOperation[];
  /** Other datasets that it is computed from. */
  reads: string[];
  /** Sources that it is read from. */
  sources: DatasetSource[];
  /** Tables of this program that it is made from. */
  tables: ProgramTable[];
  /** Why the last computation failed, for a dataset without sources. */
  failure?: string;
}

/** Rows of a dataset by country and by source. */
export interface DatasetCoverage {
  /** Sorted by country. */
  countries: CountryRows[];
  /** Rows that name no country. */
  rowsWithoutCountry: number;
  /** Sorted by source. */
  sources: SourceRows[];
}

/** A source and everything that uses it. */
export interface Source {
  /** Name of the source. */
  name: string;
  /** State of the source; of several uses, the worst. */
  state: string;
  /** True if every setting that it needs is set. */
  configured: boolean;
  /** Datasets that are read from it. */
  datasets: string[];
  /** Operations whose responses are made from it, directly or through datasets. */
  operations: string[];
  /** Those of the operations that ask it while a caller waits. */
  askedBy: string[];
  /** Terms of its data. */
  license?: License;
  /** What it takes to ask it. */
  access?: SourceAccess;
  /** Settings of the source, by name. */
  variables: SourceVariable[];
}

/** A revision of an impact of an event on a company. */
export interface CompanyEventImpact {
  /** `cm_impact_` and a ULID. */
  impactId: string;
  /** Revision number, starting at 1 and incremented by each correction and by the retraction. */
  impactRevision: number;
  /** False if the impact has a later revision than the snapshot's. */
  isCurrent: boolean;
  /** `cm_event_` and a ULID. */
  eventId: string;
  /** Revision of the assessed event, starting at 1. */
  eventRevision: number;
  /** `cm_company_` and a ULID. */
  companyId: string;
  /** Whether the effect is positive or negative for the company. */
  direction: MaterialImpactDirection;
  /** Lifecycle stage of the impact. */
  lifecycle: MaterialImpactLifecycle;
  /** Channels through which the event affects the company, 1 or 2. */
  channels: MaterialImpactChannel[];
  /** Severity of the impact. */
  magnitude: MaterialImpactMagnitude;
  /** Confidence of the assessment. */
  confidence?: ImpactConfidence;
  /** Human-readable reason, at most 2,048 bytes. */
  rationale: string;
  /** Time of the event, RFC 3339 in UTC. */
  occurredAt: string;
  /** Time of this revision, RFC 3339 in UTC. */
  changedAt: string;
  /** Best page about the event. */
  canonicalUrl: string;
  /** Number of stored references in `evidence`, 0 to 20. */
  evidenceReferenceCount: number;
  /** Total number of references. */
  evidenceTotalCount: number;
  /** True if there were more references than are stored. */
  evidenceTruncated: boolean;
  /** Stored references, best tier first. */
  evidence: EvidenceReference[];
}

/** The account generation from which a page was read. */
export interface MonitoringSnapshot {
  /** Time when the first page was read, RFC 3339 in UTC. */
  snapshotAsOf: string;
  /** Generation number: 0 before the first import or impact, then incremented by each call that may change either. */
  snapshotGeneration: string;
  /** Cursor for ListCompanyEventChanges, which returns the changes after this generation. */
  pollCursor: string;
}

/** A company that an account monitors. */
export interface MonitoredCompany {
  /** `cm_company_` and a ULID. */
  companyId: string;
  /** Revision number, starting at 1 and incremented by each change. */
  companyRevision: number;
  /** Name of the company. */
  name: string;
  /** Country of domicile: `US` or `GB`. */
  domicile: string;
  /** Ticker symbol. */
  ticker: string;
  /** Legal Entity Identifier (ISO 17442). */
  lei: string;
  /** Host name of the website. */
  domain: string;
  /** Monitoring state. */
  state: MonitoredCompanyState;
  /** Time of the first import, RFC 3339 in UTC. */
  createdAt: string;
  /** Time of this revision, RFC 3339 in UTC. */
  changedAt: string;
}

/** An event of armed conflict or political violence. */
export interface ConflictEvent {
  /** `acled-` or `ucdp-` and the source's stable id. */
  id: string;
  /** Event class of the source, such as `Battles` or `State-based conflict`. */
  eventType: string;
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Location of the event. */
  location?: GeoCoordinates;
  /** Midnight UTC of the day of the event, Unix epoch milliseconds. */
  occurredAt: number;
  /** Reported deaths, the source's best estimate. */
  fatalities: number;
  /** Parties, as named by the source. */
  actors: string[];
  /** Who reported the event. */
  source: string;
  /** First-level administrative area. */
  admin1: string;
}

/** Events of one group. */
export interface ConflictEventCount {
  /** ISO 3166-1 alpha-2 code of the country, if grouped by it. */
  country: string;
  /** Event class of the source, if grouped by it. */
  eventType: string;
  /** UTC day, `2026-03-01`, if grouped by it. */
  day: string;
  /** Number of events. */
  events: number;
  /** Reported deaths, the sources' best estimates. */
  fatalities: number;
}

/** An outage in one country. */
export interface InternetOutage {
  /** `cf-` and the upstream id. */
  id: string;
  /** What is affected and where, such as `Homs Governorate outage in Syria`. */
  title: string;
  /** URL of the report. */
  link: string;
  /** Description from the upstream. */
  description: string;
  /** Detection time, Unix epoch milliseconds. */
  detectedAt: number;
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Region within the country, for regional outages. */
  region: string;
  /** A point within the country, for maps. */
  location?: GeoCoordinates;
  /** Extent of the outage within the country. */
  severity: OutageSeverity;
  /** Source, cause, type and the first two affected networks, as words. */
  categories: string[];
  /** Cause code from the upstream, such as `POWER_OUTAGE`. */
  cause: string;
  /** Type code from the upstream: `NATIONWIDE`, `REGIONAL`, `NETWORK` or another. */
  outageType: string;
  /** End time, Unix epoch milliseconds. */
  endedAt: number;
}

/** Outages of one group. */
export interface InternetOutageCount {
  /** ISO 3166-1 alpha-2 code of the country, if grouped by it. */
  country: string;
  /** Type code from the upstream, such as `REGIONAL`, if grouped by it. */
  outageType: string;
  /** UTC day of detection, `2026-03-01`, if grouped by it. */
  day: string;
  /** Number of outages. */
  outages: number;
  /** Those that have not ended. */
  ongoing: number;
}

/** The average tariff of one year. */
export interface TariffDatapoint {
  /** Name of the economy at the WTO. */
  reportingCountry: string;
  /** Always `World`. */
  partnerCountry: string;
  /** Always `All products`. */
  productSector: string;
  /** Calendar year. */
  year: number;
  /** Simple average of the applied most-favored-nation tariff, percent, two decimals. */
  tariffRate: number;
  /** Average bound tariff, percent, two decimals. */
  boundRate?: number;
  /** WTO code of the series, `TP_A_0010`. */
  indicatorCode: string;
}

/** Customs duties collected as a share of goods imports, in the latest quarter with both values. */
export interface EffectiveTariffRate {
  /** Publisher of the two series. */
  sourceName: string;
  /** URL of the customs duties series. */
  sourceUrl: string;
  /** First day of the quarter, `YYYY-MM-DD`. */
  observationPeriod: string;
  /** Time when the two series were last read, ISO 8601 in UTC. */
  updatedAt: string;
  /** Customs duties (`B235RC1Q027SBEA`) divided by imports (`A255RC1Q027SBEA`), percent, two decimals. */
  tariffRate: number;
}

/** Reason why there are no rows. */
export type GetTariffTrendsResponseUnavailableReason = "UNSPECIFIED" | "NOT_COVERED" | "SEED_MISSING" | "COVERAGE_UNKNOWN" | "CACHE_UNAVAILABLE" | "INVALID_REQUEST";

/** Merchandise trade of one year. */
export interface TradeFlow {
  /** Name of the economy at the WTO. */
  reportingCountry: string;
  /** Always `World`. */
  partnerCountry: string;
  /** Calendar year. */
  year: number;
  /** Exports in millions of US dollars at current prices, two decimals. */
  exportValueUsd: number;
  /** Imports in millions of US dollars at current prices, two decimals. */
  importValueUsd: number;
  /** Change of exports from the previous calendar year, percent, two decimals. */
  yoyExportChange?: number;
  /** Change of imports from the previous calendar year, percent, two decimals. */
  yoyImportChange?: number;
  /** Always `Total merchandise`. */
  productSector: string;
}

/** Reason why there are no rows. */
export type GetTradeFlowsResponseUnavailableReason = "UNSPECIFIED" | "NOT_COVERED" | "SEED_MISSING" | "COVERAGE_UNKNOWN" | "CACHE_UNAVAILABLE" | "INVALID_REQUEST";

/** Names, codes and position of a country. */
export interface CountryIdentity {
  /** ISO 3166-1 alpha-2 code. */
  alpha2: string;
  /** ISO 3166-1 alpha-3 code. */
  alpha3: string;
  /** UN M49 code, three digits. */
  numeric: string;
  /** English short name. */
  name: string;
  /** Latitude of a point on the main land, decimal degrees. */
  latitude: number;
  /** Longitude of that point, decimal degrees. */
  longitude: number;
}

/** Instability. */
export interface RiskPart {
  /** State of this part. */
  state?: PartState;
  /** Score of the country. */
  score?: CiiScore;
}

/** Resilience. */
export interface ResiliencePart {
  /** State of this part. */
  state?: PartState;
  /** 0 to 100, two decimals. */
  overallScore?: number;
  /** `high`, `medium` or `low`. */
  level: string;
  /** Direction over the last 30 days: `rising`, `stable` or `falling`. */
  trend: string;
  /** Change against the oldest score of the last 30 days. */
  change30d?: number;
  /** True if little is known about the country. */
  lowConfidence: boolean;
  /** Scores of the domains. */
  domains: PartScore[];
  /** Scores of the pillars. */
  pillars: PartScore[];
}

/** Conflict events of the last 30 days. */
export interface ConflictPart {
  /** State of this part. */
  state?: PartState;
  /** Number of events. */
  events?: number;
  /** Reported deaths. */
  fatalities?: number;
  /** Counts by event class, most events first. */
  byType: ConflictEventCount[];
  /** The most recent events, at most five, newest first. */
  latest: ConflictEvent[];
}

/** Internet outages of the last 30 days. */
export interface OutagesPart {
  /** State of this part. */
  state?: PartState;
  /** Number of outages detected. */
  outages?: number;
  /** Those that have not ended. */
  ongoing?: number;
  /** The most recent outages, at most five, newest first. */
  latest: InternetOutage[];
}

/** Exposure of energy imports to chokepoints. */
export interface ChokepointsPart {
  /** State of this part. */
  state?: PartState;
  /** Weighted sum of the three highest scores, 0 to 100. */
  vulnerabilityIndex?: number;
  /** The most exposed chokepoints, at most five, highest score first. */
  exposures: ChokepointExposure[];
}

/** Commodities whose supply is most vulnerable. */
export interface VulnerabilitiesPart {
  /** State of this part. */
  state?: PartState;
  /** Commodities with a score, at most five, highest score first. */
  commodities: VulnerableCommodity[];
}

/** Macroeconomic figures. */
export interface MacroPart {
  /** State of this part. */
  state?: PartState;
  /** Prices, government finance and the current account. */
  prices?: CountryPrices;
  /** Output, saving and investment. */
  growth?: CountryGrowth;
  /** Employment and population. */
  labor?: CountryLabor;
  /** Trade and the current account in US dollars. */
  external?: CountryExternal;
}

/** Merchandise trade. */
export interface TradePart {
  /** State of this part. */
  state?: PartState;
  /** Most recent year on record. */
  flow?: TradeFlow;
}

/** Tariffs. */
export interface TariffsPart {
  /** State of this part. */
  state?: PartState;
  /** Most recent year on record. */
  tariff?: TariffDatapoint;
}

/** Military spending, personnel and arms suppliers. */
export interface DefensePart {
  /** State of this part. */
  state?: PartState;
  /** Military expenditure, percent of GDP. */
  expenditurePctGdp?: DefenseIndicator;
  /** Military expenditure, current US dollars. */
  expenditureUsd?: DefenseIndicator;
  /** Number of armed forces personnel. */
  personnel?: DefenseIndicator;
  /** Supplier countries of arms imports, at most five, largest share first. */
  suppliers: ArmsSupplier[];
}

/** Military bases in the country. */
export interface BasesPart {
  /** State of this part. */
  state?: PartState;
  /** Number of known bases, of every operating power. */
  bases?: number;
}

/** Open tenders. */
export interface TendersPart {
  /** State of this part. */
  state?: PartState;
  /** Number of open notices, at most 10,000. */
  open?: number;
  /** True if there are more. */
  capped: boolean;
}

/** Gas storage of the European Union. */
export interface GasPart {
  /** State of this part. */
  state?: PartState;
  /** How full the storage is, percent of the working volume. */
  fillPct?: number;
  /** `injecting`, `withdrawing` or `stable`. */
  trend: string;
  /** Gas day of the level, `YYYY-MM-DD`. */
  gasDay: string;
}

/** A procurement notice. */
export interface Tender {
  /** Source and the source's notice id, joined by a colon. */
  id: string;
  /** Name of the source, such as `ted`. */
  source: string;
  /** The source's notice id. */
  sourceNoticeId: string;
  /** URL of the notice, on a host of the source; an invented notice of a sample has one below https://example.org. */
  officialUrl: string;
  /** ISO 3166-1 alpha-2 country code. */
  countryCode: string;
  /** `North America`, `Europe`, `Oceania` or `Multilateral`. */
  region: string;
  /** Title, in English if the source provides it, otherwise in any of its languages. */
  title: string;
  /** Plain-text description. */
  description: string;
  /** Name of the buyer. */
  buyer: string;
  /** Publication time, ISO 8601 in UTC. */
  publishedAt: string;
  /** Update time, ISO 8601 in UTC. */
  updatedAt: string;
  /** Deadline, ISO 8601 in UTC. */
  deadline: string;
  /** Status as reported by the source, lowercase. */
  status: string;
  /** Notice type as reported by the source. */
  noticeType: string;
  /** Stated amount. */
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
  /** Keyword-based automation relevance score. */
  automationFit?: AutomationFit;
}

/** Status of one source of the feed. */
export interface TenderSourceStatus {
  /** Name of the source. */
  source: string;
  /** `ok`: the last refresh succeeded. */
  state: string;
  /** Number of its open notices in the feed, as of its last refresh, or as of now once the feed is stale. */
  recordCount: number;
  /** Time of the last attempt, ISO 8601 in UTC. */
  fetchedAt: string;
  /** Time of the last successful read. */
  lastSuccessfulAt: string;
  /** True if its notices are older than they should be. */
  stale: boolean;
  /** Present and true if the last refresh of the feed skipped this source, because it may be called only a few times a day. */
  paced?: boolean;
  /** Error message, at most 200 characters. */
  error?: string;
  /** Number of notices that the source had in all when it was last read, of which it may hand out only a part. */
  availableCount?: number;
}

/** EU gas storage on one gas day, 06:00 to 06:00 Central European Time. */
export interface EuGasStorageDay {
  /** Day on which the gas day begins, YYYY-MM-DD. */
  date: string;
  /** How full the storage was, in percent of the working volume, 2 decimals. */
  fillPct: number;
  /** Stored gas, terawatt-hours, 1 decimal. */
  gasTwh: number;
}

/** A measure of one country. */
export interface EnergyCrisisPolicy {
  /** English short name of the country. */
  country: string;
  /** ISO 3166-1 alpha-2 code of the country. */
  countryCode: string;
  /** `conservation`: reduces energy use. */
  category: string;
  /** Sector to which the measure applies. */
  sector: string;
  /** Description of the measure. */
  measure: string;
  /** Date of announcement or enactment, YYYY-MM-DD. */
  dateAnnounced: string;
  /** Current status: `active`, `planned` or `ended`. */
  status: string;
  /** Who announced, enacted or reported the measure. */
  source: string;
  /** Website of the source. */
  sourceUrl: string;
  /** Date of the last review of this row, YYYY-MM-DD. */
  reviewedOn: string;
}

/** Description and observations of a labor series. */
export interface LaborStatsSeries {
  /** The requested series id. */
  seriesId: string;
  /** Title of the series. */
  title: string;
  /** Units of the values. */
  units: string;
  /** Oldest first. */
  observations: LaborStatsObservation[];
}

/** One series of the index. */
export interface EconomicStressComponent {
  /** Series id of the publisher: `T10Y2Y`, `T10Y3M`, `VIXCLS`, `STLFSI4`, `GSCPI` or `ICSA`. */
  id: string;
  /** Human-readable name of the component. */
  label: string;
  /** Latest value in the unit of the series: percentage points (`T10Y2Y`, `T10Y3M`), index points (`VIXCLS`, `STLFSI4`), standard deviations (`GSCPI`) or persons (`ICSA`). */
  rawValue: number;
  /** 0 to 100, linear between the calm and the extreme value, not rounded. */
  score: number;
  /** Share of the composite if all six components are present. */
  weight: number;
  /** True if there is no value that may be served. */
  missing: boolean;
}

/** Figures by subject. */
export interface CountryMacroData {
  /** Prices, government finance and the current account. */
  macro?: PriceFigures;
  /** Output, saving and investment. */
  growth?: GrowthFigures;
  /** Employment and population. */
  labor?: LaborFigures;
  /** Trade and the current account in US dollars. */
  external?: ExternalFigures;
}

/** The indicator of this response. */
export interface EuHousingCycleData {
  /** Prices of all dwellings that households buy, annual average, 2015 = 100. */
  "house-prices"?: EuIndicator;
}

/** The indicator of this response. */
export interface EuQuarterlyGovDebtData {
  /** General government gross debt at the end of the quarter, percent of GDP. */
  "gov-debt-q"?: EuIndicator;
}

/** The indicator of this response. */
export interface EuIndustrialProductionData {
  /** Volume of production in industry except construction (NACE B to D), seasonally and calendar adjusted, 2021 = 100. */
  "industrial-production"?: EuIndicator;
}

/** Identity of a company. */
export interface CompanyIdentity {
  /** Name in the SEC register. */
  name: string;
  /** Host name of the website without `www.`. */
  domain: string;
  /** Business description from its Standard Industrial Classification. */
  description: string;
  /** City and state or country of the business address. */
  location: string;
  /** Website, an http(s) URL. */
  website: string;
  /** Founding year. */
  founded: number;
  /** SEC Central Index Key, ten digits. */
  cik: string;
  /** Ticker in the register. */
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
  /** URL of the linked page. */
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
  /** Market capitalization, millions of US dollars. */
  marketCapMusd?: number;
  /** Date of the initial public offering, YYYY-MM-DD. */
  ipoDate: string;
  /** URL of the logo (http or https). */
  logoUrl: string;
  /** ISO 3166-1 alpha-2 code of the country. */
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
  /** Surprise in percent of the estimate. */
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

/** The value of one UTC day. */
export interface TopicPoint {
  /** UTC day, YYYY-MM-DD. */
  date: string;
  /** Measured value. */
  value: number;
}

/** Composite instability of one country. */
export interface CiiScore {
  /** ISO 3166-1 alpha-2 country code. */
  region: string;
  /** Constant of the methodology for the country, 0 to 100. */
  staticBaseline: number;
  /** `combinedScore` minus that of 24 hours earlier, -100 to 100, one decimal. */
  dynamicScore: number;
  /** The score, an integer from 0 (stable) to 100. */
  combinedScore: number;
  /** Direction of `dynamicScore`: rising above 1, falling below -1. */
  trend: TrendDirection;
  /** Components of the event part of the score. */
  components?: CiiComponents;
  /** Time when the score was computed, Unix epoch milliseconds. */
  computedAt: number;
  /** Version of the methodology, `v8`. */
  methodologyVersion: string;
  /** Constant multiplier of the methodology for the country's events, 0 to 10. */
  eventMultiplier: number;
  /** `do-not-travel`, `reconsider` or `caution`. */
  advisoryLevel: string;
  /** Origin of the advisory level: `live` (the State Department), `fallback` (the methodology's fixed list) or `absent` (neither lists the country). */
  advisoryProvenance: string;
}

/** Global risk. */
export interface StrategicRisk {
  /** `global`. */
  region: string;
  /** High from 70, medium from 40, otherwise low. */
  level: SeverityLevel;
  /** Weighted mean of the five highest scores (weights 1, 0.85, 0.7, 0.55, 0.4), times 0.7, plus 15, rounded, at most 100. */
  score: number;
  /** Codes of the five highest-scored countries, highest first. */
  factors: string[];
  /** Always stable. */
  trend: TrendDirection;
}

/** One of the four components. */
export interface RiskComponent {
  /** `unrest`, `conflict`, `security` or `information`. */
  name: string;
  /** Weight among the components. */
  weight: number;
  /** Integer from 0 to 100. */
  score: number;
  /** Terms whose sum is the score. */
  terms: RiskTerm[];
}

/** A term of the formula. */
export interface RiskTerm {
  /** Name of what the term measures, such as `protests`. */
  name: string;
  /** Formula of the points. */
  formula: string;
  /** Inputs of the formula. */
  inputs: RiskInput[];
  /** Points before the cap. */
  points: number;
  /** Maximum number of points that count. */
  cap: number;
}

/** Minimum score of a country while a condition holds. */
export interface RiskFloor {
  /** `war`, `minor conflict`, `do-not-travel` or `reconsider`. */
  name: string;
  /** Human-readable condition. */
  condition: string;
  /** The minimum score. */
  score: number;
  /** True if the condition holds. */
  holds: boolean;
  /** Inputs of the condition. */
  inputs: RiskInput[];
}

/** An earlier score. */
export interface RiskSnapshot {
  /** Start of the ten-minute interval in which the score was computed, Unix epoch milliseconds. */
  at: number;
  /** The score. */
  combinedScore: number;
}

/** Premium of one metal in Shanghai over its future. */
export interface PhysicalPremium {
  /** `gold` or `silver`. */
  metal: string;
  /** Benchmark price of the Shanghai Gold Exchange. */
  physical?: PriceLeg;
  /** Price of the COMEX future. */
  paper?: PriceLeg;
  /** Physical minus paper, US dollars per troy ounce, 4 decimals. */
  premiumUsdPerOz: number;
  /** The premium in percent of the paper price, 4 decimals. */
  premiumPct: number;
  /** Computation time, ISO 8601 in UTC. */
  computedAt: string;
}

/** Exchange rate used for the premiums. */
export interface PremiumExchangeRate {
  /** Always `CNY/USD`. */
  pair: string;
  /** US dollars per yuan, 8 significant digits. */
  rate: number;
  /** Source of the rate. */
  source: string;
  /** 14:15 UTC of the day of the rates, ISO 8601. */
  asOf: string;
}

/** Divergence of one metal's premium. */
export interface PhysicalDivergenceReading {
  /** `gold` or `silver`. */
  metal: string;
  /** Check this field first: only `OK` has an index. */
  state: PhysicalDivergenceState;
  /** Reason why the state is not `OK`, such as `paper_snapshot_older_than_36_hours`. */
  reason: string;
  /** Band of the premium. */
  regime: PhysicalPremiumRegime;
  /** Index, 0 to 100, 2 decimals. */
  index?: number;
  /** As in GetPhysicalPremiums. */
  premiumPct?: number;
  /** As in GetPhysicalPremiums. */
  premiumUsdPerOz?: number;
  /** Share of the window's premiums that are not above the current one, percent, 0 to 100, 2 decimals. */
  percentile?: number;
  /** Distance from the window's median in median absolute deviations, scaled by 0.67448975, 6 decimals. */
  robustZ?: number;
  /** Current `premiumPct` minus that of 5 prints earlier, percentage points, 4 decimals. */
  delta5d?: number;
  /** Current `premiumPct` minus that of 20 prints earlier, percentage points, 4 decimals. */
  delta20d?: number;
  /** Direction of `delta5d`. */
  trend5d: PhysicalPremiumTrend;
  /** Direction of `delta20d`. */
  trend20d: PhysicalPremiumTrend;
  /** Number of valid premiums in the window, including the current one, 0 to 250. */
  historyPoints: number;
  /** Date of the window's oldest print, YYYY-MM-DD. */
  historyWindowStart: string;
  /** Date of the window's newest print, YYYY-MM-DD. */
  historyWindowEnd: string;
  /** Date of the current print in Shanghai, YYYY-MM-DD. */
  physicalAsOf: string;
  /** Time of the futures price, Unix epoch milliseconds. */
  paperAsOf: number;
  /** Name of the series that provides the window. */
  historyKey: string;
  /** Name of the methodology. */
  methodologyVersion: string;
  /** Inputs of the premium. */
  provenance?: PhysicalDivergenceProvenance;
}

/** Composite of both metals. */
export interface PhysicalDivergenceComposite {
  /** `OK` if both metals are `OK`, otherwise the state of the worse one. */
  state: PhysicalDivergenceState;
  /** Empty if `OK`. */
  reason: string;
  /** Weighted mean of the metals' indices, 0 to 100, 2 decimals. */
  index?: number;
  /** Weight of each metal. */
  weights: PhysicalDivergenceWeight[];
  /** Name of the methodology. */
  methodologyVersion: string;
}

/** Stored quotes. */
export interface MarketData {
  /** Shares first, then metals, gold before silver, always in the same order. */
  quotes: MarketQuote[];
}

/** A military base. */
export interface MilitaryBase {
  /** `mirta:…`, an OpenStreetMap id such as `way/4711`, or the slug of a curated base. */
  id: string;
  /** Name, without markup. */
  name: string;
  /** Latitude in decimal degrees. */
  latitude: number;
  /** Longitude in decimal degrees. */
  longitude: number;
  /** Kind of installation. */
  kind: string;
  /** ISO 3166-1 alpha-2 code of the host country. */
  countryIso2: string;
  /** Operating power. */
  type: string;
  /** Tier: 1 is shown at every zoom, 2 from zoom 5, 3 from zoom 8. */
  tier: number;
  /** True if the base has an air force component. */
  catAirforce: boolean;
  /** True if the base has a naval component. */
  catNaval: boolean;
  /** True if the base has a nuclear component. */
  catNuclear: boolean;
  /** True if the base has a space component. */
  catSpace: boolean;
  /** True if the base is used for training. */
  catTraining: boolean;
  /** Branch of service, such as `Army`. */
  branch: string;
  /** `active`, `planned`, `controversial`, `closed`, `caretaker`, `excess` or `semi-active`. */
  status: string;
}

/** The bases of one grid cell. */
export interface MilitaryBaseCluster {
  /** Mean latitude of the bases, decimal degrees. */
  latitude: number;
  /** Mean longitude of the bases, decimal degrees. */
  longitude: number;
  /** Number of bases, 2 or more. */
  count: number;
  /** Most frequent `type` of the bases. */
  dominantType: string;
  /** Zoom at which the cluster splits. */
  expansionZoom: number;
}

/** Last signal of an aircraft and details of its flight. */
export interface LiveFlight {
  /** ICAO 24-bit address, lowercase. */
  icao24: string;
  /** Callsign as transmitted, such as `RYR12AB`. */
  callsign: string;
  /** Latitude in decimal degrees. */
  lat: number;
  /** Longitude in decimal degrees. */
  lon: number;
  /** Barometric altitude in feet. */
  altitude: number;
  /** Ground speed in knots. */
  speed: number;
  /** Ground track in degrees clockwise from true north. */
  heading: number;
  /** Vertical rate in feet per minute. */
  verticalRate: number;
  /** Registration, such as `EI-DCL`. */
  registration: string;
  /** ICAO type designator, such as `B738`. */
  model: string;
  /** Owner or operator of the aircraft. */
  operator: string;
  /** True if the aircraft reports that it is on the ground. */
  onGround: boolean;
  /** Time of the last received position, or of any signal if there is no position, Unix epoch seconds. */
  lastSeen: string;
  /** Departure airport, IATA code. */
  depIata: string;
  /** Arrival airport, IATA code. */
  arrIata: string;
  /** Scheduled departure, ISO 8601 in UTC. */
  depTimeUtc: string;
  /** Scheduled arrival, ISO 8601 in UTC. */
  arrTimeUtc: string;
  /** Estimated or actual departure, ISO 8601 in UTC. */
  depEstimatedUtc: string;
  /** Estimated or actual arrival, ISO 8601 in UTC. */
  arrEstimatedUtc: string;
  /** Departure delay in minutes. */
  depDelayedMin: number;
  /** Arrival delay in minutes. */
  arrDelayedMin: number;
  /** Flight status as reported by the schedule, such as `scheduled`, `en-route` or `landed`. */
  flightStatus: string;
  /** Scheduled duration in minutes. */
  flightDurationMin: number;
  /** Arrival terminal. */
  arrTerminal: string;
  /** URL of a photo of the aircraft. */
  photoUrl: string;
  /** URL of the photo's page. */
  photoLink: string;
  /** Photographer. */
  photoCredit: string;
  /** Callsign with the airline's IATA code, such as `FR12AB`. */
  callsignIata: string;
  /** Airline of the callsign prefix. */
  airlineName: string;
  /** Provider of the signal: `adsb` (adsb.lol, ODbL 1.0) or `opensky` (The OpenSky Network). */
  provider: string;
  /** Fields not reported in the signal, out of `position`, `altitude`, `speed`, `heading` and `verticalRate`. */
  missing: string[];
}

/** Latest and previous value of an indicator. */
export interface DefenseIndicator {
  /** If true, 0 is a measured value. */
  available: boolean;
  /** Latest value. */
  value: number;
  /** Year of the latest value. */
  year: number;
  /** Previous value. */
  previousValue: number;
  /** Year of the previous value. */
  previousYear: number;
  /** World Bank indicator, such as `World Bank MS.MIL.XPND.GD.ZS`. */
  source: string;
}

/** A country that delivered arms. */
export interface ArmsSupplier {
  /** ISO 3166-1 alpha-2 country code. */
  supplierIso2: string;
  /** Share of all deliveries in the window, 0 to 1. */
  tivShare: number;
}

/** A technology event. */
export interface TechEvent {
  /** Id from the source. */
  id: string;
  /** Name, as written by the source. */
  title: string;
  /** `conference`, `earnings`, `ipo` or `other`. */
  type: string;
  /** Place, as written by the source. */
  location: string;
  /** Coordinates of the place. */
  coords?: TechEventCoordinates;
  /** First day, YYYY-MM-DD. */
  startDate: string;
  /** Last day, YYYY-MM-DD. */
  endDate: string;
  /** URL of the event. */
  url: string;
  /** `techmeme`, `dev.events` or `curated`. */
  source: string;
  /** Description of the event. */
  description: string;
}

/** One of the six domains. */
export interface ResilienceDomain {
  /** `economic`, `infrastructure`, `energy`, `social-governance`, `health-food` or `recovery`. */
  id: string;
  /** 0 to 100, two decimals: mean of its dimensions weighted by coverage and weight. */
  score: number;
  /** Weight in its pillar, and among all domains. */
  weight: number;
  /** In a fixed order, including retired dimensions. */
  dimensions: ResilienceDimension[];
}

/** 5th and 95th percentile of 100 draws. */
export interface ScoreInterval {
  /** 5th percentile, one decimal. */
  p05: number;
  /** 95th percentile, one decimal. */
  p95: number;
}

/** One of the three pillars. */
export interface ResiliencePillar {
  /** `structural-readiness`, `live-shock-exposure` or `recovery-capacity`. */
  id: string;
  /** 0 to 100, two decimals: mean of its domains weighted by weight and coverage. */
  score: number;
  /** Weight in the score. */
  weight: number;
  /** Mean coverage of its domains, 0 to 1, four decimals. */
  coverage: number;
  /** Its domains, as in `domains` of the response. */
  domains: ResilienceDomain[];
}

/** A country in the ranking. */
export interface RankedCountry {
  /** ISO 3166-1 alpha-2 country code. */
  countryCode: string;
  /** As in GetResilienceScore. */
  overallScore: number;
  /** As in GetResilienceScore. */
  level: string;
  /** As in GetResilienceScore. */
  lowConfidence: boolean;
  /** Mean coverage of the dimensions, reduced for old data, 0 to 1. */
  overallCoverage: number;
  /** True if the score interval is at most 8 points wide. */
  rankStable: boolean;
  /** As in GetResilienceScore. */
  headlineEligible: boolean;
}

/** One of the three pillars. */
export interface ExplainedPillar {
  /** As in GetResilienceScore. */
  id: string;
  /** Score, not rounded. */
  score: number;
  /** Weight in the score. */
  weight: number;
  /** Mean coverage of its domains, not rounded. */
  coverage: number;
  /** Its domains. */
  domains: ExplainedDomain[];
}

/** A feature flag. */
export interface RuntimeFlag {
  /** `schema-v2`, `pillar-combine`, `energy-v2` or `financial-system-exposure`. */
  name: string;
  /** True if the feature is enabled. */
  enabled: boolean;
}

/** Storage of the scores: tables of the store and keys in them. */
export interface RuntimeCache {
  /** Scores: the type of the message that contains them. */
  scorePrefix: string;
  /** Ranking: a field of the same message, so that both are always from one computation. */
  rankingKey: string;
  /** Daily scores: the table and the methodology in it. */
  historyPrefix: string;
  /** Intervals: a field of each score. */
  intervalPrefix: string;
  /** Methodology of the intervals. */
  intervalMethodology: string;
}

/** The ranking currently returned. */
export interface RankingState {
  /** Computation time, ISO 8601 in UTC. */
  fetchedAt: string;
  /** Number of ranked countries. */
  count: number;
  /** Number of countries with a score. */
  scored: number;
  /** Number of countries of the ranking. */
  total: number;
}

/** Whether scores have intervals. */
export interface IntervalState {
  /** True if the sample country's score has an interval. */
  available: boolean;
  /** Methodology of the intervals. */
  methodology: string;
  /** Country that is checked, ISO 3166-1 alpha-2 code. */
  sampleCountry: string;
  /** Computation time of the intervals, ISO 8601 in UTC. */
  lastObservedAt: string;
}

/** A scenario: disruption, extent and cost. */
export interface ScenarioTemplate {
  /** Scenario id for RunScenario. */
  id: string;
  /** Display name. */
  name: string;
  /** Disrupted chokepoints, such as `suez`. */
  affectedChokepointIds: string[];
  /** Percent of the traffic that is lost. */
  disruptionPct: number;
  /** Assumed duration in days. */
  durationDays: number;
  /** Affected chapters of the Harmonized System, two digits each. */
  affectedHs2: string[];
  /** Cost multiplier for the remaining traffic. */
  costShockMultiplier: number;
  /** One-sentence description of the assumed events. */
  description: string;
  /** Type of cause: `conflict`, `weather`, `sanctions`, `tariff_shock`, `infrastructure` or `pandemic`. */
  type: string;
}

/** Effects of a scenario by country. */
export interface ScenarioResult {
  /** Disrupted chokepoints. */
  affectedChokepointIds: string[];
  /** Up to 20 countries with an impact, highest first, ties by code. */
  topImpactCountries: CountryImpact[];
  /** Parameters used in the computation. */
  template?: ScenarioParameters;
  /** Id of the template. */
  scenarioId: string;
  /** The requested country. */
  scopedIso2: string;
  /** Computation time, ISO 8601 in UTC. */
  computedAt: string;
  /** How much of the requested exposure data was available. */
  coverage?: ScenarioCoverage;
  /** Status of the disrupted chokepoints at computation time, for comparison. */
  currentDisruptionScores: CurrentDisruption[];
}

/** Delivery of one event to one webhook. */
export interface WebhookDelivery {
  /** `whd_` and 32 hexadecimal digits. */
  deliveryId: string;
  /** `chokepoint.disruption`, `chokepoint.recovered` or `webhook.test`. */
  type: string;
  /** `pending` until it is delivered or given up. */
  state: string;
  /** Time of the event, ISO 8601 in UTC. */
  createdAt: string;
  /** Time of the next attempt, ISO 8601 in UTC. */
  nextAttemptAt?: string;
  /** The latest 10 attempts, newest first. */
  attempts: WebhookAttempt[];
}

/** Exposure to one chokepoint. */
export interface ChokepointExposure {
  /** Canonical chokepoint id, such as `hormuz_strait`. */
  chokepointId: string;
  /** English name of the chokepoint. */
  chokepointName: string;
  /** Coast on which the country trades, the same for every entry: `atlantic`, `pacific`, `indian`, `med`, `multi` or `landlocked`. */
  coastSide: string;
  /** Exposure score, 0 to 100, one decimal. */
  exposureScore: number;
  /** True if there is a model of the effect of its closure on energy supply. */
  shockSupported: boolean;
}

/** An imported heading. */
export interface ImportedProduct {
  /** Heading of the Harmonized System, four digits. */
  hs4: string;
  /** Label of the heading. */
  description: string;
  /** Annual imports in US dollars, including cost, insurance and freight: the sum over all partners. */
  totalValue: number;
  /** Up to five partners, highest value first. */
  topExporters: Exporter[];
  /** Calendar year. */
  year: number;
}

/** War-risk tier of a chokepoint, from a manually maintained table. */
export type WarRiskTier = "WAR_RISK_TIER_UNSPECIFIED" | "WAR_RISK_TIER_NORMAL" | "WAR_RISK_TIER_ELEVATED" | "WAR_RISK_TIER_HIGH" | "WAR_RISK_TIER_CRITICAL" | "WAR_RISK_TIER_WAR_ZONE";

/** A sector: one chapter of the Harmonized System. */
export interface SectorCostShock {
  /** Chapter of the Harmonized System, two digits. */
  hs2: string;
  /** Label of the chapter. */
  hs2Label: string;
  /** Annual imports of the chapter's watched headings, whole US dollars. */
  importValueAnnual: number;
  /** Freight surcharge of the best bypass, as a fraction of the cargo value: 0.05 is 5%. */
  freightAddedPctPerTon: number;
  /** War-risk premium on the cargo value, in basis points. */
  warRiskPremiumBps: number;
  /** Additional transit days of the best bypass. */
  addedTransitDays: number;
  /** Cost per day, whole US dollars. */
  totalCostShockPerDay: number;
  /** Cost of 30 days, whole US dollars. */
  totalCostShock30Days: number;
  /** Cost of 90 days, whole US dollars. */
  totalCostShock90Days: number;
  /** Cost of the whole closure, whole US dollars. */
  totalCostShock: number;
  /** Duration of the closure in days, as used in the computation. */
  closureDays: number;
}

/** A carrier, or a fund of freight futures. */
export interface ShippingCarrier {
  /** `carrier` is a shipping company, `etf` a fund, `index` a freight rate index. */
  carrierType: string;
  /** English name of the carrier or fund. */
  name: string;
  /** Last price, US dollars. */
  price: number;
  /** Change between the last two daily closes, percent, two decimals. */
  changePct: number;
  /** Up to 30 daily closes, US dollars, oldest first. */
  sparkline: number[];
  /** Ticker, such as `ZIM`. */
  symbol: string;
  /** Time of the last trade at `price`, ISO 8601 in UTC. */
  asOf: string;
}

/** A mineral. */
export interface MineralCommodity {
  /** Id of the mineral, such as `cobalt`. */
  commodityId: string;
  /** English name of the mineral. */
  commodity: string;
  /** Most recent year of its stages. */
  year: number;
  /** Unit of the mine stage, or of the only stage, as published, such as `metric tons`. */
  unit: string;
  /** Sources of the figures: `usgs-mcs`, `bgs`. */
  sources: string[];
  /** Mining. */
  mine?: MineralStage;
  /** Refining and smelting. */
  refinery?: MineralStage;
}

/** Production of one country across minerals. */
export interface MineralCountry {
  /** ISO 3166-1 alpha-2 country code. */
  iso2: string;
  /** Sorted by mineral, mines before refineries. */
  holdings: MineralHolding[];
}

/** Vulnerability of one country to a shortage of one commodity. */
export interface CommodityVulnerability {
  /** ISO 3166-1 alpha-2 country code. */
  countryIso2: string;
  /** English name of the country. */
  countryName: string;
  /** Id of the commodity, such as `cobalt` or `crude_oil`. */
  commodityId: string;
  /** English name of the commodity. */
  commodity: string;
  /** Score, 0 to 100, two decimals. */
  score?: number;
  /** True if there is a score. */
  hasScore: boolean;
  /** `low` below 25, `moderate` below 50, `high` below 75, otherwise `critical`. */
  band: string;
  /** `ok`. */
  state: string;
  /** Reasons why there is no score: `missing_source_concentration`, `missing_transit_exposure`, `missing_transit_status` (the ship traffic at a monitored chokepoint with a share is unknown), `stale_source_concentration`, `stale_transit_exposure`, `stale_buffer`, `redistribution_blocked` (the only figures may not be redistributed). */
  reasons: string[];
  /** Limitations and basis of the score: `buffer_unknown`, `source_` followed by the coverage of the source concentration, `transit_status_unknown`, `transit_status_uncovered`, `redistribution_blocked`. */
  coverage: string[];
  /** Methodology of the score. */
  methodologyVersion: string;
  /** Components of the score. */
  components?: VulnerabilityComponents;
}

/** Dependence of one country and commodity on a chokepoint. */
export interface ChokepointDependency {
  /** ISO 3166-1 alpha-2 country code. */
  countryIso2: string;
  /** English name of the country. */
  countryName: string;
  /** Id of the commodity, such as `crude_oil`. */
  commodityId: string;
  /** English name of the commodity. */
  commodity: string;
  /** As in GetCountryVulnerabilities. */
  transitShare?: number;
  /** As in GetCountryVulnerabilities. */
  weightedTransitShare?: number;
  /** Score of the country and commodity as a whole. */
  score?: number;
  /** True if there is a score. */
  hasScore: boolean;
  /** As in GetCountryVulnerabilities. */
  band: string;
  /** `ok`, `insufficient_data` or `stale_input`. */
  state: string;
  /** Reasons why there is no score. */
  reasons: string[];
  /** Methodology of the score. */
  methodologyVersion: string;
}

/** The response to a read. */
export interface BatchedResponse {
  /** Id of the read, as sent. */
  id: string;
  /** HTTP status of the read. */
  status: number;
  /** HTTP headers of the read's response, without those that are about its transfer: `Content-*`, `Vary`, `X-Content-Type-Options` and `X-Request-Id`. */
  headers: Record<string, string>;
  /** JSON body of the read's response or error. */
  body?: unknown;
}

/** A read to run. */
export interface BatchedRead {
  /** Returned with the response. */
  id?: string | undefined;
  /** Path and query of the read, as in its GET request: percent-encoded, without host and fragment. */
  path: string;
}

/** A company after its import. */
export interface ImportedCompany {
  /** Current state of the company. */
  company?: MonitoredCompany;
  /** `created`, `updated` or `unchanged`. */
  outcome: string;
}

/** A company to add or update. */
export interface CompanyImport {
  /** Id of the company to update. */
  companyId?: string | undefined;
  /** Name, 1 to 200 characters. */
  name: string;
  /** Country of domicile: `US` or `GB`. */
  domicile: string;
  /** Ticker symbol. */
  ticker?: string | undefined;
  /** Legal Entity Identifier (ISO 17442). */
  lei?: string | undefined;
  /** Host name of the website. */
  domain?: string | undefined;
  /** New state. */
  state?: MonitoredCompanyState | undefined;
}

/** Effect of an event on a company, with its evidence. */
export interface ImpactAssessment {
  /** Whether the effect is positive or negative for the company. */
  direction: MaterialImpactDirection;
  /** Channels through which the event affects the company, 1 or 2. */
  channels: MaterialImpactChannel[];
  /** Severity of the impact. */
  magnitude: MaterialImpactMagnitude;
  /** Confidence of the assessment. */
  confidence: AdmissionConfidence;
  /** Human-readable reason, not blank, at most 2,048 bytes. */
  rationale: string;
  /** Time of the event, RFC 3339 with a time zone. */
  occurredAt: string;
  /** Best page about the event, at most 2,048 bytes. */
  canonicalUrl?: string | undefined;
  /** Evidence, at most 200 references. */
  evidence?: EvidenceReference[] | undefined;
  /** Total number of references, not less than the number sent. */
  evidenceTotalCount?: number | undefined;
}

/** A subscription of an account. */
export interface Subscription {
  /** Subscription id at the billing provider, or `local:` and the account id. */
  id: string;
  /** Who manages the subscription: `local` for the operator, or `stripe`. */
  provider: string;
  /** Plan. */
  plan: string;
  /** False if the subscription was ended, regardless of its paid period. */
  active: boolean;
  /** End of the paid period, Unix epoch milliseconds. */
  validUntil?: number;
}

/** A value of a request or its result. */
export interface AuditDetail {
  /** Path of the JSON member, such as `scopes` or `result.key.id`. */
  name: string;
  /** Value as text. */
  value: string;
}

/** An operation of this service. */
export interface DatasetOperation {
  /** Name of the operation. */
  name: string;
  /** Path of the operation. */
  path: string;
}

/** A source of a dataset and the result of its last reads. */
export interface DatasetSource {
  /** Name of the source. */
  name: string;
  /** State of the source. */
  state: string;
  /** Terms of the source. */
  license?: License;
  /** Settings that are missing, by name. */
  missingVariables: string[];
  /** Time of the last read, successful or not, Unix epoch milliseconds. */
  lastRunAt?: number;
  /** Time of the last successful read, Unix epoch milliseconds. */
  lastGoodAt?: number;
  /** Number of reads. */
  runs: number;
  /** Number of reads that brought nothing. */
  failures: number;
  /** Rows that the last successful response contained. */
  rowsIn?: number;
  /** Rows of it that were kept. */
  rowsOut?: number;
  /** Rows of it that were rejected because they broke a rule. */
  rejected?: number;
  /** Rows that the source says it has. */
  available?: number;
  /** Parts that the last successful response lacked. */
  missingParts: MissingPart[];
  /** Earliest time that its rows describe, Unix epoch milliseconds. */
  observedFrom?: number;
  /** Latest time that its rows describe, Unix epoch milliseconds. */
  observedTo?: number;
  /** Why the last read failed, as a fixed sentence by the kind of failure. */
  failure?: string;
  /** HTTP status of the failure. */
  failureStatus?: number;
  /** How often the form of its responses changed. */
  drifts: number;
  /** Recent changes of the form of its responses, newest first. */
  recentDrifts: SourceDrift[];
  /** Time since `lastGoodAt`, in seconds. */
  lastGoodAgeSeconds?: number;
}

/** A table of this program. */
export interface ProgramTable {
  /** Name of the table. */
  name: string;
  /** Date of the last review of its entries, YYYY-MM-DD. */
  reviewedAt?: string;
}

/** Rows of one country. */
export interface CountryRows {
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Number of rows, at least 1. */
  rows: number;
  /** Time of the earliest row, Unix epoch milliseconds. */
  firstAt?: number;
  /** Time of the latest row, Unix epoch milliseconds. */
  lastAt?: number;
}

/** Rows of one source. */
export interface SourceRows {
  /** Name of the source. */
  source: string;
  /** Number of rows, at least 1. */
  rows: number;
  /** Time of the earliest row, Unix epoch milliseconds. */
  firstAt?: number;
  /** Time of the latest row, Unix epoch milliseconds. */
  lastAt?: number;
}

/** Terms of a source's data. */
export interface License {
  /** Kind of the terms. */
  kind: string;
  /** Name of the terms and whom to name. */
  terms: string;
}

/** What it takes to ask a source, for the operator of a service. */
export interface SourceAccess {
  /** Where a key, an account or a license is requested. */
  signUp?: string;
  /** About how many minutes it takes to get a key. */
  minutes?: number;
  /** Cost of the access. */
  cost?: string;
  /** How much may be requested. */
  quota?: string;
  /** Where the terms are published. */
  terms?: string;
}

/** A setting of a source. */
export interface SourceVariable {
  /** Name of the environment variable. */
  name: string;
  /** `permission`: `on` states that the terms of the source were agreed to. */
  kind: string;
}

/** Channel through which an event affects a company. */
export type MaterialImpactChannel = "MATERIAL_IMPACT_CHANNEL_UNSPECIFIED" | "MATERIAL_IMPACT_CHANNEL_REPUTATION" | "MATERIAL_IMPACT_CHANNEL_FINANCES";

/** Severity of an impact. */
export type MaterialImpactMagnitude = "MATERIAL_IMPACT_MAGNITUDE_UNSPECIFIED" | "MATERIAL_IMPACT_MAGNITUDE_LOW" | "MATERIAL_IMPACT_MAGNITUDE_MEDIUM" | "MATERIAL_IMPACT_MAGNITUDE_HIGH";

/** Confidence of an impact, each value 0 to 1. */
export interface ImpactConfidence {
  /** Confidence that the event concerns this company. */
  attribution: number;
  /** Confidence that the event happened. */
  occurrenceTruth: number;
  /** Confidence that the event is material to the company. */
  materialImpact: number;
  /** The lowest of the three. */
  overall: number;
}

/** Evidence for an assessment. */
export interface EvidenceReference {
  /** URL, at most 2,048 bytes. */
  url: string;
  /** Reliability of the reference. */
  tier: EvidenceTier;
  /** Title, at most 300 characters. */
  title?: string | undefined;
  /** Publication time, RFC 3339. */
  publishedAt?: string | undefined;
}

/** Point on the WGS84 ellipsoid. */
export interface GeoCoordinates {
  /** Latitude in decimal degrees, -90 to 90. */
  latitude: number;
  /** Longitude in decimal degrees, -180 to 180. */
  longitude: number;
}

/** State of a part and where it comes from. */
export interface PartState {
  /** Whether the part has values. */
  availability: PartAvailability;
  /** Why it has none. */
  reason: string;
  /** Time when the oldest of its data was last read from the sources, Unix epoch milliseconds. */
  asOf?: number;
  /** True if the data is older than it should be. */
  stale: boolean;
  /** `live` or `sample`. */
  origin: string;
  /** Names of the sources that the operation is made from, as in ListSources. */
  sources: string[];
  /** Operation that returns all of this part. */
  operation: string;
  /** Its path and query for this country. */
  path: string;
  /** Minimum tier of the operation: 0 free, 1 pro, 2 api, 3 enterprise. */
  requiredTier: number;
}

/** A named score. */
export interface PartScore {
  /** Id of the domain or pillar. */
  id: string;
  /** 0 to 100, two decimals. */
  score: number;
}

/** A commodity and the vulnerability of its supply. */
export interface VulnerableCommodity {
  /** Id of the commodity. */
  commodityId: string;
  /** English name. */
  commodity: string;
  /** 0 to 100, two decimals. */
  score: number;
  /** `low`, `moderate`, `high` or `critical`. */
  band: string;
}

/** Prices and government finance of one country. */
export interface CountryPrices {
  /** Annual change of average consumer prices, percent. */
  inflationPct?: number;
  /** Current account balance, percent of GDP. */
  currentAccountPct?: number;
  /** General government revenue, percent of GDP. */
  govRevenuePct?: number;
  /** Consumer price index (`PCPI`). */
  cpiIndex?: number;
  /** Change of consumer prices from the end of the previous year to the end of the year, percent. */
  cpiEopPct?: number;
  /** General government expenditure, percent of GDP. */
  govExpenditurePct?: number;
  /** General government balance excluding net interest, percent of GDP. */
  primaryBalancePct?: number;
  /** Year of the figures. */
  year: number;
  /** Latest year of any of the figures, at most the current year. */
  latestYear: number;
}

/** Output, saving and investment of one country. */
export interface CountryGrowth {
  /** Annual growth of gross domestic product at constant prices, percent. */
  realGdpGrowthPct?: number;
  /** Gross domestic product per capita at current prices, US dollars. */
  gdpPerCapitaUsd?: number;
  /** Gross domestic product at constant prices, national currency (`NGDP_R`). */
  realGdp?: number;
  /** Gross domestic product at constant prices, billions of national currency. */
  realGdpLcuB?: number;
  /** Gross domestic product per capita at purchasing power parity, international dollars. */
  gdpPerCapitaPpp?: number;
  /** Gross domestic product at purchasing power parity, international dollars (reported by the source in billions). */
  gdpPpp?: number;
  /** Investment, percent of GDP (`NID_NGDP`). */
  investmentPct?: number;
  /** Gross national savings, percent of GDP (`NGSD_NGDP`). */
  savingsPct?: number;
  /** `savingsPct` minus `investmentPct`, percentage points of GDP, 2 decimals. */
  savingsInvestmentGap?: number;
  /** Year of the figures. */
  year: number;
  /** Latest year of any of the figures, at most the current year. */
  latestYear: number;
}

/** Employment and population of one country. */
export interface CountryLabor {
  /** Unemployment rate, percent of the labor force. */
  unemploymentPct?: number;
  /** Population, millions. */
  populationMillions?: number;
  /** Year of the figures. */
  year: number;
  /** Latest year of any of the figures, at most the current year. */
  latestYear: number;
}

/** Trade and the current account of one country. */
export interface CountryExternal {
  /** Exports, US dollars. */
  exportsUsd?: number;
  /** Imports, US dollars. */
  importsUsd?: number;
  /** Exports minus imports, US dollars. */
  tradeBalanceUsd?: number;
  /** Current account balance, US dollars (reported by the source in billions). */
  currentAccountUsd?: number;
  /** Annual change of import volume, percent (`TM_RPCH`). */
  importVolumePctChg?: number;
  /** Annual change of export volume, percent (`TX_RPCH`). */
  exportVolumePctChg?: number;
  /** Year of the figures. */
  year: number;
  /** Latest year of any of the figures, at most the current year. */
  latestYear: number;
}

/** A stated amount. */
export interface TenderMoney {
  /** Amount in whole units of the currency, as stated. */
  amount?: number;
  /** ISO 4217 currency code. */
  currency?: string;
}

/** A score based on keywords only. */
export interface AutomationFit {
  /** `none`, `low`, `medium` or `high`. */
  level: string;
  /** 0, 30, 60 or 90, for none, one, two, or three or more matching keywords. */
  score: number;
  /** Name of the scoring rules: `keyword-v1`. */
  classificationVersion: string;
  /** Matching keywords. */
  matchReasons: string[];
  /** The first three matching keywords with the field that contains each, such as `title: cloud`. */
  evidence: string[];
}

/** The value of one month or quarter. */
export interface LaborStatsObservation {
  /** Four-digit year. */
  year: string;
  /** `M01` to `M12`, or `Q01` to `Q04` for a quarterly series. */
  period: string;
  /** English name of the month, or `1st Quarter` to `4th Quarter`. */
  periodName: string;
  /** Value as text from the source: a decimal number, not rounded. */
  value: string;
}

/** Prices and government finance by country. */
export interface PriceFigures {
  /** Keyed by ISO 3166-1 alpha-2 code, in code order. */
  countries: Record<string, CountryPrices>;
  /** Time when the source was read, Unix epoch milliseconds. */
  seededAt?: number;
}

/** Output, saving and investment by country. */
export interface GrowthFigures {
  /** Keyed by ISO 3166-1 alpha-2 code, in code order. */
  countries: Record<string, CountryGrowth>;
  /** Time when the source was read, Unix epoch milliseconds. */
  seededAt?: number;
}

/** Employment and population by country. */
export interface LaborFigures {
  /** Keyed by ISO 3166-1 alpha-2 code, in code order. */
  countries: Record<string, CountryLabor>;
  /** Time when the source was read, Unix epoch milliseconds. */
  seededAt?: number;
}

/** Trade and the current account by country. */
export interface ExternalFigures {
  /** Keyed by ISO 3166-1 alpha-2 code, in code order. */
  countries: Record<string, CountryExternal>;
  /** Time when the source was read, Unix epoch milliseconds. */
  seededAt?: number;
}

/** A Eurostat indicator by place. */
export interface EuIndicator {
  /** Keyed by the Eurostat code of the place: EU members in code order, then the newest code of the euro area, such as `EA21`, and of the EU, such as `EU27_2020`. */
  countries: Record<string, EuIndicatorReading>;
  /** Time of the last successful read of Eurostat, Unix epoch milliseconds. */
  seededAt?: number;
  /** Eurostat code of the table. */
  dataset: string;
  /** Description of the values. */
  label: string;
}

/** A filing. */
export interface SecFiling {
  /** Form, such as `10-Q` or `8-K/A`. */
  form: string;
  /** Filing date, YYYY-MM-DD. */
  fileDate: string;
  /** Subjects of the items, joined by `; `. */
  description: string;
  /** URL of the filing's index page at the SEC; an invented filing of a sample has one below https://example.org. */
  url: string;
  /** Item numbers of an 8-K, such as `2.02`. */
  items: string[];
}

/** Direction of a score. */
export type TrendDirection = "TREND_DIRECTION_UNSPECIFIED" | "TREND_DIRECTION_RISING" | "TREND_DIRECTION_STABLE" | "TREND_DIRECTION_FALLING";

/** The four components, integers from 0 to 100. */
export interface CiiComponents {
  /** Information: news and threat reports. */
  newsActivity: number;
  /** Unrest: protests, riots and internet outages. */
  ciiContribution: number;
  /** Conflict: battles, explosions, violence against civilians and their deaths. */
  geoConvergence: number;
  /** Security: military flights and vessels, airports, satellite navigation. */
  militaryActivity: number;
}

/** Severity of a risk. */
export type SeverityLevel = "SEVERITY_LEVEL_UNSPECIFIED" | "SEVERITY_LEVEL_LOW" | "SEVERITY_LEVEL_MEDIUM" | "SEVERITY_LEVEL_HIGH";

/** An input value of a formula. */
export interface RiskInput {
  /** Name, such as `battles`. */
  name: string;
  /** The value. */
  value: number;
  /** `measured`. */
  state: string;
  /** Name of the source. */
  source: string;
  /** Latest day covered by the value, YYYY-MM-DD. */
  observedAt: string;
  /** Time when the source was last read, ISO 8601 in UTC. */
  fetchedAt: string;
  /** First day that counts, YYYY-MM-DD, if the stored UCDP data does not reach back two years. */
  countedFrom: string;
}

/** A price used to compute a premium. */
export interface PriceLeg {
  /** Price in `currency` per `unit`. */
  price: number;
  /** `CNY` for physical, `USD` for paper. */
  currency: string;
  /** `gram` for gold and `kilogram` for silver in Shanghai, `troy ounce` for futures. */
  unit: string;
  /** Source of the price, such as `Shanghai Gold Exchange SHAU PM benchmark`. */
  source: string;
  /** Physical: date of the print in Shanghai, YYYY-MM-DD. */
  asOf: string;
}

/** Whether a reading has an index, and if not, why. */
export type PhysicalDivergenceState = "PHYSICAL_DIVERGENCE_STATE_UNSPECIFIED" | "PHYSICAL_DIVERGENCE_STATE_OK" | "PHYSICAL_DIVERGENCE_STATE_INSUFFICIENT_HISTORY" | "PHYSICAL_DIVERGENCE_STATE_STALE_INPUT" | "PHYSICAL_DIVERGENCE_STATE_MISSING_INPUT";

/** Band of a premium. */
export type PhysicalPremiumRegime = "PHYSICAL_PREMIUM_REGIME_UNSPECIFIED" | "PHYSICAL_PREMIUM_REGIME_NORMAL" | "PHYSICAL_PREMIUM_REGIME_ELEVATED" | "PHYSICAL_PREMIUM_REGIME_STRESSED" | "PHYSICAL_PREMIUM_REGIME_EXTREME";

/** Direction of a premium. */
export type PhysicalPremiumTrend = "PHYSICAL_PREMIUM_TREND_UNSPECIFIED" | "PHYSICAL_PREMIUM_TREND_WIDENING" | "PHYSICAL_PREMIUM_TREND_STABLE" | "PHYSICAL_PREMIUM_TREND_NARROWING";

/** Inputs of a reading. */
export interface PhysicalDivergenceProvenance {
  /** Source of the benchmark price. */
  physicalSource: string;
  /** `SHAU` or `SHAG`. */
  physicalSymbol: string;
  /** Date of the print in Shanghai, YYYY-MM-DD. */
  physicalAsOf: string;
  /** Source of the futures price. */
  paperSource: string;
  /** `GC=F` or `SI=F`. */
  paperSymbol: string;
  /** Time of the futures price, Unix epoch milliseconds. */
  paperAsOf: number;
  /** Source of the exchange rate. */
  fxSource: string;
  /** Always `CNY/USD`. */
  fxPair: string;
  /** 14:15 UTC of the day of the rates, Unix epoch milliseconds. */
  fxAsOf: number;
  /** Name of the series that provides the window. */
  historyKey: string;
  /** Maximum number of premiums in a window. */
  historyWindowPoints: number;
  /** Name of the methodology. */
  methodologyVersion: string;
}

/** Weight of one metal in the composite. */
export interface PhysicalDivergenceWeight {
  /** `gold` or `silver`. */
  metal: string;
  /** Share of the composite. */
  weight: number;
  /** Name of the methodology of the metal's reading. */
  methodologyVersion: string;
}

/** Last price of one symbol. */
export interface MarketQuote {
  /** Ticker of a share, `GC=F` and `SI=F` for the COMEX futures, `SHAU` and `SHAG` for the prints in Shanghai. */
  symbol: string;
  /** English name. */
  name?: string;
  /** `equity`, `etf` or `commodity`. */
  assetClass?: string;
  /** Price in `currency`. */
  price: number;
  /** ISO 4217 currency code. */
  currency?: string;
  /** Change between the last two daily closes, percent, 2 decimals. */
  changePct?: number;
  /** Shares and futures: time of the last trade at this price, ISO 8601 in UTC. */
  asOf?: string;
  /** Unit of a metal's price: `troy ounce`, `gram` or `kilogram`. */
  unit?: string;
}

/** Place of an event. */
export interface TechEventCoordinates {
  /** Latitude in decimal degrees. */
  lat: number;
  /** Longitude in decimal degrees. */
  lng: number;
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** The text that was looked up. */
  original: string;
  /** True if the event takes place online only. */
  virtual: boolean;
}

/** One of the 23 dimensions. */
export interface ResilienceDimension {
  /** Id of the dimension, such as `macroFiscal`. */
  id: string;
  /** Integer from 0 to 100. */
  score: number;
  /** Share of the dimension that is known, weighted by certainty, 0 to 1, two decimals. */
  coverage: number;
  /** Weight of the observed indicators, four decimals. */
  observedWeight: number;
  /** Weight of the imputed indicators, four decimals. */
  imputedWeight: number;
  /** Reason the dimension has no observed data: `stable-absence` (a source that lists crises does not list the country), `unmonitored` (no source covers it), `source-failure` (a source that covers it is unavailable) or `not-applicable`. */
  imputationClass: string;
  /** Age of the dimension's data. */
  freshness?: ResilienceFreshness;
}

/** One of the six domains. */
export interface ExplainedDomain {
  /** As in GetResilienceScore. */
  id: string;
  /** As in GetResilienceScore. */
  score: number;
  /** As in GetResilienceScore. */
  weight: number;
  /** Mean coverage of its dimensions, not rounded. */
  coverage: number;
  /** Its dimensions. */
  dimensions: ExplainedDimension[];
}

/** Impact on one country. */
export interface CountryImpact {
  /** ISO 3166-1 alpha-2 country code, or `XK`. */
  iso2: string;
  /** Sum over chapters and chokepoints, four decimals. */
  totalImpact: number;
  /** Percent of the impact on the most affected country, or of 1 if that is less, 0 to 100. */
  impactPct: number;
  /** Number of this country's chapters with a stored exposure. */
  evaluatedRecords: number;
  /** Number of chapters that the scenario requires. */
  requestedRecords: number;
  /** True if an exposure is missing for any chapter. */
  partialEvidence: boolean;
}

/** Parameters of a result. */
export interface ScenarioParameters {
  /** The disrupted chokepoints joined by `+`, or `tariff_shock`. */
  name: string;
  /** Percent of the traffic that is lost: the requested value, or the template's. */
  disruptionPct: number;
  /** Assumed duration in days. */
  durationDays: number;
  /** Cost multiplier for the remaining traffic. */
  costShockMultiplier: number;
}

/** How much of the exposure data required by a scenario was available. */
export interface ScenarioCoverage {
  /** `complete`: all records were available. */
  status: string;
  /** Number of countries to compute. */
  countries: number;
  /** Chapters of the Harmonized System to compute. */
  hs2Codes: string[];
  /** Number of required records: countries times chapters. */
  requestedRecords: number;
  /** Number of records used in the result. */
  evaluatedRecords: number;
  /** Number of used records that are based on the country's imports. */
  flowWeightedRecords: number;
  /** True if the time limit ended the computation. */
  timeLimitReached: boolean;
  /** Computation time of the oldest record used, ISO 8601 in UTC. */
  exposuresComputedAt: string;
}

/** Status of one chokepoint. */
export interface CurrentDisruption {
  /** Canonical chokepoint id, such as `hormuz_strait`. */
  chokepointId: string;
  /** Disruption score, 0 to 100. */
  score?: number;
}

/** A delivery attempt. */
export interface WebhookAttempt {
  /** Start time, ISO 8601 in UTC. */
  at: string;
  /** HTTP status of the response. */
  status?: number;
  /** Cause of the failure: `status`, `timeout`, `connection`, `address` (not public). */
  error: string;
  /** Duration in milliseconds. */
  milliseconds: number;
}

/** A partner from which a heading is imported. */
export interface Exporter {
  /** Comtrade code of the partner, usually the UN M49 number. */
  partnerCode: number;
  /** ISO 3166-1 alpha-2 code. */
  partnerIso2: string;
  /** Imports from the partner, in US dollars. */
  value: number;
  /** Share of the heading's imports, a fraction from 0 to 1, three decimals. */
  share: number;
}

/** A stage of a mineral. */
export interface MineralStage {
  /** True if any output is known. */
  available: boolean;
  /** Calendar year of the figures. */
  year: number;
  /** Unit of all outputs of this stage, as published. */
  unit: string;
  /** Source of `hhi` and the shares: `usgs-mcs` or `bgs`. */
  source: string;
  /** Countries with an output first, largest first, then the others by name. */
  countries: MineralProducer[];
  /** Herfindahl-Hirschman index, 0 to 10,000, two decimals: the sum of the squared shares of all named countries, regardless of the filters. */
  hhi: number;
  /** World total as published, rounded. */
  worldTotal?: number;
  /** Number of figures that countries withhold. */
  withheldCount: number;
}

/** The country's production in one stage of one mineral. */
export interface MineralHolding {
  /** Id of the mineral, such as `cobalt`. */
  commodityId: string;
  /** English name of the mineral. */
  commodity: string;
  /** `mine` or `refinery`. */
  stage: string;
  /** True if there is an output. */
  hasOutput: boolean;
  /** As in the list of the stage. */
  output?: number;
  /** As in the list of the stage, percent. */
  share?: number;
  /** True if the country withholds the figure. */
  withheld: boolean;
  /** Unit of the output, as published. */
  unit: string;
}

/** Components of a score. */
export interface VulnerabilityComponents {
  /** C: concentration of the suppliers of the country and the world. */
  sourceConcentration?: SourceConcentration;
  /** T: exposure of the imports to chokepoints. */
  transitExposure?: TransitExposure;
  /** B: reserves. */
  buffer?: SupplyBuffer;
}

/** Minimum confidence for an impact to be admitted. */
export interface AdmissionConfidence {
  /** Confidence that the event concerns this company, 0.9 to 1. */
  attribution?: number | undefined;
  /** Confidence that the event happened, 0.8 to 1. */
  occurrenceTruth?: number | undefined;
  /** Confidence that the event is material to the company, 0.7 to 1. */
  materialImpact?: number | undefined;
}

/** A part of a source that did not come. */
export interface MissingPart {
  /** Name of the part, such as a series or a country. */
  part: string;
  /** Why it did not come, as a fixed sentence by the kind of failure. */
  failure: string;
  /** HTTP status of the failure. */
  failureStatus?: number;
  /** Time of the last successful read of the part, Unix epoch milliseconds. */
  lastGoodAt?: number;
}

/** A change of the form of a source's responses. */
export interface SourceDrift {
  /** Time of the change, Unix epoch milliseconds. */
  at: number;
  /** Kind of the change. */
  kind: string;
  /** Path of the field in the response. */
  field: string;
}

/** Reliability of a reference. */
export type EvidenceTier = "EVIDENCE_TIER_UNSPECIFIED" | "EVIDENCE_TIER_PRIMARY_VERIFIED" | "EVIDENCE_TIER_INDEPENDENT_AUTHORITATIVE" | "EVIDENCE_TIER_ORDINARY";

/** Whether a part has values, and why not. */
export type PartAvailability = "PART_AVAILABILITY_UNSPECIFIED" | "PART_AVAILABILITY_AVAILABLE" | "PART_AVAILABILITY_NOT_COVERED" | "PART_AVAILABILITY_NOT_APPLICABLE" | "PART_AVAILABILITY_UNAVAILABLE" | "PART_AVAILABILITY_NOT_ENTITLED" | "PART_AVAILABILITY_DEGRADED";

/** Values of one place. */
export interface EuIndicatorReading {
  /** Most recent value, 2 decimals. */
  value: number;
  /** The value before the most recent one in `series`. */
  priorValue?: number;
  /** True if there is a value before the most recent one. */
  hasPrior?: boolean;
  /** Period of the most recent value: a year (`2025`), a quarter (`2026-Q2`) or a month (`2026-09`). */
  date: string;
  /** Eurostat code of the unit: `I15_A_AVG` (index, 2015 = 100, annual average), `PC_GDP` (percent of GDP) or `I21` (index, 2021 = 100). */
  unit: string;
  /** Most recent values, oldest first: at most 10 years, 8 quarters or 12 months. */
  series: EuIndicatorPoint[];
}

/** Age of data. */
export interface ResilienceFreshness {
  /** Time of the last read of the least recently read source, Unix epoch milliseconds. */
  lastObservedAtMs: string;
  /** Worst status of the sources: `fresh` (younger than 1.5 times its cadence), `aging` (younger than 3 times) or `stale`. */
  staleness: string;
}

/** One of the 23 dimensions. */
export interface ExplainedDimension {
  /** As in GetResilienceScore. */
  id: string;
  /** As in GetResilienceScore. */
  score: number;
  /** Weight in its domain. */
  weight: number;
  /** As in GetResilienceScore. */
  coverage: number;
  /** As in GetResilienceScore. */
  imputationClass: string;
  /** Imputation of the whole dimension and its condition, such as `noRecoveryData: nothing of it is known`. */
  imputation: string;
  /** True if the dimension is no longer scored. */
  retired: boolean;
  /** Its indicators. */
  indicators: ExplainedIndicator[];
}

/** Production of one country. */
export interface MineralProducer {
  /** ISO 3166-1 alpha-2 code. */
  iso2: string;
  /** English name of the country. */
  country: string;
  /** True if there is an output. */
  hasOutput: boolean;
  /** Output in the stage's unit. */
  output?: number;
  /** Share of all outputs of the stage, percent, 0 to 100, four decimals. */
  share?: number;
  /** True if the country withholds the figure. */
  withheld: boolean;
  /** True if the figure is an estimate. */
  estimated: boolean;
  /** True for the combined output of all other countries. */
  residual: boolean;
  /** Source of the figure: `usgs-mcs` or `bgs`. */
  source: string;
  /** Calendar year of the figure. */
  year: number;
}

/** Concentration of the suppliers of a country and the world. */
export interface SourceConcentration {
  /** True if there is a value. */
  hasValue: boolean;
  /** 0.55 × import + 0.45 × production. */
  value?: number;
  /** Concentration of the country's imports of the commodity's heading: the five largest exporters, and all others as one. */
  importHhi?: number;
  /** Concentration of world mine production. */
  mineHhi?: number;
  /** Concentration of world refinery production. */
  refineryHhi?: number;
  /** 0.25 × mine + 0.75 × refinery. */
  productionHhi?: number;
  /** `mine_and_refinery`, `refinery_only` or `mine_only`. */
  productionCoverage: string;
  /** `import_and_production`, `import_mirror_only`, `production_only` or `unknown`. */
  coverage: string;
  /** Sources of the values. */
  inputs: VulnerabilityInput[];
}

/** Exposure of a country's imports to chokepoints. */
export interface TransitExposure {
  /** True if there is a value. */
  hasValue: boolean;
  /** 0 to 1, four decimals: 1 minus the product of (1 - weighted share) over all chokepoints. */
  value?: number;
  /** Chokepoints with a share above 0, largest first. */
  chokepoints: TransitChokepoint[];
  /** Sources of the shares. */
  inputs: VulnerabilityInput[];
}

/** Reserves of a commodity. */
export interface SupplyBuffer {
  /** `known` or `unknown`. */
  state: string;
  /** 0 (well stocked) to 1 (no stocks): food 1 - min(1, stocks to use / 0.35), gas 1 - fill / 100, fuel 1 - min(1, days / 90). */
  vulnerability?: number;
  /** Measure: `stocks_to_use`, `gas_storage_fill` or `fuel_stock_days`. */
  kind: string;
  /** Sources of the value. */
  inputs: VulnerabilityInput[];
}

/** The value of one period. */
export interface EuIndicatorPoint {
  /** Period: a year (`2025`), a quarter (`2026-Q2`) or a month (`2026-09`). */
  date: string;
  /** Value, 2 decimals. */
  value: number;
}

/** An indicator of a dimension. */
export interface ExplainedIndicator {
  /** Id of the indicator, such as `govRevenuePct`. */
  id: string;
  /** Weight in its dimension. */
  weight: number;
  /** Multiplier of its share in the score, but not in coverage. */
  factor: number;
  /** Formula from the inputs to the value. */
  formula: string;
  /** Scale from values to scores. */
  scale: string;
  /** Value. */
  value?: number;
  /** 0 to 100. */
  score?: number;
  /** 0 to 1: its share in coverage. */
  certainty: number;
  /** Imputation of the value and its condition, such as `noWtoReporter: the country reports no tariffs to the WTO`. */
  imputation: string;
  /** Reason why no source provides the value. */
  missing: string;
  /** Known inputs of the value. */
  inputs: ExplainedInput[];
}

/** A figure used in a score. */
export interface VulnerabilityInput {
  /** Key of the source, such as `usgs-mcs`. */
  sourceKey: string;
  /** Human-readable name of the source. */
  sourceName: string;
  /** URL of the source's page. */
  sourceUrl: string;
  /** True if there is a value. */
  hasValue: boolean;
  /** The value. */
  value?: number;
  /** Calendar year of the value. */
  year?: number;
  /** Time when the source was read, ISO 8601 in UTC. */
  fetchedAt: string;
  /** True if the figure is too old to be scored. */
  stale: boolean;
  /** Human-readable description of the value. */
  detail: string;
}

/** A chokepoint on the transport routes. */
export interface TransitChokepoint {
  /** Canonical chokepoint id. */
  id: string;
  /** English name of the chokepoint. */
  name: string;
  /** Exposure of the country's imports of the commodity's chapter, 0 to 1: `exposure_score` of GetCountryChokepointIndex divided by 100. */
  transitShare?: number;
  /** The share times 1.35, at most 1, while the chokepoint is disrupted. */
  weightedTransitShare?: number;
  /** `baseline`, `disrupted` (tanker traffic on each of the last three days below 85% of that of the three months before), `unknown`, or `uncovered` (tankers are not monitored here; the share counts unchanged). */
  status: string;
  /** Sources of the status. */
  inputs: VulnerabilityInput[];
}

/** An input value as reported by a source. */
export interface ExplainedInput {
  /** Name in the methodology's table. */
  name: string;
  /** Value in the unit of the methodology's table. */
  value: number;
  /** Period of the value: a year or a date. */
  period: string;
  /** Name of the source. */
  source: string;
  /** Name of the series at the source. */
  series: string;
  /** Time when the source was last read, ISO 8601 in UTC. */
  readAt: string;
}

