// Written by `make generate`.
/** Every path that is read, with its query and its answer. */
export interface GetPaths {
  /** Tells whose key this is, on which plan, and with which rights. */
  "/api/account/v1/get-caller": {
    query: Record<never, never>;
    answer: GetCallerResponse;
  };
  /** Lists the account's API keys. */
  "/api/account/v1/list-api-keys": {
    query: {
      /** Account, for the operator; absent means the caller's own. */
      account?: string | undefined;
    };
    answer: ListApiKeysResponse;
  };
  /** Counts the caller's calls by operation and UTC day. */
  "/api/account/v1/get-usage": {
    query: {
      /** UTC days up to today, 1 to 90; absent means 30. */
      days?: number | undefined;
    };
    answer: GetUsageResponse;
  };
  /** Tells the limits of the caller's plan and what is left of them now. */
  "/api/account/v1/get-limits": {
    query: Record<never, never>;
    answer: GetLimitsResponse;
  };
  /** Lists the writes of an account, newest first: who, what, when, from where and with what outcome. */
  "/api/account/v1/list-audit-events": {
    query: {
      /** Account whose log is read; absent means the caller's own, for the operator every account. */
      account?: string | undefined;
      /** Events per page, 1 to 200; 0 or absent means 100. */
      page_size?: number | undefined;
      /** `nextCursor` of the page before; absent means the first page. */
      cursor?: string | undefined;
    };
    answer: ListAuditEventsResponse;
  };
  /** Lists accounts by id. */
  "/api/account/v1/list-accounts": {
    query: {
      /** Accounts a page, 1 to 200; 0 or absent means 100. */
      page_size?: number | undefined;
      /** `nextCursor` of the page before; absent means the first page. */
      cursor?: string | undefined;
    };
    answer: ListAccountsResponse;
  };
  /** Lists the material impacts of events on the account's companies, latest change first. */
  "/api/company-monitoring/v1/list-company-event-impacts": {
    query: {
      /** Ids of companies, repeated or separated by commas; absent means all. */
      company_id?: readonly (string)[] | undefined;
      /** Directions, such as `negative` or `MATERIAL_IMPACT_DIRECTION_NEGATIVE`, repeated or separated by commas; absent means all. */
      direction?: readonly (MaterialImpactDirection)[] | undefined;
      /** Stages, such as `corrected` or `MATERIAL_IMPACT_LIFECYCLE_CORRECTED`, repeated or separated by commas; absent means all. */
      lifecycle?: readonly (MaterialImpactLifecycle)[] | undefined;
      /** Impacts a page, 1 to 100; 0 or absent means 25. */
      page_size?: number | undefined;
      /** `nextCursor` of the page before, with the same filters; absent means the first page of the newest generation. */
      cursor?: string | undefined;
    };
    answer: ListCompanyEventImpactsResponse;
  };
  /** Lists the impacts that changed after a snapshot, oldest change first. */
  "/api/company-monitoring/v1/list-company-event-changes": {
    query: {
      /** As in ListCompanyEventImpacts. */
      company_id?: readonly (string)[] | undefined;
      /** As in ListCompanyEventImpacts. */
      direction?: readonly (MaterialImpactDirection)[] | undefined;
      /** As in ListCompanyEventImpacts. */
      lifecycle?: readonly (MaterialImpactLifecycle)[] | undefined;
      /** Impacts a page, 1 to 100; 0 or absent means 25. */
      page_size?: number | undefined;
      /** `snapshot.pollCursor` of an earlier answer, or `nextCursor` of the page before; it expires after 24 hours. */
      cursor: string;
    };
    answer: ListCompanyEventChangesResponse;
  };
  /** Lists the companies that the account watches, latest change first. */
  "/api/company-monitoring/v1/list-monitored-companies": {
    query: {
      /** States, such as `active` or `MONITORED_COMPANY_STATE_ACTIVE`, repeated or separated by commas; a company in any of them matches. */
      state?: readonly (MonitoredCompanyState)[] | undefined;
      /** Companies a page, 1 to 100; 0 or absent means 25. */
      page_size?: number | undefined;
      /** `nextCursor` of the page before, with the same states; absent means the first page of the newest generation. */
      cursor?: string | undefined;
    };
    answer: ListMonitoredCompaniesResponse;
  };
  /** Lists armed-conflict events in a time range, newest first. */
  "/api/conflict/v1/list-conflict-events": {
    query: {
      /** Earliest moment, Unix epoch milliseconds, inclusive; absent or not positive means the start of the UTC day 30 days ago. */
      start?: bigint | number | string | undefined;
      /** Latest moment, Unix epoch milliseconds, inclusive; absent or not positive means the end of today, UTC. */
      end?: bigint | number | string | undefined;
      /** ISO 3166-1 alpha-2 code, in either case; absent means every country. */
      country?: string | undefined;
    };
    answer: ListConflictEventsResponse;
  };
  /** Lists open procurement notices of six official sources. */
  "/api/economic/v1/list-global-tenders": {
    query: {
      /** ISO 3166-1 alpha-2 code, in either case; joined with `countries`. */
      country?: string | undefined;
      /** ISO 3166-1 alpha-2 codes, repeated or separated by commas; a notice of any of them matches. */
      countries?: readonly (string)[] | undefined;
      /** `North America`, `Europe`, `Oceania` or `Multilateral`, in any case. */
      region?: string | undefined;
      /** One source: `sam`, `ted`, `contracts-finder`, `canada-buys`, `gets` or `world-bank`. */
      source?: string | undefined;
      /** The source's own status word, such as `open`, `active` or `published`, in any case. */
      status?: string | undefined;
      /** Earliest deadline, ISO 8601 day or instant, inclusive; a day begins at 00:00 UTC. */
      deadline_from?: string | undefined;
      /** Latest deadline, ISO 8601 day or instant, inclusive; a day ends at 23:59:59.999 UTC. */
      deadline_to?: string | undefined;
      /** Least stated amount, inclusive; 0 or less means no bound. */
      min_value?: number | undefined;
      /** Greatest stated amount, inclusive; 0 or less means no bound. */
      max_value?: number | undefined;
      /** ISO 4217 code, in either case: only notices with an amount in it. */
      currency?: string | undefined;
      /** Part of a category code or sector, in any case: `5415` finds `541512`. */
      category?: string | undefined;
      /** Words and quoted phrases that all occur in title or description, in any case, as parts of words too. */
      query?: string | undefined;
      /** Part of the buyer's name, in any case. */
      buyer?: string | undefined;
      /** Earliest publication, like `deadline_from`. */
      published_from?: string | undefined;
      /** Latest publication, like `deadline_to`. */
      published_to?: string | undefined;
      /** Least automation-fit score, 1 to 100; above that 100, and anything else means no bound. */
      min_automation_score?: number | undefined;
      /** `newest`: latest publication first, or update where there is none. */
      sort?: string | undefined;
      /** Rows of a page, 1 to 100; above that 100, and 25 where it is absent or below 1. */
      page_size?: number | undefined;
      /** `nextCursor` of the page before, with the same filters and order; it expires after 24 hours. */
      cursor?: string | undefined;
    };
    answer: ListGlobalTendersResponse;
  };
  /** Tells how full the European Union's gas stores are, and which way they go. */
  "/api/economic/v1/get-eu-gas-storage": {
    query: Record<never, never>;
    answer: GetEuGasStorageResponse;
  };
  /** Lists measures that governments took against energy crises: to save energy, or to relieve consumers. */
  "/api/economic/v1/get-energy-crisis-policies": {
    query: {
      /** ISO 3166-1 alpha-2 code, in either case; absent means every country. */
      country_code?: string | undefined;
      /** What the measure is for; absent means both. */
      category?: string | undefined;
    };
    answer: GetEnergyCrisisPoliciesResponse;
  };
  /** Gives the newest observations of a US labour series. */
  "/api/economic/v1/get-labor-stats-series": {
    query: {
      /** `USPRIV`: total private nonfarm payrolls, monthly. */
      series_id: string;
      /** Most observations to give, the newest ones, 1 to 500; absent means 60. */
      limit?: number | undefined;
    };
    answer: GetLaborStatsSeriesResponse;
  };
  /** Measures economic and financial stress in the United States and in supply chains by six series. */
  "/api/economic/v1/get-economic-stress": {
    query: Record<never, never>;
    answer: GetEconomicStressResponse;
  };
  /** Gives macroeconomic figures of about 190 countries: prices, government finance, growth, employment, external balance. */
  "/api/economic/v1/get-country-macro": {
    query: {
      /** ISO 3166-1 alpha-2 codes (Kosovo is `XK`), in either case, repeated or separated by commas. */
      countries?: readonly (string)[] | undefined;
      /** Most countries in each part, the first by code; absent means 30, 0 means all. */
      limit?: number | undefined;
      /** Of each country only the first figure that each part knows, in the order of the documentation (inflation, growth, unemployment, current account), with its year. */
      summary?: boolean | undefined;
    };
    answer: GetCountryMacroResponse;
  };
  /** Gives the house price indices of the EU's members, of the euro area and of the EU, by year. */
  "/api/economic/v1/get-eu-housing-cycle": {
    query: {
      /** Eurostat's codes, in either case, repeated or separated by commas: alpha-2 codes of the EU's members (Greece is `EL`, `GR` is read as it), `EA20` (euro area) and `EU27_2020`. */
      countries?: readonly (string)[] | undefined;
      /** Most places, the members first by code, then the two groups; absent means 30, 0 means all. */
      limit?: number | undefined;
      /** Of each place only the newest value, with its date and unit. */
      summary?: boolean | undefined;
    };
    answer: GetEuHousingCycleResponse;
  };
  /** Gives the government debt of the EU's members, of the euro area and of the EU, by quarter. */
  "/api/economic/v1/get-eu-quarterly-gov-debt": {
    query: {
      /** Eurostat's codes, in either case, repeated or separated by commas: alpha-2 codes of the EU's members (Greece is `EL`, `GR` is read as it), `EA20` (euro area) and `EU27_2020`. */
      countries?: readonly (string)[] | undefined;
      /** Most places, the members first by code, then the two groups; absent means 30, 0 means all. */
      limit?: number | undefined;
      /** Of each place only the newest value, with its date and unit. */
      summary?: boolean | undefined;
    };
    answer: GetEuQuarterlyGovDebtResponse;
  };
  /** Gives the industrial production of the EU's members, of the euro area and of the EU, by month. */
  "/api/economic/v1/get-eu-industrial-production": {
    query: {
      /** Eurostat's codes, in either case, repeated or separated by commas: alpha-2 codes of the EU's members (Greece is `EL`, `GR` is read as it), `EA20` (euro area) and `EU27_2020`. */
      countries?: readonly (string)[] | undefined;
      /** Most places, the members first by code, then the two groups; absent means 30, 0 means all. */
      limit?: number | undefined;
      /** Of each place only the newest value, with its date and unit. */
      summary?: boolean | undefined;
    };
    answer: GetEuIndustrialProductionResponse;
  };
  /** Lists internet outages of the last twelve weeks and older ones still held, newest detection first. */
  "/api/infrastructure/v1/list-internet-outages": {
    query: {
      /** Earliest detection, Unix epoch milliseconds, inclusive; absent or 0 means no lower bound. */
      start?: bigint | number | string | undefined;
      /** Latest detection, Unix epoch milliseconds, inclusive; absent or 0 means no upper bound. */
      end?: bigint | number | string | undefined;
      /** ISO 3166-1 alpha-2 code, in either case; absent means every country. */
      country?: string | undefined;
    };
    answer: ListInternetOutagesResponse;
  };
  /** Names the country and the nearest populated place of a point. */
  "/api/infrastructure/v1/reverse-geocode": {
    query: {
      /** Decimal degrees north, -90 to 90. */
      lat: number;
      /** Decimal degrees east, -180 to 180. */
      lon: number;
    };
    answer: ReverseGeocodeResponse;
  };
  /** Locates the address the request came from. */
  "/api/infrastructure/v1/get-ip-geo": {
    query: Record<never, never>;
    answer: GetIpGeoResponse;
  };
  /** Tells what open sources know of a listed company: identity, filings, market profile, earnings and mentions. */
  "/api/intelligence/v1/get-company-enrichment": {
    query: {
      /** Ticker on a US exchange, in either case, such as `MSFT` or `BRK-B` (`BRK.B` is the same). */
      ticker?: string | undefined;
      /** Name exactly as in the SEC's register, in either case, such as `Microsoft Corp`; it must be one company's alone. */
      name?: string | undefined;
      /** Host name, such as `example.com`. */
      domain?: string | undefined;
    };
    answer: GetCompanyEnrichmentResponse;
  };
  /** Gives the tone and the volume of the world's English-language news on a topic, day by day. */
  "/api/intelligence/v1/get-news-topic-timeline": {
    query: {
      /** `military`, `cyber`, `nuclear`, `sanctions`, `intelligence` or `maritime`, in either case. */
      topic: string;
    };
    answer: GetNewsTopicTimelineResponse;
  };
  /** Scores the instability of 31 countries from 0 to 100, each with its movement over 24 hours. */
  "/api/intelligence/v1/get-risk-scores": {
    query: {
      /** ISO 3166-1 alpha-2 code, in either case; absent means every scored country. */
      region?: string | undefined;
    };
    answer: GetRiskScoresResponse;
  };
  /** Explains the score of a country: every input with its source and date, every term with its formula and cap. */
  "/api/intelligence/v1/get-risk-score-explanation": {
    query: {
      /** ISO 3166-1 alpha-2 code, in either case. */
      region: string;
    };
    answer: GetRiskScoreExplanationResponse;
  };
  /** Tells how much more gold and silver cost in Shanghai than as COMEX futures. */
  "/api/market/v1/get-physical-premiums": {
    query: {
      /** `gold` or `silver`, in either case, repeated or separated by commas; absent means both. */
      metals?: readonly (string)[] | undefined;
    };
    answer: GetPhysicalPremiumsResponse;
  };
  /** Grades the premiums of GetPhysicalPremiums against fixed bands and their own history, 0 to 100. */
  "/api/market/v1/get-physical-divergence-index": {
    query: {
      /** `gold` and `silver` in lower case, each at most once, repeated or separated by commas; absent means both. */
      metals?: readonly (string)[] | undefined;
    };
    answer: GetPhysicalDivergenceIndexResponse;
  };
  /** Tells the last quotes on record: shares of shipping companies, a freight fund, and gold and silver. */
  "/api/market/v1/get-market-data": {
    query: {
      /** Symbols such as `ZIM` or `GC=F`, in either case, repeated or separated by commas, at most 100; absent means all. */
      symbols?: readonly (string)[] | undefined;
      /** `equity`, `commodity`, `crypto`, `sectors`, `etf`, `gulf` or `sentiment`, in either case, repeated or separated by commas; absent means those of which quotes are kept: `equity`, `etf` and `commodity`. */
      asset_class?: readonly (string)[] | undefined;
      /** Most quotes told, 0 or more; absent means 30, 0 means all. */
      limit?: number | undefined;
      /** True: of each quote only `symbol`, `price` and `changePct`. */
      summary?: boolean | undefined;
    };
    answer: GetMarketDataResponse;
  };
  /** Lists military bases in a map box, clustered on the server at low zoom. */
  "/api/military/v1/list-military-bases": {
    query: {
      /** Latitude of the north-east corner, decimal degrees; pulled into -90 to 90. */
      ne_lat?: number | undefined;
      /** Longitude of the north-east corner, decimal degrees; pulled into -180 to 180. */
      ne_lon?: number | undefined;
      /** Latitude of the south-west corner, decimal degrees; pulled into -90 to 90. */
      sw_lat?: number | undefined;
      /** Longitude of the south-west corner, decimal degrees; pulled into -180 to 180. */
      sw_lon?: number | undefined;
      /** Map zoom, 0 to 22; values outside are pulled in, fractions cut off; absent means 3. */
      zoom?: number | undefined;
      /** Operating power; absent means all. */
      type?: string | undefined;
      /** Kind of installation; absent means all. */
      kind?: string | undefined;
      /** Host country, ISO 3166-1 alpha-2 code, in either case; absent means every country. */
      country?: string | undefined;
    };
    answer: ListMilitaryBasesResponse;
  };
  /** Looks for one aircraft now, by its ICAO address. */
  "/api/military/v1/get-provider-live-flight": {
    query: {
      /** ICAO 24-bit address, six hexadecimal digits, in either case. */
      icao24: string;
    };
    answer: GetProviderLiveFlightResponse;
  };
  /** Tells what a country spends on defence, whom it has under arms, and how concentrated its arms suppliers are. */
  "/api/military/v1/get-defense-industrial-base": {
    query: {
      /** ISO 3166-1 alpha-2 code, in either case. */
      country_code: string;
    };
    answer: GetDefenseIndustrialBaseResponse;
  };
  /** Lists coming technology events, soonest first. */
  "/api/research/v1/list-tech-events": {
    query: {
      /** Kind of event; absent means all. */
      type?: string | undefined;
      /** Only events at a place on the map: with coordinates, and not virtual. */
      mappable?: boolean | undefined;
      /** Most events to list; pulled into 1 to 200, absent means 50. */
      limit?: number | undefined;
      /** Latest start, in days from today (UTC); pulled into 1 to 365, absent means 90. */
      days?: number | undefined;
    };
    answer: ListTechEventsResponse;
  };
  /** Scores the resilience of a country from 0 to 100, with every domain, dimension and pillar behind it. */
  "/api/resilience/v1/get-resilience-score": {
    query: {
      /** ISO 3166-1 alpha-2 code (or `XK`), in either case. */
      country_code: string;
    };
    answer: GetResilienceScoreResponse;
  };
  /** Ranks the countries whose scores can be trusted, and lists the others apart. */
  "/api/resilience/v1/get-resilience-ranking": {
    query: Record<never, never>;
    answer: GetResilienceRankingResponse;
  };
  /** Explains the score of a country: every value with its source and date, every indicator with its formula and weight. */
  "/api/resilience/v1/get-resilience-score-explanation": {
    query: {
      /** ISO 3166-1 alpha-2 code (or `XK`), in either case. */
      country_code: string;
    };
    answer: GetResilienceScoreExplanationResponse;
  };
  /** Tells how the scoring is set up: versions, flags, and what is stored. */
  "/api/resilience/v1/get-runtime-manifest": {
    query: Record<never, never>;
    answer: GetResilienceRuntimeManifestResponse;
  };
  /** Lists the scenarios that can be run. */
  "/api/scenario/v1/list-scenario-templates": {
    query: Record<never, never>;
    answer: ListScenarioTemplatesResponse;
  };
  /** Tells how a job of the caller's account stands, and its result for 24 hours after it ended. */
  "/api/scenario/v1/get-scenario-status": {
    query: {
      /** The `jobId` of RunScenario's answer. */
      job_id: string;
    };
    answer: GetScenarioStatusResponse;
  };
  /** Lists the account's webhooks, oldest first; never a secret. */
  "/api/v2/shipping/webhooks": {
    query: Record<never, never>;
    answer: ListWebhooksResponse;
  };
  /** One webhook of the account; that of another is 404, as if it did not exist. */
  "/api/v2/shipping/webhooks/{subscriber_id}": {
    query: {
      /** Its id. */
      subscriber_id: string;
    };
    answer: Webhook;
  };
  /** The latest 50 deliveries of a webhook with their attempts, newest first; they are kept for 30 days. */
  "/api/v2/shipping/webhooks/{subscriber_id}/deliveries": {
    query: {
      /** Its id. */
      subscriber_id: string;
    };
    answer: ListWebhookDeliveriesResponse;
  };
  /** Tells how much a country's imports of one chapter of goods depend on each of 13 chokepoints, 0 to 100. */
  "/api/supply-chain/v1/get-country-chokepoint-index": {
    query: {
      /** ISO 3166-1 alpha-2 code of the importing country, in capitals, or `XK`; a code of no country is refused. */
      iso2: string;
      /** Chapter of the Harmonized System, 01 to 97 or 99; a single digit is read with a leading zero. */
      hs2?: string | undefined;
    };
    answer: GetCountryChokepointIndexResponse;
  };
  /** Lists what a country imports of 36 watched headings of the Harmonized System, and from whom. */
  "/api/supply-chain/v1/get-country-products": {
    query: {
      /** ISO 3166-1 alpha-2 code of the importing country, in either case. */
      iso2: string;
    };
    answer: GetCountryProductsResponse;
  };
  /** Estimates what the closure of a chokepoint would add to the cost of a country's imports, by sector. */
  "/api/supply-chain/v1/get-multi-sector-cost-shock": {
    query: {
      /** ISO 3166-1 alpha-2 code of the importing country, in either case. */
      iso2: string;
      /** Canonical id of the chokepoint, in either case. */
      chokepoint_id: string;
      /** How many days it is closed; absent means 30, values outside 1 to 365 are pulled to the nearest of them. */
      closure_days?: number | undefined;
    };
    answer: GetMultiSectorCostShockResponse;
  };
  /** Scores the stress of shipping from how the shares of carriers last moved. */
  "/api/supply-chain/v1/get-shipping-stress": {
    query: Record<never, never>;
    answer: GetShippingStressResponse;
  };
  /** Tells which countries mine and refine fourteen critical minerals, and how concentrated each stage is. */
  "/api/supply-chain/v1/get-mineral-production": {
    query: {
      /** Id or label of a mineral, in either case: `ree`, `lithium`, `cobalt`, `copper`, `nickel`, `graphite`, `tungsten`, `gallium`, `germanium`, `helium`, `aluminum`, `bauxite`, `alumina` or `uranium`. */
      commodity?: string | undefined;
      /** ISO 3166-1 alpha-2 code, in either case: only what this country mines and refines. */
      iso2?: string | undefined;
      /** `mine` or `refinery`, in either case; `smelter` and `smelting` mean `refinery`. */
      stage?: string | undefined;
    };
    answer: GetMineralProductionResponse;
  };
  /** Scores how vulnerable a country is to a shortage of each of 23 commodities, 0 to 100, with everything behind each score. */
  "/api/supply-chain/v1/get-country-vulnerabilities": {
    query: {
      /** ISO 3166-1 alpha-2 code of the importing country, in either case. */
      iso2: string;
    };
    answer: GetCountryVulnerabilitiesResponse;
  };
  /** Lists which countries depend on a chokepoint for which commodities, most vulnerable first. */
  "/api/supply-chain/v1/get-chokepoint-dependencies": {
    query: {
      /** Canonical id, lower case, such as `hormuz_strait`. */
      chokepoint_id: string;
      /** How many rows at most, up to 100; 0 or absent means 25. */
      page_size?: number | undefined;
    };
    answer: GetChokepointDependenciesResponse;
  };
  /** Lists the pairs of country and commodity that are most vulnerable, at most 25. */
  "/api/supply-chain/v1/list-vulnerability-rankings": {
    query: {
      /** Id of a commodity, such as `cobalt` or `crude_oil`; absent means all, another one has none. */
      commodity_id?: string | undefined;
      /** Only this band: `low`, `moderate`, `high` or `critical`; absent means all. */
      band?: string | undefined;
      /** Only this state: `ok`, `insufficient_data` or `stale_input`; absent means all. */
      state?: string | undefined;
      /** How many rows at most: up to 100 are accepted, and never more than 25 given; 0 or absent means 25. */
      page_size?: number | undefined;
    };
    answer: ListVulnerabilityRankingsResponse;
  };
  /** Lists the average applied tariff of an economy, year by year. */
  "/api/trade/v1/get-tariff-trends": {
    query: {
      /** Three-digit code of the economy: UN M49, or the WTO's own such as `918` for the European Union; absent means `840`, the United States. */
      reporting_country?: string | undefined;
      /** Three-digit code, accepted for forward compatibility; it never changes the answer. */
      partner_country?: string | undefined;
      /** Letters, digits, `_` and `-`, at most 16. */
      product_sector?: string | undefined;
      /** Years before the newest one on record that are listed with it, 0 to 30; absent or 0 means 10, which lists up to 11 years. */
      years?: number | undefined;
    };
    answer: GetTariffTrendsResponse;
  };
  /** Lists the merchandise exports and imports of an economy, year by year. */
  "/api/trade/v1/get-trade-flows": {
    query: {
      /** Three-digit code of the economy: UN M49, or the WTO's own such as `918` for the European Union; absent means `840`, the United States. */
      reporting_country?: string | undefined;
      /** Three-digit code of the partner; absent means `000`, the world, which is the one covered partner: any other is answered with `NOT_COVERED`. */
      partner_country?: string | undefined;
      /** Years before the newest one on record that are listed with it, 0 to 30; absent or 0 means 10, which lists up to 11 years. */
      years?: number | undefined;
    };
    answer: GetTradeFlowsResponse;
  };
}

/** Every path that changes something, with its body and its answer. */
export interface PostPaths {
  /** Creates an API key and returns it this once. */
  "/api/account/v1/create-api-key": { body: CreateApiKeyRequest; answer: CreateApiKeyResponse };
  /** Creates a replacement key with the same name, scopes and expiry. */
  "/api/account/v1/rotate-api-key": { body: RotateApiKeyRequest; answer: RotateApiKeyResponse };
  /** Revokes an API key on every replica within two seconds. */
  "/api/account/v1/revoke-api-key": { body: RevokeApiKeyRequest; answer: RevokeApiKeyResponse };
  /** Opens an account. */
  "/api/account/v1/create-account": { body: CreateAccountRequest; answer: CreateAccountResponse };
  /** Sets the subscription that the operator gives an account; those of a billing provider stay beside it. */
  "/api/account/v1/set-subscription": { body: SetSubscriptionRequest; answer: SetSubscriptionResponse };
  /** Sets the scopes that an account's keys may carry; a key loses those that are not among them. */
  "/api/account/v1/set-scopes": { body: SetScopesRequest; answer: SetScopesResponse };
  /** Adds companies to those that the account watches, or changes them, up to 100 a call: all of them or none. */
  "/api/company-monitoring/v1/import-companies": { body: ImportCompaniesRequest; answer: ImportCompaniesResponse };
  /** Admits an impact of an event on a company of an account. */
  "/api/company-monitoring/v1/admit-impact": { body: AdmitImpactRequest; answer: AdmitImpactResponse };
  /** Puts another assessment in place of an impact's, as its next revision. */
  "/api/company-monitoring/v1/correct-impact": { body: CorrectImpactRequest; answer: CorrectImpactResponse };
  /** Takes an impact back for good, as its last revision. */
  "/api/company-monitoring/v1/retract-impact": { body: RetractImpactRequest; answer: RetractImpactResponse };
  /** Queues the computation of a scenario and tells where to follow it; `Location` is the body's `statusUrl`. */
  "/api/scenario/v1/run-scenario": { body: RunScenarioRequest; answer: RunScenarioResponse };
  /** Registers a webhook and tells its secret, which is never told again. */
  "/api/v2/shipping/webhooks": { body: RegisterWebhookRequest; answer: RegisterWebhookResponse };
  /** Makes a new secret and tells it once. */
  "/api/v2/shipping/webhooks/{subscriber_id}/rotate-secret": { body: RotateWebhookSecretRequest; answer: RotateWebhookSecretResponse };
  /** Sends to a webhook again that was switched off. */
  "/api/v2/shipping/webhooks/{subscriber_id}/reactivate": { body: ReactivateWebhookRequest; answer: ReactivateWebhookResponse };
  /** Sends a `webhook.test` event, after whatever waits already. */
  "/api/v2/shipping/webhooks/{subscriber_id}/test": { body: TestWebhookRequest; answer: TestWebhookResponse };
  /** Sends a delivery again that has ended, under the same id and after whatever waits already. */
  "/api/v2/shipping/webhooks/{subscriber_id}/replay": { body: ReplayWebhookDeliveryRequest; answer: ReplayWebhookDeliveryResponse };
}

/** Every path that something is taken away by, with what the path says and its answer. */
export interface DeletePaths {
  /** Takes a webhook away with everything that waits for it; there is no answer but the status. */
  "/api/v2/shipping/webhooks/{subscriber_id}": { body: DeleteWebhookRequest; answer: DeleteWebhookResponse };
}

/** Whose key this is. */
export interface GetCallerResponse {
  /** The account. */
  account?: Account;
  /** The key the request came with. */
  key?: ApiKey;
}

/** The account's keys. */
export interface ListApiKeysResponse {
  /** Live ones first, then by age; of those that have ended the newest, at most 200 keys in all. */
  keys: ApiKey[];
}

/** The account's calls. */
export interface GetUsageResponse {
  /** Newest day first, then by operation; a pair without calls has no row. */
  usage: Usage[];
  /** What is left of each limit now. */
  limits: Limit[];
}

/** The limits of the caller's account. */
export interface GetLimitsResponse {
  /** Those of the plan first, then the operations that have one of their own. */
  limits: Limit[];
}

/** A page of the audit log. */
export interface ListAuditEventsResponse {
  /** Newest first. */
  events: AuditEvent[];
  /** `nextCursor` is empty on the last page; `totalCount` counts every event of the account. */
  pagination?: Pagination;
}

/** A page of accounts. */
export interface ListAccountsResponse {
  /** By id. */
  accounts: Account[];
  /** `nextCursor` is empty on the last page; `totalCount` counts every account. */
  pagination?: Pagination;
}

/** A page of impacts. */
export interface ListCompanyEventImpactsResponse {
  /** Latest change first, then by id, highest first. */
  impacts: CompanyEventImpact[];
  /** Cursor of the next page; empty on the last one. */
  nextCursor: string;
  /** The generation that this page was cut from. */
  snapshot?: MonitoringSnapshot;
}

/** Whether an impact is good or bad for the company. */
export type MaterialImpactDirection = "MATERIAL_IMPACT_DIRECTION_UNSPECIFIED" | "MATERIAL_IMPACT_DIRECTION_POSITIVE" | "MATERIAL_IMPACT_DIRECTION_NEGATIVE" | "MATERIAL_IMPACT_DIRECTION_MIXED";

/** Where an impact stands: admitted may become corrected or retracted, corrected may be corrected again or retracted, and retracted is the end. */
export type MaterialImpactLifecycle = "MATERIAL_IMPACT_LIFECYCLE_UNSPECIFIED" | "MATERIAL_IMPACT_LIFECYCLE_ADMITTED" | "MATERIAL_IMPACT_LIFECYCLE_CORRECTED" | "MATERIAL_IMPACT_LIFECYCLE_RETRACTED";

/** A page of changed impacts. */
export interface ListCompanyEventChangesResponse {
  /** Oldest change first. */
  impacts: CompanyEventImpact[];
  /** Cursor of the next page; empty on the last one. */
  nextCursor: string;
  /** `CURRENT`: with all pages, these are the changes up to `snapshot`. */
  pollState: string;
  /** The generation that this page was cut from; poll on from its `pollCursor` once the last page is read. */
  snapshot?: MonitoringSnapshot;
}

/** A page of companies. */
export interface ListMonitoredCompaniesResponse {
  /** Latest change first, then by id, highest first. */
  companies: MonitoredCompany[];
  /** Cursor of the next page; empty on the last one. */
  nextCursor: string;
  /** The generation that this page was cut from; its `pollCursor` is empty. */
  snapshot?: MonitoringSnapshot;
}

/** Whether a company is watched. */
export type MonitoredCompanyState = "MONITORED_COMPANY_STATE_UNSPECIFIED" | "MONITORED_COMPANY_STATE_ACTIVE" | "MONITORED_COMPANY_STATE_PAUSED" | "MONITORED_COMPANY_STATE_REMOVED";

/** The events that match. */
export interface ListConflictEventsResponse {
  /** At most 5,000, sorted by moment, newest first, then by id. */
  events: ConflictEvent[];
  /** `nextCursor` is always empty; `totalCount` counts every match, also those beyond the 5,000. */
  pagination?: Pagination;
}

/** One page of open notices, and how complete the feed is. */
export interface ListGlobalTendersResponse {
  /** Open notices that match, in the order asked for. */
  tenders: Tender[];
  /** Cursor of the next page; empty on the last one. */
  nextCursor: string;
  /** Notices that match on all pages; exact up to 10,000. */
  total: number;
  /** Whether more than `total` notices match. */
  totalCapped: boolean;
  /** When the feed was last refreshed, ISO 8601 in UTC; empty when never. */
  fetchedAt: string;
  /** Whether the feed holds any notice, or any source was read with success. */
  dataAvailable: boolean;
  /** `available`: every source was read. */
  availability: string;
  /** `not_requested`, `observed` (the feed has notices of every country asked for) or `unknown`. */
  countryCoverage: string;
  /** How each source stands; always all of them. */
  sourceStatuses: TenderSourceStatus[];
  /** Names of the filters that are active, in the order of the parameters; `countries` counts as `country`. */
  appliedFilters: string[];
}

/** The EU's gas stores on the latest gas day. */
export interface GetEuGasStorageResponse {
  /** How full the stores are, percent of the working volume, 2 decimals. */
  fillPct: number;
  /** Percentage points since the gas day before, 2 decimals; 0 also where that day is not known. */
  fillPctChange1d: number;
  /** Days the stored gas lasts at 18 TWh a day, the average winter draw-down; rounded. */
  gasDaysConsumption: number;
  /** `injecting` when the change is above 0.05, `withdrawing` when it is below -0.05, else `stable`; empty without data. */
  trend: string;
  /** The last gas days that were published, at most five, oldest first. */
  history: EuGasStorageDay[];
  /** When the source was last read with success, Unix epoch milliseconds as a decimal string; `0` before the first time. */
  seededAt: string;
  /** The latest gas day, YYYY-MM-DD; empty without data. */
  updatedAt: string;
  /** Whether the source could not be read for 72 hours, or never. */
  unavailable: boolean;
}

/** The policies that match. */
export interface GetEnergyCrisisPoliciesResponse {
  /** Who made the list. */
  source: string;
  /** The list's own page; empty where it has none. */
  sourceUrl: string;
  /** What the list is about, in a sentence. */
  context: string;
  /** Sorted by country, category, announcement (newest first) and measure. */
  policies: EnergyCrisisPolicy[];
  /** When the list was last reviewed, ISO 8601 in UTC; empty without a list. */
  updatedAt: string;
  /** Whether there is no list. */
  unavailable: boolean;
}

/** A labour series. */
export interface GetLaborStatsSeriesResponse {
  /** Always present. */
  series?: LaborStatsSeries;
}

/** The index and what it is made of. */
export interface GetEconomicStressResponse {
  /** 0 (calm) to 100 (extreme), 1 decimal. */
  compositeScore: number;
  /** Of the rounded score: `Low` below 20, `Moderate` below 40, `Elevated` below 60, `Severe` below 80, else `Critical`; empty without data. */
  label: string;
  /** Always the same six in the same order, missing ones too; none without data. */
  components: EconomicStressComponent[];
  /** When FRED was last read with success, ISO 8601 in UTC; empty before the first time. */
  seededAt: string;
  /** Whether FRED could not be read for 6 hours, or never. */
  unavailable: boolean;
}

/** Figures of the countries that were asked for. */
export interface GetCountryMacroResponse {
  /** When the oldest of the four parts was read, ISO 8601 in UTC; absent while one of them has no figures. */
  cached_at?: string;
  /** The figures were read more than 70 days ago, or a part of them is missing. */
  stale: boolean;
  /** Always present. */
  data?: CountryMacroData;
}

/** House prices of the places that were asked for. */
export interface GetEuHousingCycleResponse {
  /** When Eurostat was last read with success, ISO 8601 in UTC; absent before the first time. */
  cached_at?: string;
  /** Eurostat was read more than 50 days ago, or never. */
  stale: boolean;
  /** Always present. */
  data?: EuHousingCycleData;
}

/** Government debt of the places that were asked for. */
export interface GetEuQuarterlyGovDebtResponse {
  /** When Eurostat was last read with success, ISO 8601 in UTC; absent before the first time. */
  cached_at?: string;
  /** Eurostat was read more than 14 days ago, or never. */
  stale: boolean;
  /** Always present. */
  data?: EuQuarterlyGovDebtData;
}

/** Industrial production of the places that were asked for. */
export interface GetEuIndustrialProductionResponse {
  /** When Eurostat was last read with success, ISO 8601 in UTC; absent before the first time. */
  cached_at?: string;
  /** Eurostat was read more than 5 days ago, or never. */
  stale: boolean;
  /** Always present. */
  data?: EuIndustrialProductionData;
}

/** The outages that match. */
export interface ListInternetOutagesResponse {
  /** Sorted by detection, newest first, then by id. */
  outages: InternetOutage[];
  /** `nextCursor` is always empty, `totalCount` the number of rows. */
  pagination?: Pagination;
}

/** What lies at the point. */
export interface ReverseGeocodeResponse {
  /** English short name of the country or territory. */
  country: string;
  /** Its ISO 3166-1 alpha-2 code; `XK` for Kosovo. */
  code: string;
  /** Nearest populated place within 50 km and the country, else the country alone. */
  displayName: string;
  /** Empty on success; what went wrong when a configured provider failed. */
  error: string;
}

/** Where the caller's address is registered. */
export interface GetIpGeoResponse {
  /** ISO 3166-1 alpha-2 code; `XX` when unknown. */
  country: string;
  /** Name of the first-level subdivision; empty when unknown. */
  region: string;
  /** Name of the city; empty when unknown. */
  city: string;
}

/** What is known of the company. */
export interface GetCompanyEnrichmentResponse {
  /** Who it is; always there. */
  company?: CompanyIdentity;
  /** Technologies in use. */
  techStack: CompanyTechnology[];
  /** Up to 5 newest stories on Hacker News with its name in the title. */
  hackerNewsMentions: HackerNewsMention[];
  /** Its filings with the SEC; absent when they could not be read. */
  secFilings?: SecFilings;
  /** Its market profile; absent when Finnhub has none or could not be read. */
  market?: MarketProfile;
  /** Up to 8 quarters with a result and an estimate, newest first. */
  earningsSurprises: EarningsSurprise[];
  /** Up to 5 newest items of the press feeds that name it, newest first. */
  newsMentions: NewsMention[];
  /** The sources that were reached, in this order: `sec_edgar`, `finnhub`, `news`, `hacker_news`. */
  sources: string[];
  /** When the oldest part was fetched, Unix epoch milliseconds; news are as old as the press feed that was read least lately. */
  enrichedAtMs: number;
  /** The register could not be read, or every source failed for a company that it knows: empty members are then no finding. */
  unavailable: boolean;
}

/** Tone and volume of a topic. */
export interface GetNewsTopicTimelineResponse {
  /** The topic that was asked for. */
  topic: string;
  /** When the source was asked for these points, ISO 8601 in UTC; empty when it never answered. */
  fetchedAt: string;
  /** Mean tone of the matching articles of each day, about -10 (hostile) to 10 (friendly), four decimals. */
  tone: TopicPoint[];
  /** Number of matching articles of each day; the current day is still growing. */
  vol: TopicPoint[];
  /** Empty on success; `unavailable` when this topic was never loaded, and then both series are empty. */
  error: string;
}

/** Scores of the countries that were asked for. */
export interface GetRiskScoresResponse {
  /** By `combinedScore`, highest first; equal ones in the fixed order of the methodology. */
  ciiScores: CiiScore[];
  /** One entry for the world; empty when a region is asked for. */
  strategicRisks: StrategicRisk[];
  /** The scores are not what they should be: a source is out (`missingInputs`), or they are old. */
  degraded: boolean;
  /** The scores are the last good ones, 20 to 60 minutes old. */
  stale: boolean;
  /** What counts as 0 for lack of data: sources whose last good answer is missing or too old (of travel advisories, a fixed list counts instead), which makes the answer degraded; and the `components` without any source, which does not. */
  missingInputs: string[];
}

/** Every part of a score: `combinedScore` = min(100, max(highest floor that holds, round(`blendedScore`))), `blendedScore` = `baselineWeight` × `staticBaseline` + `eventWeight` × sum of each component's `weight` × `score` + sum of the additions' counted points, a component's `score` = min(100, round(sum of its terms' counted points)), counted points = min(`cap`, `points`). */
export interface GetRiskScoreExplanationResponse {
  /** ISO 3166-1 alpha-2 code. */
  region: string;
  /** Version of the methodology, `v8`. */
  methodologyVersion: string;
  /** When the score was computed, Unix epoch milliseconds. */
  computedAt: number;
  /** As in GetRiskScores. */
  degraded: boolean;
  /** As in GetRiskScores. */
  stale: boolean;
  /** As in GetRiskScores. */
  missingInputs: string[];
  /** The methodology's constant for the country, 0 to 100. */
  staticBaseline: number;
  /** Share of the baseline in the score. */
  baselineWeight: number;
  /** The constant `m` of the formulas: by it the country's events are multiplied. */
  eventMultiplier: number;
  /** Share of the components in the score. */
  eventWeight: number;
  /** The four components. */
  components: RiskComponent[];
  /** Points added to both shares. */
  additions: RiskTerm[];
  /** Scores below which the country cannot be. */
  floors: RiskFloor[];
  /** Before rounding and floors. */
  blendedScore: number;
  /** As in GetRiskScores. */
  combinedScore: number;
  /** The snapshot of about 24 hours earlier; absent when there is no valid one. */
  earlier?: RiskSnapshot;
  /** As in GetRiskScores. */
  dynamicScore: number;
  /** Whether the country is among the scored ones; everything but `region` says nothing where it is not. */
  scored: boolean;
}

/** The premiums, and the exchange rate behind them. */
export interface GetPhysicalPremiumsResponse {
  /** The metals asked for, gold before silver; empty when not `available`. */
  premiums: PhysicalPremium[];
  /** Absent when not `available`. */
  fx?: PremiumExchangeRate;
  /** Whether there are premiums that may be relied on; false: never loaded, incomplete, or too old. */
  available: boolean;
}

/** Readings of the metals and their composite. */
export interface GetPhysicalDivergenceIndexResponse {
  /** The metals asked for, gold before silver. */
  readings: PhysicalDivergenceReading[];
  /** Of both metals, whichever were asked for. */
  composite?: PhysicalDivergenceComposite;
  /** When the readings were made: the moment of the call, Unix epoch milliseconds; 0 where there was nothing to evaluate. */
  evaluatedAt: number;
  /** Name of the rules, `physical-divergence-v2`. */
  methodologyVersion: string;
  /** Whether a premium is stored for any metal; false: every reading is `MISSING_INPUT` and says why. */
  available: boolean;
}

/** The quotes, and how old the oldest answer behind them is. */
export interface GetMarketDataResponse {
  /** When the oldest of the sources behind the classes asked for was read, ISO 8601 in UTC; absent when one of them, or every one, was never read. */
  cached_at?: string;
  /** One of these sources was never read, or longer ago than it should be: shares 45 minutes, metals 3 days. */
  stale: boolean;
  /** The quotes themselves. */
  data?: MarketData;
  /** Of one class asked for there is no quote at all, whatever its symbols; `unavailableAssetClasses` says of which. */
  unavailable: boolean;
  /** The classes asked for of which there is no quote at all, in the order of the parameter. */
  unavailableAssetClasses: string[];
}

/** Bases and clusters in the box. */
export interface ListMilitaryBasesResponse {
  /** Bases shown singly, at most 2,000, sorted by tier, name and id. */
  bases: MilitaryBase[];
  /** Groups of two or more, at most 2,000, sorted by size (largest first), latitude and longitude. */
  clusters: MilitaryBaseCluster[];
  /** How many bases match in all: the single ones plus the sizes of all groups, before anything was cut. */
  totalInView: number;
  /** Whether bases or clusters were left out for their number. */
  truncated: boolean;
}

/** The aircraft, where it is seen. */
export interface GetProviderLiveFlightResponse {
  /** Absent when nobody receives the aircraft now, and when the provider failed (`X-Flight-Upstream: unavailable`). */
  flight?: LiveFlight;
}

/** What is known of the country's defence industrial base. */
export interface GetDefenseIndustrialBaseResponse {
  /** The country asked for. */
  countryCode: string;
  /** Whether one of the two sources has data of the country. */
  available: boolean;
  /** Military expenditure, % of GDP. */
  expenditurePctGdp?: DefenseIndicator;
  /** Military expenditure, current US dollars. */
  expenditureUsd?: DefenseIndicator;
  /** Armed forces personnel, heads. */
  personnel?: DefenseIndicator;
  /** Exports of major arms, SIPRI trend-indicator value: a volume index, not money. */
  armsExportsTiv?: DefenseIndicator;
  /** Imports of major arms, SIPRI trend-indicator value: a volume index, not money. */
  armsImportsTiv?: DefenseIndicator;
  /** Where the country's arms imports came from in the window, largest share first; only countries. */
  suppliers: ArmsSupplier[];
  /** Concentration of the suppliers, 0 to 1: the sum of the squared shares of all of them, also those that are no country. */
  supplierHhi: number;
  /** First year of the window of five; 0 without suppliers. */
  windowStartYear: number;
  /** Last year of the window; 0 without suppliers. */
  windowEndYear: number;
  /** Whose figures the suppliers are; empty without suppliers. */
  supplierSource: string;
  /** The older of the two times below, ISO 8601 in UTC; the one there is, or empty. */
  fetchedAt: string;
  /** When the indicators were read, ISO 8601 in UTC; empty before. */
  industrialFetchedAt: string;
  /** When the suppliers were read, ISO 8601 in UTC; empty before. */
  supplierFetchedAt: string;
  /** The suppliers are of an earlier reading: the last one failed. */
  supplierRetained: boolean;
  /** Share of the deliveries whose supplier is a country, 0 to 1. */
  supplierMappingCoverage: number;
  /** How the indicators stand: `ok`, `stale` (read more than 28 days ago), `no_data` (read, and the country is not in them) or `not_loaded` (never read). */
  industrialState: string;
  /** How the suppliers stand, in the same words; `not_loaded` also where the operator has imported none. */
  supplierState: string;
}

/** The events that match. */
export interface ListTechEventsResponse {
  /** Whether there is data to answer from. */
  success: boolean;
  /** How many events are listed. */
  count: number;
  /** How many of them are conferences. */
  conferenceCount: number;
  /** How many of them have coordinates and are not virtual, of whatever type. */
  mappableCount: number;
  /** When the newest of the feeds' data was read, ISO 8601 in UTC; empty while none was. */
  lastUpdated: string;
  /** Sorted by first day, then last day, title and id. */
  events: TechEvent[];
  /** Why `success` is false; else empty. */
  error: string;
}

/** The score of a country with all its parts. */
export interface GetResilienceScoreResponse {
  /** The country asked for, ISO 3166-1 alpha-2. */
  countryCode: string;
  /** 0 to 100, two decimals; higher is more resilient. */
  overallScore: number;
  /** `high` (60 and more), `medium` (30 and more) or `low`; `unknown` where nothing is known of the country, or nothing was computed yet (then the answer is `no-store`). */
  level: string;
  /** Always the six domains in fixed order; empty before anything was computed. */
  domains: ResilienceDomain[];
  /** Direction of the daily scores of the last 30 days with today's: `rising`, `stable` or `falling`; `stable` with fewer than three, empty where there is no score. */
  trend: string;
  /** `overallScore` minus that of the oldest of the last 30 days, two decimals; 0 where no earlier day is known. */
  change30d: number;
  /** `true` where less than 55 percent is covered, or more than 40 percent imputed. */
  lowConfidence: boolean;
  /** Imputed weight over all weight, 0 to 1, four decimals. */
  imputationShare: number;
  /** Mean of the baseline and mixed dimensions by coverage, 0 to 100, two decimals. */
  baselineScore: number;
  /** Mean of the stress and mixed dimensions by coverage, 0 to 100, two decimals. */
  stressScore: number;
  /** 1 − `stressScore` / 100, within 0 and 0.5, four decimals. */
  stressFactor: number;
  /** Day of the newest annual data, YYYY-MM-DD; empty where there is none. */
  dataVersion: string;
  /** Where the score lies when the pillars' weights are moved by up to a tenth; absent while fewer than 180 countries are scored. */
  scoreInterval?: ScoreInterval;
  /** The three pillars in fixed order; empty in schema 1.0. */
  pillars: ResiliencePillar[];
  /** `2.0`; `1.0` (without pillars) where the operator chose it, and before anything was computed. */
  schemaVersion: string;
  /** It may stand in the ranking: coverage of 0.65 and more, a population of 200,000 and more or else a coverage of 0.85 and more, and not of low confidence. */
  headlineEligible: boolean;
  /** Version of the methodology: scores of different ones are not to be compared. */
  methodologyVersion: string;
}

/** Every country of the ranking. */
export interface GetResilienceRankingResponse {
  /** The ranked ones, highest score first, equal ones by code. */
  items: RankedCountry[];
  /** Those whose score cannot be trusted enough, in the same order, and last those that are not scored. */
  greyedOut: RankedCountry[];
  /** When the scores were computed, ISO 8601 in UTC; empty where they never were (then the answer is `no-store`). */
  fetchedAt: string;
  /** Countries with a score. */
  scored: number;
  /** Countries of the ranking: the 193 members of the United Nations, Hong Kong, Macao and Taiwan. */
  total: number;
  /** `scored` / `total`, four decimals. */
  coverage: number;
  /** `true` while less than 95 percent are scored. */
  partial: boolean;
  /** Version of the methodology, as in GetResilienceScore. */
  methodologyVersion: string;
}

/** Every part of a score: `overallScore` = round(m × (1 − `penalty` × (1 − w / 100)), 2), where m is the mean by weight and w the least of the pillars with coverage; a pillar = mean of its domains by weight × coverage; a domain = round(mean of its dimensions by coverage × weight × f, 2), where f is `imputedFactor` where `imputationClass` is not empty, else 1; a dimension = round(mean of the scores of its indicators by weight × factor); every rounding is half up. */
export interface GetResilienceScoreExplanationResponse {
  /** ISO 3166-1 alpha-2 code. */
  countryCode: string;
  /** As in GetResilienceScore. */
  overallScore: number;
  /** As in GetResilienceScore. */
  level: string;
  /** As in GetResilienceScore. */
  methodologyVersion: string;
  /** When the score was computed, ISO 8601 in UTC; empty where it never was (then every list is empty). */
  computedAt: string;
  /** How much of the score a weakest pillar of 0 takes away. */
  penalty: number;
  /** Share of a wholly imputed dimension that counts. */
  imputedFactor: number;
  /** Mean coverage of the dimensions, less what is old; 0 to 1. */
  overallCoverage: number;
  /** As in GetResilienceScore. */
  imputationShare: number;
  /** As in GetResilienceScore. */
  lowConfidence: boolean;
  /** As in GetResilienceScore. */
  headlineEligible: boolean;
  /** People; 0 where it is not known. */
  population: number;
  /** The three pillars. */
  pillars: ExplainedPillar[];
}

/** Versions, flags, and what is stored; nothing secret. */
export interface GetResilienceRuntimeManifestResponse {
  /** Version of this answer's form. */
  manifestVersion: number;
  /** The moment of the answer, ISO 8601 in UTC. */
  generatedAt: string;
  /** The commit that runs, as the operator set it (`IDS_COMMIT`); `unknown` where it is not set. */
  deployedCommitSha: string;
  /** `live` or `sample`: where the data come from. */
  environment: string;
  /** How pillars become the score: `pc`, the mean less a penalty for the weakest. */
  formulaTag: string;
  /** Day of the newest annual data, YYYY-MM-DD; empty where nothing was computed yet. */
  dataVersion: string;
  /** What is switched on. */
  flags: RuntimeFlag[];
  /** Where scores are kept. */
  cache?: RuntimeCache;
  /** The ranking that is served. */
  rankingCache?: RankingState;
  /** Constructs of single dimensions by name: `energy` is `v2`; `education` and `financialSystemExposure` are `active`, or `rollback` where a source of theirs is not built in. */
  constructVersions: Record<string, string>;
  /** Whether scores come with intervals. */
  intervals?: IntervalState;
  /** Version of the methodology. */
  methodologyVersion: string;
}

/** The scenarios that can be run. */
export interface ListScenarioTemplatesResponse {
  /** In a fixed order. */
  templates: ScenarioTemplate[];
}

/** How a job stands. */
export interface GetScenarioStatusResponse {
  /** `pending` until somebody takes it up, `processing`, then `done` or `failed`. */
  status: string;
  /** What came out; absent until the job is done. */
  result?: ScenarioResult;
  /** `computation_error` when the computation failed three times; else empty. */
  error: string;
}

/** The account's webhooks. */
export interface ListWebhooksResponse {
  /** Oldest first. */
  webhooks: Webhook[];
}

/** One registered webhook. */
export interface Webhook {
  /** `wh_` and 24 hexadecimal digits. */
  subscriberId: string;
  /** Where deliveries go. */
  callbackUrl: string;
  /** Chokepoints that it is told of; all of them where none was named. */
  chokepointIds: string[];
  /** Disruption score from which on a chokepoint is told of, 0 to 100. */
  alertThreshold: number;
  /** When it was registered, ISO 8601 in UTC. */
  createdAt: string;
  /** Whether anything is sent. */
  active: boolean;
  /** Why nothing is sent: `gone` when the address answered 410, `exhausted` when a delivery failed on every attempt; empty while it is active. */
  inactiveReason: string;
  /** When it was switched off, ISO 8601 in UTC; absent while it is active. */
  inactiveSince?: string;
}

/** What was sent to it, and is to be. */
export interface ListWebhookDeliveriesResponse {
  /** Newest first, at most 50. */
  deliveries: WebhookDelivery[];
}

/** How much a country's imports of a chapter depend on each chokepoint. */
export interface GetCountryChokepointIndexResponse {
  /** The country asked for. */
  iso2: string;
  /** The chapter asked for, always two digits. */
  hs2: string;
  /** All 13 chokepoints, highest score first; none for a country whose routes are not known. */
  exposures: ChokepointExposure[];
  /** Id of the chokepoint with the highest score; empty where every score is 0. */
  primaryChokepointId: string;
  /** Composite of the three highest scores, weighted 0.5, 0.3 and 0.2; 0 to 100, one decimal. */
  vulnerabilityIndex: number;
  /** When it was computed, ISO 8601 in UTC; empty where nothing was. */
  fetchedAt: string;
  /** What it was computed from: `flow_weighted` (the country's imports), `country_route_fallback` (its trade routes alone), or empty where nothing was. */
  coverage: string;
  /** The imports could not be read yet, or those behind this answer are more than 45 days old. */
  upstreamUnavailable: boolean;
}

/** What a country imports. */
export interface GetCountryProductsResponse {
  /** The country asked for. */
  iso2: string;
  /** Watched headings with imports on record, highest value first. */
  products: ImportedProduct[];
  /** When the imports were read, ISO 8601 in UTC; empty without any. */
  fetchedAt: string;
  /** No imports of any country could be read yet, those of this one are more than 45 days old, or the store is out of reach. */
  upstreamUnavailable: boolean;
}

/** What the closure would cost, by sector. */
export interface GetMultiSectorCostShockResponse {
  /** The country asked for. */
  iso2: string;
  /** The chokepoint asked for. */
  chokepointId: string;
  /** Days of closure that were counted with. */
  closureDays: number;
  /** How dangerous the passage is held to be. */
  warRiskTier: WarRiskTier;
  /** Ten sectors, highest cost a day first. */
  sectors: SectorCostShock[];
  /** Sum of the sectors' `total_cost_shock`, in US dollars. */
  totalAddedCost: number;
  /** When it was computed, ISO 8601 in UTC. */
  fetchedAt: string;
  /** Why every cost is 0; empty where imports are on record, so that a 0 is measured. */
  unavailableReason: string;
  /** No imports of any country could be read yet, or those behind this answer are more than 45 days old. */
  upstreamUnavailable: boolean;
}

/** The carriers' shares and the score made from them. */
export interface GetShippingStressResponse {
  /** Always in the same order; one without data is left out. */
  carriers: ShippingCarrier[];
  /** 0 to 100, a whole number, higher is more disruption; 0 without carriers. */
  stressScore: number;
  /** `low` below 25, `moderate` below 50, `elevated` below 75, else `critical`; empty without carriers. */
  stressLevel: string;
  /** When the prices were read, Unix epoch milliseconds; 0 when they never were. */
  fetchedAt: number;
  /** The prices were never read, or more than 45 minutes ago: what is told is old or nothing. */
  upstreamUnavailable: boolean;
}

/** The minerals that match. */
export interface GetMineralProductionResponse {
  /** In a fixed order, rare earths first. */
  commodities: MineralCommodity[];
  /** With `iso2`, the country's holdings in the same order, one entry; else empty. */
  countries: MineralCountry[];
  /** When the older of the sources was read, ISO 8601 in UTC; empty when none ever was. */
  fetchedAt: string;
  /** Nothing was ever read, or not for 400 days. */
  upstreamUnavailable: boolean;
  /** Newest year of all that is known, whatever is asked for; 0 when nothing is. */
  dataYear: number;
}

/** How vulnerable one country is, by commodity. */
export interface GetCountryVulnerabilitiesResponse {
  /** The country asked for. */
  iso2: string;
  /** Its name in English; empty where the code is no country's. */
  country: string;
  /** All 23 commodities: those with a score first, highest first, then by `commodity_id`. */
  vulnerabilities: CommodityVulnerability[];
  /** When this set of scores was computed, ISO 8601 in UTC, the same for all three operations; empty when none ever was. */
  generatedAt: string;
  /** Methodology of the scores. */
  methodologyVersion: string;
  /** No set of scores was ever published, or the last one is more than 72 hours old. */
  upstreamUnavailable: boolean;
  /** A set of scores is behind this answer: an empty list then means that nothing matches. */
  available: boolean;
}

/** Who depends on one chokepoint, for what. */
export interface GetChokepointDependenciesResponse {
  /** The chokepoint asked for. */
  chokepointId: string;
  /** Its name in English; empty where there is no such chokepoint. */
  chokepoint: string;
  /** Countries and commodities with a share above 0: those with a score first, highest first, then by `weighted_transit_share`, country and commodity. */
  dependencies: ChokepointDependency[];
  /** As in GetCountryVulnerabilities. */
  generatedAt: string;
  /** Methodology of the scores. */
  methodologyVersion: string;
  /** No set of scores was ever published, or the last one is more than 72 hours old. */
  upstreamUnavailable: boolean;
  /** A set of scores is behind this answer: an empty list then means that nothing matches. */
  available: boolean;
}

/** The most vulnerable pairs of country and commodity. */
export interface ListVulnerabilityRankingsResponse {
  /** Those with a score first, highest first, then by country and commodity. */
  vulnerabilities: CommodityVulnerability[];
  /** As in GetCountryVulnerabilities. */
  generatedAt: string;
  /** Methodology of the scores. */
  methodologyVersion: string;
  /** No set of scores was ever published, or the last one is more than 72 hours old. */
  upstreamUnavailable: boolean;
  /** A set of scores is behind this answer: an empty list then means that nothing matches. */
  available: boolean;
}

/** The tariffs on record. */
export interface GetTariffTrendsResponse {
  /** One row a year, ascending. */
  datapoints: TariffDatapoint[];
  /** When the rows were last read from the source, ISO 8601 in UTC; empty when none is served. */
  fetchedAt: string;
  /** True when the data is missing through a failure, so that asking later may help; such an answer is never cached. */
  upstreamUnavailable: boolean;
  /** The tariff really collected; for the United States (`840`) only, beside rows, and absent when it is not known. */
  effectiveTariffRate?: EffectiveTariffRate;
  /** Why there are no rows; `UNSPECIFIED` when there are. */
  unavailableReason: GetTariffTrendsResponseUnavailableReason;
  /** First year listed; 0 when none is. */
  coverageStartYear: number;
  /** Last year listed; 0 when none is. */
  coverageEndYear: number;
}

/** The trade on record. */
export interface GetTradeFlowsResponse {
  /** One row a year, ascending. */
  flows: TradeFlow[];
  /** When the rows were last read from the source, ISO 8601 in UTC; empty when none is served. */
  fetchedAt: string;
  /** True when the data is missing through a failure, so that asking later may help; such an answer is never cached. */
  upstreamUnavailable: boolean;
  /** Why there are no rows; `UNSPECIFIED` when there are. */
  unavailableReason: GetTradeFlowsResponseUnavailableReason;
  /** First year listed; 0 when none is. */
  coverageStartYear: number;
  /** Last year listed; 0 when none is. */
  coverageEndYear: number;
}

/** The key, shown this once. */
export interface CreateApiKeyResponse {
  /** The key itself: `ids_` and 40 hexadecimal digits. */
  secret: string;
  /** What is kept of it. */
  key?: ApiKey;
}

/** What the key is for. */
export interface CreateApiKeyRequest {
  /** Name by which people tell it from others, 1 to 100 characters. */
  name: string;
  /** Rights beside the generic reads: `keys:read`, `keys:write`, and those that the account was given. */
  scopes?: string[] | undefined;
  /** End of the key, Unix epoch milliseconds, in the future and not after the end of the key that asks; absent means that key's end, or none. */
  expiresAt?: number | undefined;
  /** Account, for the operator; absent means the caller's own. */
  account?: string | undefined;
}

/** The new key, shown this once, and the old one. */
export interface RotateApiKeyResponse {
  /** The new key itself. */
  secret: string;
  /** What is kept of the new key. */
  key?: ApiKey;
  /** The old key; its `expiresAt` is the end of the overlap. */
  replaced?: ApiKey;
}

/** Which key, and for how long the old one goes on. */
export interface RotateApiKeyRequest {
  /** Id of the key, such as `key_…`. */
  keyId: string;
  /** How long the old key goes on, in seconds, 0 to 2,592,000 (30 days); absent means 86,400 (a day). */
  overlapSeconds?: number | undefined;
}

/** The key that was ended. */
export interface RevokeApiKeyResponse {
  /** Its `revokedAt` is set. */
  key?: ApiKey;
}

/** Which key. */
export interface RevokeApiKeyRequest {
  /** Id of the key, such as `key_…`. */
  keyId: string;
}

/** The account as it was opened. */
export interface CreateAccountResponse {
  /** The new account. */
  account?: Account;
}

/** A new account. */
export interface CreateAccountRequest {
  /** Id: letters, digits, `-`, `_` and `.`, at most 64 characters; it begins with a letter or a digit. */
  id: string;
  /** Name for people; absent means the id. */
  name?: string | undefined;
  /** Plan of its first subscription; absent means none, which is as good as `free`. */
  plan?: string | undefined;
  /** The billing provider's id of this customer; absent means none. */
  billingCustomer?: string | undefined;
}

/** The account as it now stands. */
export interface SetSubscriptionResponse {
  /** The account. */
  account?: Account;
}

/** The subscription that the operator gives. */
export interface SetSubscriptionRequest {
  /** The account. */
  account: string;
  /** Plan; any but the operator's. */
  plan: string;
  /** End of the paid period, Unix epoch milliseconds; absent means no end. */
  validUntil?: number | undefined;
  /** True ends the subscription at once. */
  ended?: boolean | undefined;
}

/** The account as it now stands. */
export interface SetScopesResponse {
  /** The account. */
  account?: Account;
}

/** The scopes of an account. */
export interface SetScopesRequest {
  /** The account. */
  account: string;
  /** Every scope its keys may carry beside `keys:read` and `keys:write`, such as `company_monitoring:read`; empty takes all of them away. */
  scopes?: string[] | undefined;
}

/** What became of each company. */
export interface ImportCompaniesResponse {
  /** In the order of the request. */
  companies: ImportedCompany[];
}

/** Companies to add or to change. */
export interface ImportCompaniesRequest {
  /** Version of this contract: `cm-import-v1`. */
  contractVersion: string;
  /** 1 to 100 companies, each named once. */
  companies: CompanyImport[];
}

/** The impact as it was admitted. */
export interface AdmitImpactResponse {
  /** Its first revision. */
  impact?: CompanyEventImpact;
}

/** An impact to admit. */
export interface AdmitImpactRequest {
  /** Account that watches the company. */
  account: string;
  /** The company. */
  companyId: string;
  /** The event: `cm_event_` and a ULID; absent means an event of its own. */
  eventId?: string | undefined;
  /** Revision of the event that was assessed; absent means 1. */
  eventRevision?: number | undefined;
  /** What the event means for the company. */
  assessment: ImpactAssessment;
}

/** The impact as it was corrected. */
export interface CorrectImpactResponse {
  /** Its newest revision. */
  impact?: CompanyEventImpact;
}

/** An impact to correct. */
export interface CorrectImpactRequest {
  /** Account that the impact belongs to. */
  account: string;
  /** The impact. */
  impactId: string;
  /** Revision of the event that was assessed, not before the one that was; absent means the same. */
  eventRevision?: number | undefined;
  /** All of the new assessment. */
  assessment: ImpactAssessment;
}

/** The impact as it was taken back. */
export interface RetractImpactResponse {
  /** Its last revision. */
  impact?: CompanyEventImpact;
}

/** An impact to take back. */
export interface RetractImpactRequest {
  /** Account that the impact belongs to. */
  account: string;
  /** The impact. */
  impactId: string;
  /** Why, at most 2,048 bytes; absent keeps what was said before. */
  rationale?: string | undefined;
}

/** The job that was queued. */
export interface RunScenarioResponse {
  /** `scenario:`, 13 digits of Unix milliseconds and 32 hexadecimal digits. */
  jobId: string;
  /** Always `pending`. */
  status: string;
  /** Path and query of GetScenarioStatus for this job, relative to the service; the `Location` header is the same. */
  statusUrl: string;
}

/** Which scenario, for whom, and how bad. */
export interface RunScenarioRequest {
  /** Id of a template of ListScenarioTemplates. */
  scenarioId: string;
  /** ISO 3166-1 alpha-2 code of the one country to compute, in either case, or `XK`; empty means every country with exposure on record. */
  iso2?: string | undefined;
  /** Percent of the traffic that is lost, 0 to 100, in place of the template's. */
  disruptionPct?: number | undefined;
}

/** The webhook's id and its secret. */
export interface RegisterWebhookResponse {
  /** `wh_` and 24 hexadecimal digits. */
  subscriberId: string;
  /** `whsec_` and 32 bytes in base64; told here and never again. */
  secret: string;
}

/** Where to send what, and from which score on. */
export interface RegisterWebhookRequest {
  /** An https URL on a public address, of 8 to 2,048 characters; port 443 or one from 1024 on, no user name, no fragment. */
  callbackUrl: string;
  /** Chokepoints to be told of, such as `suez`; without any, all of them. */
  chokepointIds?: string[] | undefined;
  /** Disruption score, 0 to 100, from which on a chokepoint is told of; 50 when absent. */
  alertThreshold?: number | undefined;
}

/** The new secret. */
export interface RotateWebhookSecretResponse {
  /** The webhook's id. */
  subscriberId: string;
  /** `whsec_` and 32 bytes in base64; told here and never again. */
  secret: string;
  /** From when on it signs, ISO 8601 in UTC. */
  rotatedAt: string;
  /** Until when the one before signs as well, ISO 8601 in UTC. */
  earlierSecretUntil: string;
}

/** Which webhook. */
export interface RotateWebhookSecretRequest {
  /** Its id. */
  subscriberId: string;
}

/** That it is active. */
export interface ReactivateWebhookResponse {
  /** The webhook's id. */
  subscriberId: string;
  /** Always true. */
  active: boolean;
}

/** Which webhook. */
export interface ReactivateWebhookRequest {
  /** Its id. */
  subscriberId: string;
}

/** What is being sent. */
export interface TestWebhookResponse {
  /** Id of the delivery, which its `webhook-id` header will carry. */
  deliveryId: string;
}

/** Which webhook. */
export interface TestWebhookRequest {
  /** Its id. */
  subscriberId: string;
}

/** What is being sent. */
export interface ReplayWebhookDeliveryResponse {
  /** The same id. */
  deliveryId: string;
}

/** What to send again. */
export interface ReplayWebhookDeliveryRequest {
  /** The webhook's id. */
  subscriberId: string;
  /** Id of the delivery. */
  deliveryId: string;
}

/** Nothing to tell. */
export interface DeleteWebhookResponse {
}

/** Which webhook. */
export interface DeleteWebhookRequest {
  /** Its id. */
  subscriberId: string;
}

/** An account: what keys belong to, and what is counted and billed. */
export interface Account {
  /** Id. */
  id: string;
  /** Name for people. */
  name: string;
  /** Plan that counts now. */
  plan: string;
  /** Its tier: 0 free, 1 pro, 2 api, 3 enterprise. */
  tier: number;
  /** Scopes that its keys may carry. */
  scopes: string[];
  /** What it has paid for, or was given; empty means the free plan. */
  subscriptions: Subscription[];
  /** When it was opened, Unix epoch milliseconds. */
  createdAt: number;
}

/** What is kept of an API key; never the key itself. */
export interface ApiKey {
  /** Id, such as `key_…`. */
  id: string;
  /** Name by which people tell it from others. */
  name: string;
  /** The first nine characters. */
  prefix: string;
  /** Rights beside the generic reads. */
  scopes: string[];
  /** When it was made, Unix epoch milliseconds. */
  createdAt: number;
  /** When it was last used, Unix epoch milliseconds, to five minutes; absent means never. */
  lastUsedAt?: number;
  /** When it ends, Unix epoch milliseconds; absent means never. */
  expiresAt?: number;
  /** When it was revoked, Unix epoch milliseconds; absent while it was not. */
  revokedAt?: number;
  /** Account it belongs to. */
  account: string;
}

/** The calls of one operation on one day. */
export interface Usage {
  /** UTC day, `YYYY-MM-DD`. */
  day: string;
  /** Operation, such as `ListInternetOutages`. */
  operation: string;
  /** Calls that were let in. */
  calls: number;
}

/** A limit and what is left of it. */
export interface Limit {
  /** `per_minute` and `daily` of the plan, or the operation that has a limit of its own. */
  name: string;
  /** Requests allowed in a window; absent means any number. */
  limit?: number;
  /** Requests left in the window; absent where any number is allowed. */
  remaining?: number;
  /** Length of the window in seconds. */
  windowSeconds: number;
  /** End of the window, Unix epoch milliseconds; absent while none has begun. */
  resetAt?: number;
}

/** One write. */
export interface AuditEvent {
  /** Id; later events have greater ones. */
  id: string;
  /** When it began, Unix epoch milliseconds. */
  at: number;
  /** Account of the key that wrote; `stripe` for a billing event, `cli` for a command on the store itself. */
  actor: string;
  /** Id of that key; empty where no key was used. */
  keyId: string;
  /** Account that the write was about. */
  account: string;
  /** Operation, such as `CreateApiKey`. */
  operation: string;
  /** `ok`, or the name of the error. */
  outcome: string;
  /** Client address. */
  address: string;
  /** `X-Request-Id` of the request. */
  requestId: string;
  /** What was asked for, and what came of it (names that begin with `result.`). */
  details: AuditDetail[];
}

/** Where a list stands and how long it is. */
export interface Pagination {
  /** Cursor of the next page; empty when there is none. */
  nextCursor: string;
  /** How many items match in all; 0 also when the total is unknown. */
  totalCount: number;
}

/** An impact of an event on a company, in one of its revisions. */
export interface CompanyEventImpact {
  /** `cm_impact_` and a ULID. */
  impactId: string;
  /** 1 at first, one more with each correction and with the retraction. */
  impactRevision: number;
  /** False when the impact has a later revision than that of the snapshot; ListCompanyEventChanges has it. */
  isCurrent: boolean;
  /** `cm_event_` and a ULID. */
  eventId: string;
  /** Revision of the event that was assessed, from 1. */
  eventRevision: number;
  /** `cm_company_` and a ULID. */
  companyId: string;
  /** Whether it is good or bad for the company. */
  direction: MaterialImpactDirection;
  /** Where the impact stands. */
  lifecycle: MaterialImpactLifecycle;
  /** By which ways it reaches the company; 1 or 2. */
  channels: MaterialImpactChannel[];
  /** How much it matters. */
  magnitude: MaterialImpactMagnitude;
  /** How sure it is. */
  confidence?: ImpactConfidence;
  /** Why, for people; at most 2,048 bytes. */
  rationale: string;
  /** When the event happened, RFC 3339 in UTC. */
  occurredAt: string;
  /** When this revision was made, RFC 3339 in UTC. */
  changedAt: string;
  /** Page that tells of the event best; empty when there is none. */
  canonicalUrl: string;
  /** References kept, 0 to 20: those of `evidence`. */
  evidenceReferenceCount: number;
  /** References there were in all. */
  evidenceTotalCount: number;
  /** Whether there were more than are kept. */
  evidenceTruncated: boolean;
  /** The references kept, best tier first. */
  evidence: EvidenceReference[];
}

/** The generation of an account that a page was cut from. */
export interface MonitoringSnapshot {
  /** When the first page was read, RFC 3339 in UTC. */
  snapshotAsOf: string;
  /** Number of the generation: 0 before the first import or impact, one more with each call that may change either. */
  snapshotGeneration: string;
  /** `cursor` with which ListCompanyEventChanges tells what changed after this generation, for 24 hours and with the same filters; empty where there is nothing to go on from. */
  pollCursor: string;
}

/** A company that an account watches. */
export interface MonitoredCompany {
  /** `cm_company_` and a ULID. */
  companyId: string;
  /** 1 at first, one more with each change. */
  companyRevision: number;
  /** Name. */
  name: string;
  /** `US` or `GB`. */
  domicile: string;
  /** Ticker symbol; empty when not listed. */
  ticker: string;
  /** Legal Entity Identifier (ISO 17442); empty when unknown. */
  lei: string;
  /** Host name of its website; empty when unknown. */
  domain: string;
  /** Whether impacts on it are admitted: only while it is active. */
  state: MonitoredCompanyState;
  /** When it was first imported, RFC 3339 in UTC. */
  createdAt: string;
  /** When this revision was made, RFC 3339 in UTC. */
  changedAt: string;
}

/** One event of armed conflict or political violence. */
export interface ConflictEvent {
  /** `acled-` or `ucdp-` and the source's own stable id. */
  id: string;
  /** The source's own class, such as `Battles` or `State-based conflict`. */
  eventType: string;
  /** ISO 3166-1 alpha-2 code; empty where the source's country has none. */
  country: string;
  /** Where it happened. */
  location?: GeoCoordinates;
  /** Midnight UTC of the day, Unix epoch milliseconds. */
  occurredAt: number;
  /** Reported deaths, the source's best estimate; 0 where none are reported. */
  fatalities: number;
  /** The parties, as the source names them. */
  actors: string[];
  /** Who reported it. */
  source: string;
  /** First-level administrative area. */
  admin1: string;
}

/** One procurement notice. */
export interface Tender {
  /** Source and its id of the notice, joined by a colon; stable. */
  id: string;
  /** Name of the source, such as `ted`. */
  source: string;
  /** The source's id of the notice. */
  sourceNoticeId: string;
  /** The notice's page, on a host of the source's. */
  officialUrl: string;
  /** ISO 3166-1 alpha-2 code; empty when unknown. */
  countryCode: string;
  /** `North America`, `Europe`, `Oceania` or `Multilateral`. */
  region: string;
  /** In English where the source has it, else in any of its languages. */
  title: string;
  /** Plain text; empty when absent. */
  description: string;
  /** Who buys; empty when absent. */
  buyer: string;
  /** ISO 8601 in UTC; empty when absent. */
  publishedAt: string;
  /** ISO 8601 in UTC; empty when absent. */
  updatedAt: string;
  /** ISO 8601 in UTC; a deadline that names a day alone is the end of that day where the source is. */
  deadline: string;
  /** The source's word in lower case; `open` where it has none. */
  status: string;
  /** The source's word; empty when absent. */
  noticeType: string;
  /** Absent when neither amount nor currency is stated. */
  money?: TenderMoney;
  /** NAICS, CPV, UNSPSC or the source's own codes. */
  categoryCodes: string[];
  /** Words or codes of the main category. */
  sectors: string[];
  /** Always empty: no source tells them in a form that could be relied on. */
  eligibilityRequirements: string[];
  /** Always empty, for the same reason. */
  submissionUrls: string[];
  /** Always `unknown`. */
  participationMode: string;
  /** How well the words of the notice fit automation; says nothing about who may bid. */
  automationFit?: AutomationFit;
}

/** How one source of the feed stands. */
export interface TenderSourceStatus {
  /** Name of the source. */
  source: string;
  /** `ok`: its last refresh succeeded. */
  state: string;
  /** Open notices of it in the feed: as of its last refresh, or as of now once the feed is stale. */
  recordCount: number;
  /** When it was last tried, ISO 8601 in UTC; empty when never. */
  fetchedAt: string;
  /** When it was last read with success; empty when never. */
  lastSuccessfulAt: string;
  /** Whether its notices are older than they should be. */
  stale: boolean;
  /** Present and true when the last refresh of the feed left it out, because it may be asked a few times a day only. */
  paced?: boolean;
  /** Why it failed, at most 200 characters; absent when it did not. */
  error?: string;
}

/** The EU's gas stores on one gas day, 06:00 to 06:00 Central European Time. */
export interface EuGasStorageDay {
  /** The day it begins on, YYYY-MM-DD. */
  date: string;
  /** How full the stores were, percent of the working volume, 2 decimals. */
  fillPct: number;
  /** Gas in the stores, terawatt-hours, 1 decimal. */
  gasTwh: number;
}

/** One measure of one country. */
export interface EnergyCrisisPolicy {
  /** English short name of the country. */
  country: string;
  /** Its ISO 3166-1 alpha-2 code. */
  countryCode: string;
  /** `conservation`: saves energy; `consumer_support`: relieves consumers. */
  category: string;
  /** Where it applies. */
  sector: string;
  /** What it is. */
  measure: string;
  /** The day it was announced or enacted, YYYY-MM-DD. */
  dateAnnounced: string;
  /** Whether it holds now: `active`, `planned` or `ended`. */
  status: string;
  /** Who announced, enacted or reported it. */
  source: string;
  /** The source's site; empty where none is given. */
  sourceUrl: string;
  /** The day this row was last checked, YYYY-MM-DD. */
  reviewedOn: string;
}

/** What a labour series measures, and its values. */
export interface LaborStatsSeries {
  /** The id that was asked for. */
  seriesId: string;
  /** Its name. */
  title: string;
  /** What its values count. */
  units: string;
  /** Oldest first; a period that the source has no value for is left out. */
  observations: LaborStatsObservation[];
}

/** One series of the index. */
export interface EconomicStressComponent {
  /** `T10Y2Y`, `T10Y3M`, `VIXCLS`, `STLFSI4`, `GSCPI` or `ICSA`, as their publishers name them. */
  id: string;
  /** What it stands for. */
  label: string;
  /** Latest value in the series' own unit: percentage points (`T10Y2Y`, `T10Y3M`), index points (`VIXCLS`, `STLFSI4`), standard deviations (`GSCPI`) or persons (`ICSA`); 0 when missing. */
  rawValue: number;
  /** 0 to 100 on the straight line between the calm and the extreme value, not rounded; 0 when missing. */
  score: number;
  /** Its share of the composite while all six are there; the six sum to 1. */
  weight: number;
  /** Whether it has no value that may be served. */
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
  /** Trade and the current account in money. */
  external?: ExternalFigures;
}

/** The one indicator of this answer. */
export interface EuHousingCycleData {
  /** Prices of all dwellings that households buy, annual average, 2015 = 100. */
  "house-prices"?: EuIndicator;
}

/** The one indicator of this answer. */
export interface EuQuarterlyGovDebtData {
  /** Gross debt of the general government at the end of the quarter, percent of GDP. */
  "gov-debt-q"?: EuIndicator;
}

/** The one indicator of this answer. */
export interface EuIndustrialProductionData {
  /** Volume of production of industry without construction (NACE B to D), adjusted for seasons and working days, 2021 = 100. */
  "industrial-production"?: EuIndicator;
}

/** One outage in one country. */
export interface InternetOutage {
  /** `cf-` and the upstream's id; a second and later country of the same outage adds `-` and its code in lower case. */
  id: string;
  /** What is out and where, such as `Homs Governorate outage in Syria`. */
  title: string;
  /** Address of the report; the outage centre's page where the upstream names none. */
  link: string;
  /** The upstream's words; empty when it gives none. */
  description: string;
  /** Detection, Unix epoch milliseconds. */
  detectedAt: number;
  /** ISO 3166-1 alpha-2 code. */
  country: string;
  /** Region within the country, for regional outages; else empty. */
  region: string;
  /** A point within the country, for drawing; absent where the country's position is not known. */
  location?: GeoCoordinates;
  /** How much of the country is out. */
  severity: OutageSeverity;
  /** Source, cause, type and the first two networks concerned, as words. */
  categories: string[];
  /** The upstream's cause code, such as `POWER_OUTAGE`; empty while undetermined. */
  cause: string;
  /** The upstream's type code: `NATIONWIDE`, `REGIONAL`, `NETWORK` or another. */
  outageType: string;
  /** End, Unix epoch milliseconds; 0 while ongoing. */
  endedAt: number;
}

/** Who a company is. */
export interface CompanyIdentity {
  /** Its name at the SEC; of one that was not found, the name that was asked for. */
  name: string;
  /** Host of its website without `www.`; empty when not known. */
  domain: string;
  /** What it does, by its standard industrial classification. */
  description: string;
  /** City and state or country of its business address. */
  location: string;
  /** http(s) address; empty when not known. */
  website: string;
  /** Year of its foundation. */
  founded: number;
  /** Central Index Key of the SEC, ten digits; empty when it was not found. */
  cik: string;
  /** Its ticker in the register; of one that was not found, the ticker that was asked for. */
  ticker: string;
}

/** A technology a company uses. */
export interface CompanyTechnology {
  /** Its name. */
  name: string;
  /** Its kind. */
  category: string;
  /** How sure that is, 0 to 1. */
  confidence: number;
}

/** A story on Hacker News. */
export interface HackerNewsMention {
  /** Its title. */
  title: string;
  /** What it links to; its own page where it links to nothing. */
  url: string;
  /** Votes. */
  points: number;
  /** Comments. */
  comments: number;
  /** When it was posted, Unix epoch milliseconds. */
  createdAtMs: number;
}

/** Filings with the SEC. */
export interface SecFilings {
  /** Filings of every form in EDGAR's recent window: the last year, or the last 1,000 where those reach back further. */
  totalFilings: number;
  /** Up to 15 newest ones of the forms 10-K, 10-Q, 8-K, 20-F, 6-K, 40-F, S-1, DEF 14A and their amendments, newest first. */
  recentFilings: SecFiling[];
}

/** The market profile, by Finnhub. */
export interface MarketProfile {
  /** Where it is listed. */
  exchange: string;
  /** Its industry, in Finnhub's words. */
  industry: string;
  /** Market capitalisation, millions of US dollars; absent when it is not told in dollars. */
  marketCapMusd?: number;
  /** The day it went public, YYYY-MM-DD; empty when not known. */
  ipoDate: string;
  /** http(s) address of its logo; empty when there is none. */
  logoUrl: string;
  /** ISO 3166-1 alpha-2 code of its country; empty when not known. */
  country: string;
  /** ISO 4217 code of the currency it reports in. */
  currency: string;
}

/** A quarter's earnings against what was expected, by Finnhub. */
export interface EarningsSurprise {
  /** Last day of the quarter, YYYY-MM-DD. */
  period: string;
  /** Earnings per share. */
  actualEps: number;
  /** What analysts expected. */
  estimateEps: number;
  /** Actual less estimate. */
  surprise: number;
  /** The same in percent of the estimate; 0 where that is 0. */
  surprisePercent: number;
  /** Fiscal year. */
  year: number;
  /** Fiscal quarter, 1 to 4. */
  quarter: number;
}

/** An item of a press feed. */
export interface NewsMention {
  /** Its title. */
  title: string;
  /** Its page. */
  url: string;
  /** Whose feed it is from. */
  source: string;
  /** When it was published, Unix epoch milliseconds. */
  publishedAtMs: number;
}

/** One value of one UTC day. */
export interface TopicPoint {
  /** The UTC day, YYYY-MM-DD. */
  date: string;
  /** The measured value; 0 is one. */
  value: number;
}

/** Composite instability of one country. */
export interface CiiScore {
  /** ISO 3166-1 alpha-2 code. */
  region: string;
  /** The methodology's constant for the country, 0 to 100. */
  staticBaseline: number;
  /** `combinedScore` minus that of 24 hours earlier, -100 to 100, one decimal: positive is rising risk. */
  dynamicScore: number;
  /** The score, a whole number from 0 (stable) to 100. */
  combinedScore: number;
  /** Direction of `dynamicScore`: rising above 1, falling below -1. */
  trend: TrendDirection;
  /** What the event part of the score is made from. */
  components?: CiiComponents;
  /** When the score was computed, Unix epoch milliseconds. */
  computedAt: number;
  /** Version of the methodology, `v8`. */
  methodologyVersion: string;
  /** The methodology's constant by which the country's events are multiplied, 0 to 10. */
  eventMultiplier: number;
  /** `do-not-travel`, `reconsider` or `caution`; empty for none of them. */
  advisoryLevel: string;
  /** Where the advisory level comes from: `live` (the State Department), `fallback` (the methodology's fixed list) or `absent` (neither names the country). */
  advisoryProvenance: string;
}

/** Risk of the world as a whole. */
export interface StrategicRisk {
  /** `global`. */
  region: string;
  /** High from 70 on, medium from 40 on, else low. */
  level: SeverityLevel;
  /** Weighted mean of the five highest scores (weights 1, 0.85, 0.7, 0.55, 0.4), times 0.7, plus 15; rounded, at most 100. */
  score: number;
  /** Codes of these five countries, highest first. */
  factors: string[];
  /** Always stable. */
  trend: TrendDirection;
}

/** One of the four components. */
export interface RiskComponent {
  /** `unrest`, `conflict`, `security` or `information`. */
  name: string;
  /** Share among the components. */
  weight: number;
  /** Whole number from 0 to 100. */
  score: number;
  /** What it is the sum of. */
  terms: RiskTerm[];
}

/** One term of the formula. */
export interface RiskTerm {
  /** What it measures, such as `protests`. */
  name: string;
  /** The formula of its points; `m` is the event multiplier, `n` the first input. */
  formula: string;
  /** What the formula is applied to. */
  inputs: RiskInput[];
  /** Points before the cap. */
  points: number;
  /** The most that counts. */
  cap: number;
}

/** A score below which a country cannot be while a condition holds. */
export interface RiskFloor {
  /** `war`, `minor conflict`, `do-not-travel` or `reconsider`. */
  name: string;
  /** The condition in words. */
  condition: string;
  /** The lowest score. */
  score: number;
  /** Whether the condition holds. */
  holds: boolean;
  /** What the condition is about. */
  inputs: RiskInput[];
}

/** An earlier score. */
export interface RiskSnapshot {
  /** Beginning of the ten minutes it was computed in, Unix epoch milliseconds. */
  at: number;
  /** The score. */
  combinedScore: number;
}

/** What one metal costs in Shanghai over its future. */
export interface PhysicalPremium {
  /** `gold` or `silver`. */
  metal: string;
  /** The benchmark price of the Shanghai Gold Exchange. */
  physical?: PriceLeg;
  /** The price of the COMEX future. */
  paper?: PriceLeg;
  /** Physical less paper, US dollars per troy ounce, 4 decimals; below 0 where Shanghai is cheaper. */
  premiumUsdPerOz: number;
  /** The same as a percentage of paper, 4 decimals. */
  premiumPct: number;
  /** When it was computed, ISO 8601 in UTC. */
  computedAt: string;
}

/** The exchange rate behind the premiums. */
export interface PremiumExchangeRate {
  /** Always `CNY/USD`. */
  pair: string;
  /** US dollars per yuan, 8 significant digits. */
  rate: number;
  /** Whose rate it is. */
  source: string;
  /** 14:15 UTC of the rates' day, ISO 8601. */
  asOf: string;
}

/** How unusual the premium of one metal is. */
export interface PhysicalDivergenceReading {
  /** `gold` or `silver`. */
  metal: string;
  /** To be read first: only `OK` carries an index. */
  state: PhysicalDivergenceState;
  /** Why it is not `OK`, such as `paper_snapshot_older_than_36_hours`; empty when it is. */
  reason: string;
  /** Band of the premium; unspecified unless `OK`. */
  regime: PhysicalPremiumRegime;
  /** 0 to 100, 2 decimals; absent unless `OK`. */
  index?: number;
  /** As GetPhysicalPremiums has it; absent when it is not known. */
  premiumPct?: number;
  /** As GetPhysicalPremiums has it; absent when it is not known. */
  premiumUsdPerOz?: number;
  /** Share of the window's premiums that are not above the current one, 0 to 100, 2 decimals; absent unless `OK`. */
  percentile?: number;
  /** Distance from the window's median in median absolute deviations, scaled by 0.67448975, 6 decimals. */
  robustZ?: number;
  /** Current `premiumPct` less the one 5 prints before, in percentage points, 4 decimals; absent unless `OK`. */
  delta5d?: number;
  /** The same over 20 prints. */
  delta20d?: number;
  /** Direction of `delta5d`: within 0.01 either way it is stable. */
  trend5d: PhysicalPremiumTrend;
  /** Direction of `delta20d`. */
  trend20d: PhysicalPremiumTrend;
  /** Valid premiums in the window, the current one among them, 0 to 250. */
  historyPoints: number;
  /** Day of the window's oldest print, YYYY-MM-DD; empty unless `OK`. */
  historyWindowStart: string;
  /** Day of the window's newest print, YYYY-MM-DD; empty unless `OK`. */
  historyWindowEnd: string;
  /** Day of the current print in Shanghai, YYYY-MM-DD; empty when unknown. */
  physicalAsOf: string;
  /** Instant of the future's price, Unix epoch milliseconds; 0 when unknown. */
  paperAsOf: number;
  /** Name of the series that the window is cut from. */
  historyKey: string;
  /** Name of the rules. */
  methodologyVersion: string;
  /** What the premium was made from; absent when nothing is stored. */
  provenance?: PhysicalDivergenceProvenance;
}

/** Both metals in one number. */
export interface PhysicalDivergenceComposite {
  /** `OK` when both metals are, else the state of the worse one. */
  state: PhysicalDivergenceState;
  /** Empty when `OK`; else `member_not_ok`, the metal and its state joined by colons, such as `member_not_ok:gold:stale_input`, or the reason why there was nothing to evaluate. */
  reason: string;
  /** Weighted mean of the metals' indices, 0 to 100, 2 decimals; absent unless `OK`. */
  index?: number;
  /** What each metal counts for. */
  weights: PhysicalDivergenceWeight[];
  /** Name of the rules. */
  methodologyVersion: string;
}

/** The quotes on record. */
export interface MarketData {
  /** Shares first, then metals, gold before silver; always in the same order. */
  quotes: MarketQuote[];
}

/** One base. */
export interface MilitaryBase {
  /** `mirta:…`, an OpenStreetMap id such as `way/4711`, or a curated slug. */
  id: string;
  /** Name, without markup. */
  name: string;
  /** Decimal degrees north. */
  latitude: number;
  /** Decimal degrees east. */
  longitude: number;
  /** One of the kinds that the filter takes. */
  kind: string;
  /** Host country, ISO 3166-1 alpha-2; empty on the open sea and in Antarctica. */
  countryIso2: string;
  /** Operating power, one of the types that the filter takes. */
  type: string;
  /** 1 shown at every zoom, 2 from zoom 5, 3 from zoom 8. */
  tier: number;
  /** Has an air force part. */
  catAirforce: boolean;
  /** Has a naval part. */
  catNaval: boolean;
  /** Has a nuclear part. */
  catNuclear: boolean;
  /** Has a space part. */
  catSpace: boolean;
  /** Is for training. */
  catTraining: boolean;
  /** Branch of service, such as `Army`; empty when unknown. */
  branch: string;
  /** `active`, `planned`, `controversial`, `closed`, `caretaker`, `excess` or `semi-active`; empty when unknown. */
  status: string;
}

/** Bases of one grid cell. */
export interface MilitaryBaseCluster {
  /** Mean latitude of the members, decimal degrees. */
  latitude: number;
  /** Mean longitude of the members, decimal degrees. */
  longitude: number;
  /** How many members, 2 or more. */
  count: number;
  /** Most frequent `type` of the members; of equals the first in the alphabet. */
  dominantType: string;
  /** Zoom at which the cluster breaks up. */
  expansionZoom: number;
}

/** The last signal of an aircraft, and what is known of its flight. */
export interface LiveFlight {
  /** ICAO 24-bit address, lower case. */
  icao24: string;
  /** Callsign as sent, such as `RYR12AB`. */
  callsign: string;
  /** Decimal degrees north. */
  lat: number;
  /** Decimal degrees east. */
  lon: number;
  /** Barometric altitude in feet; 0 on the ground. */
  altitude: number;
  /** Speed over ground in knots. */
  speed: number;
  /** Track over ground in degrees from true north, clockwise. */
  heading: number;
  /** Feet a minute, up is positive. */
  verticalRate: number;
  /** Registration, such as `EI-DCL`. */
  registration: string;
  /** ICAO type designator, such as `B738`. */
  model: string;
  /** Owner or operator of the aircraft. */
  operator: string;
  /** Whether it says that it is on the ground. */
  onGround: boolean;
  /** When its position was received, or where there is none any signal, Unix epoch seconds. */
  lastSeen: string;
  /** Airport of departure, IATA code. */
  depIata: string;
  /** Airport of arrival, IATA code. */
  arrIata: string;
  /** Scheduled departure, ISO 8601 in UTC. */
  depTimeUtc: string;
  /** Scheduled arrival, ISO 8601 in UTC. */
  arrTimeUtc: string;
  /** Estimated or actual departure, ISO 8601 in UTC. */
  depEstimatedUtc: string;
  /** Estimated or actual arrival, ISO 8601 in UTC. */
  arrEstimatedUtc: string;
  /** Delay of the departure in minutes; early is negative. */
  depDelayedMin: number;
  /** Delay of the arrival in minutes; early is negative. */
  arrDelayedMin: number;
  /** The schedule's word, such as `scheduled`, `en-route` or `landed`. */
  flightStatus: string;
  /** Scheduled duration in minutes. */
  flightDurationMin: number;
  /** Terminal of arrival. */
  arrTerminal: string;
  /** Picture of the aircraft. */
  photoUrl: string;
  /** Page of the picture. */
  photoLink: string;
  /** Who took it. */
  photoCredit: string;
  /** The callsign with the airline's IATA code, such as `FR12AB`; empty when the airline is not in our table. */
  callsignIata: string;
  /** Airline of the callsign's prefix; empty when it is not in our table. */
  airlineName: string;
  /** Who received the signal: `adsb` (adsb.lol, ODbL 1.0) or `opensky` (The OpenSky Network). */
  provider: string;
  /** Those of `position`, `altitude`, `speed`, `heading` and `verticalRate` that the signal does not tell: their 0 is no value. */
  missing: string[];
}

/** The latest value of an indicator and the one before it. */
export interface DefenseIndicator {
  /** Whether there is a value: 0 with it is measured, without it means nothing. */
  available: boolean;
  /** Latest value. */
  value: number;
  /** Its year; 0 without one. */
  year: number;
  /** The value before it; means nothing where `previous_year` is 0. */
  previousValue: number;
  /** Year of the value before; 0 without one. */
  previousYear: number;
  /** The World Bank's indicator, such as `World Bank MS.MIL.XPND.GD.ZS`; empty without a value. */
  source: string;
}

/** One country that delivered arms. */
export interface ArmsSupplier {
  /** ISO 3166-1 alpha-2 code. */
  supplierIso2: string;
  /** Its share of all deliveries of the window, 0 to 1. */
  tivShare: number;
}

/** One event. */
export interface TechEvent {
  /** The source's id, a hash of title and first day where it gives none, or a curated slug. */
  id: string;
  /** Name, as the source writes it. */
  title: string;
  /** `conference`, `earnings`, `ipo` or `other`. */
  type: string;
  /** The place in the source's words; empty when it names none. */
  location: string;
  /** The place on the map; absent when it is not known. */
  coords?: TechEventCoordinates;
  /** First day, YYYY-MM-DD. */
  startDate: string;
  /** Last day, YYYY-MM-DD; the first one for an event of one day. */
  endDate: string;
  /** The event's page; empty when the source names none. */
  url: string;
  /** `techmeme`, `dev.events` or `curated`. */
  source: string;
  /** What it is about; empty but for curated events. */
  description: string;
}

/** One of the six domains. */
export interface ResilienceDomain {
  /** `economic`, `infrastructure`, `energy`, `social-governance`, `health-food` or `recovery`. */
  id: string;
  /** 0 to 100, two decimals: mean of its dimensions by coverage and weight, wholly imputed ones by half. */
  score: number;
  /** Its share in its pillar, and among all domains. */
  weight: number;
  /** In fixed order, retired ones included. */
  dimensions: ResilienceDimension[];
}

/** The 5th and the 95th percentile of 100 draws that are the same for a country at every time. */
export interface ScoreInterval {
  /** One decimal. */
  p05: number;
  /** One decimal. */
  p95: number;
}

/** One of the three pillars. */
export interface ResiliencePillar {
  /** `structural-readiness`, `live-shock-exposure` or `recovery-capacity`. */
  id: string;
  /** 0 to 100, two decimals: mean of its domains by weight and coverage. */
  score: number;
  /** Its share in the score. */
  weight: number;
  /** Mean coverage of its domains, 0 to 1, four decimals. */
  coverage: number;
  /** Its domains, as in `domains` of the answer. */
  domains: ResilienceDomain[];
}

/** A country in the ranking. */
export interface RankedCountry {
  /** ISO 3166-1 alpha-2 code. */
  countryCode: string;
  /** As in GetResilienceScore; -1 where the country is not scored. */
  overallScore: number;
  /** As in GetResilienceScore. */
  level: string;
  /** As in GetResilienceScore. */
  lowConfidence: boolean;
  /** Mean coverage of the dimensions, less what is old; 0 to 1. */
  overallCoverage: number;
  /** Its score lies within an interval of no more than 8 points. */
  rankStable: boolean;
  /** As in GetResilienceScore. */
  headlineEligible: boolean;
}

/** One of the three pillars. */
export interface ExplainedPillar {
  /** As in GetResilienceScore. */
  id: string;
  /** Not rounded. */
  score: number;
  /** Its share in the score. */
  weight: number;
  /** Mean coverage of its domains, not rounded. */
  coverage: number;
  /** Its domains. */
  domains: ExplainedDomain[];
}

/** Something that is switched on or off. */
export interface RuntimeFlag {
  /** `schema-v2`, `pillar-combine`, `energy-v2` or `financial-system-exposure`. */
  name: string;
  /** Whether it is on. */
  enabled: boolean;
}

/** Where scores are kept: tables of the store and keys in them. */
export interface RuntimeCache {
  /** Scores: the type of the message that holds them. */
  scorePrefix: string;
  /** The ranking: a member of the same message, so that both are always of one computation. */
  rankingKey: string;
  /** Daily scores: the table and the method in it. */
  historyPrefix: string;
  /** Intervals: a member of each score. */
  intervalPrefix: string;
  /** How intervals are made. */
  intervalMethodology: string;
}

/** The ranking that is served. */
export interface RankingState {
  /** When it was computed, ISO 8601 in UTC; empty where it never was. */
  fetchedAt: string;
  /** Countries that are ranked. */
  count: number;
  /** Countries with a score. */
  scored: number;
  /** Countries of the ranking. */
  total: number;
}

/** Whether scores come with intervals. */
export interface IntervalState {
  /** The sample country's score has one. */
  available: boolean;
  /** How they are made. */
  methodology: string;
  /** The country that is looked at, ISO 3166-1 alpha-2. */
  sampleCountry: string;
  /** When they were computed, ISO 8601 in UTC; empty where there are none. */
  lastObservedAt: string;
}

/** One scenario: what is disturbed, how much, and what that costs. */
export interface ScenarioTemplate {
  /** Names the scenario in RunScenario. */
  id: string;
  /** Its name, for people. */
  name: string;
  /** Chokepoints that are disturbed, such as `suez`; none for a tariff. */
  affectedChokepointIds: string[];
  /** Share of the traffic that is lost, percent; 0 for a tariff. */
  disruptionPct: number;
  /** How long it is taken to last, in days. */
  durationDays: number;
  /** Chapters of the Harmonized System whose imports suffer, two digits each; none means every watched chapter. */
  affectedHs2: string[];
  /** What remains gets dearer by this factor. */
  costShockMultiplier: number;
  /** What is supposed to happen, in a sentence. */
  description: string;
  /** What kind of cause it has: `conflict`, `weather`, `sanctions`, `tariff_shock`, `infrastructure` or `pandemic`. */
  type: string;
}

/** What a scenario does to whom. */
export interface ScenarioResult {
  /** The disturbed chokepoints; none for a tariff. */
  affectedChokepointIds: string[];
  /** Up to 20 countries with an impact, worst first, ties by code. */
  topImpactCountries: CountryImpact[];
  /** What it was computed with. */
  template?: ScenarioParameters;
  /** Id of the template. */
  scenarioId: string;
  /** The one country that was asked for; empty for all. */
  scopedIso2: string;
  /** When it was computed, ISO 8601 in UTC. */
  computedAt: string;
  /** How much of what was wanted there was. */
  coverage?: ScenarioCoverage;
  /** How the disturbed chokepoints stood when it was computed, for comparison; it does not enter the impact. */
  currentDisruptionScores: CurrentDisruption[];
}

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  /** `whd_` and 32 hexadecimal digits: the `webhook-id` header of every attempt. */
  deliveryId: string;
  /** `chokepoint.disruption`, `chokepoint.recovered` or `webhook.test`. */
  type: string;
  /** `pending` until it is through or given up; `delivered`; `failed` after the last attempt or a 410; `discarded` when the webhook was switched off before its turn. */
  state: string;
  /** When the event happened, ISO 8601 in UTC. */
  createdAt: string;
  /** When the next attempt is due, ISO 8601 in UTC; absent when there is none. */
  nextAttemptAt?: string;
  /** The latest 10 attempts, newest first. */
  attempts: WebhookAttempt[];
}

/** One chokepoint, and how much depends on it. */
export interface ChokepointExposure {
  /** Canonical id, such as `hormuz_strait`. */
  chokepointId: string;
  /** English name. */
  chokepointName: string;
  /** The sea on which the country trades, the same on every entry: `atlantic`, `pacific`, `indian`, `med`, `multi` or `landlocked`. */
  coastSide: string;
  /** 0 to 100, one decimal. */
  exposureScore: number;
  /** There is a model of what its closure does to energy supply. */
  shockSupported: boolean;
}

/** One imported heading. */
export interface ImportedProduct {
  /** Heading of the Harmonized System, four digits. */
  hs4: string;
  /** Label of the heading. */
  description: string;
  /** Imports of the year in US dollars, cost, insurance and freight included: the sum over all partners. */
  totalValue: number;
  /** Up to five partners, highest value first. */
  topExporters: Exporter[];
  /** Calendar year. */
  year: number;
}

/** How dangerous a passage is held to be, from a table kept by hand. */
export type WarRiskTier = "WAR_RISK_TIER_UNSPECIFIED" | "WAR_RISK_TIER_NORMAL" | "WAR_RISK_TIER_ELEVATED" | "WAR_RISK_TIER_HIGH" | "WAR_RISK_TIER_CRITICAL" | "WAR_RISK_TIER_WAR_ZONE";

/** One sector: a chapter of the Harmonized System. */
export interface SectorCostShock {
  /** Two digits. */
  hs2: string;
  /** Label of the chapter. */
  hs2Label: string;
  /** Imports of the watched headings of the chapter in a year, whole US dollars. */
  importValueAnnual: number;
  /** Freight surcharge of the best way round, as a fraction of the cargo's value: 0.05 is 5 %. */
  freightAddedPctPerTon: number;
  /** War-risk premium on the cargo's value, in basis points. */
  warRiskPremiumBps: number;
  /** Days of transit that the best way round adds. */
  addedTransitDays: number;
  /** Cost of a day, whole US dollars. */
  totalCostShockPerDay: number;
  /** Cost of 30 days, whole US dollars. */
  totalCostShock30Days: number;
  /** Cost of 90 days, whole US dollars. */
  totalCostShock90Days: number;
  /** Cost of the whole closure, whole US dollars. */
  totalCostShock: number;
  /** Days of closure that were counted with. */
  closureDays: number;
}

/** One carrier, or a fund of freight futures. */
export interface ShippingCarrier {
  /** `carrier` is a company that ships, `etf` a fund, `index` an index of freight rates. */
  carrierType: string;
  /** Name in English. */
  name: string;
  /** Last price, US dollars. */
  price: number;
  /** Change from the last daily close but one to the last, percent, two decimals. */
  changePct: number;
  /** Up to 30 daily closes, US dollars, oldest first. */
  sparkline: number[];
  /** Ticker, such as `ZIM`. */
  symbol: string;
  /** When the market last traded at `price`: ISO 8601 in UTC; empty where the source does not say. */
  asOf: string;
}

/** One mineral. */
export interface MineralCommodity {
  /** Such as `cobalt`. */
  commodityId: string;
  /** Name in English. */
  commodity: string;
  /** Newest year of its stages. */
  year: number;
  /** Unit of the mine stage, or of the only one, as published, such as `metric tons`. */
  unit: string;
  /** Whose figures there are: `usgs-mcs`, `bgs`. */
  sources: string[];
  /** Mining; absent where nothing is known of it. */
  mine?: MineralStage;
  /** Refining and smelting; absent where nothing is known of it. */
  refinery?: MineralStage;
}

/** What one country holds. */
export interface MineralCountry {
  /** ISO 3166-1 alpha-2 code. */
  iso2: string;
  /** By mineral, mines before refineries. */
  holdings: MineralHolding[];
}

/** How vulnerable one country is to a shortage of one commodity. */
export interface CommodityVulnerability {
  /** ISO 3166-1 alpha-2 code. */
  countryIso2: string;
  /** Name in English. */
  countryName: string;
  /** Such as `cobalt` or `crude_oil`. */
  commodityId: string;
  /** Name in English. */
  commodity: string;
  /** 0 to 100, two decimals, higher is more vulnerable; absent unless `state` is `ok`. */
  score?: number;
  /** Whether there is a score: a 0 with it is computed. */
  hasScore: boolean;
  /** `low` below 25, `moderate` below 50, `high` below 75, else `critical`; empty without a score. */
  band: string;
  /** `ok`; `insufficient_data` when an input is missing; `stale_input` when none is missing and one is too old. */
  state: string;
  /** Why there is no score: `missing_source_concentration`, `missing_transit_exposure`, `missing_transit_status` (ships at a chokepoint with a share are followed, and not known), `stale_source_concentration`, `stale_transit_exposure`, `stale_buffer`, `redistribution_blocked` (the only figures are not to be passed on). */
  reasons: string[];
  /** What the score does without or rests on: `buffer_unknown`, `source_` and the coverage of the source concentration, `transit_status_unknown`, `transit_status_uncovered`, `redistribution_blocked`. */
  coverage: string[];
  /** Methodology of the score. */
  methodologyVersion: string;
  /** What the score is made of. */
  components?: VulnerabilityComponents;
}

/** One country and commodity that depend on a chokepoint. */
export interface ChokepointDependency {
  /** ISO 3166-1 alpha-2 code. */
  countryIso2: string;
  /** Name in English. */
  countryName: string;
  /** Such as `crude_oil`. */
  commodityId: string;
  /** Name in English. */
  commodity: string;
  /** As in the country's vulnerabilities. */
  transitShare?: number;
  /** As in the country's vulnerabilities. */
  weightedTransitShare?: number;
  /** Of the country and commodity as a whole; absent unless `state` is `ok`. */
  score?: number;
  /** Whether there is a score. */
  hasScore: boolean;
  /** As in the country's vulnerabilities; empty without a score. */
  band: string;
  /** `ok`, `insufficient_data` or `stale_input`. */
  state: string;
  /** Why there is no score. */
  reasons: string[];
  /** Methodology of the score. */
  methodologyVersion: string;
}

/** The average tariff of one year. */
export interface TariffDatapoint {
  /** The WTO's name of the economy. */
  reportingCountry: string;
  /** Always `World`. */
  partnerCountry: string;
  /** Always `All products`. */
  productSector: string;
  /** Calendar year. */
  year: number;
  /** Simple average of the applied most-favoured-nation tariff, percent, two decimals; 0 is a measured zero. */
  tariffRate: number;
  /** Average bound tariff, percent, two decimals; left out where it is not measured, which is everywhere as yet. */
  boundRate?: number;
  /** The WTO's code of the series, `TP_A_0010`. */
  indicatorCode: string;
}

/** Customs duties collected as a share of the goods imported, in the latest quarter of which both are known. */
export interface EffectiveTariffRate {
  /** Who publishes the two series. */
  sourceName: string;
  /** Page of the series of customs duties. */
  sourceUrl: string;
  /** First day of the quarter, `YYYY-MM-DD`. */
  observationPeriod: string;
  /** When the two series were last read, ISO 8601 in UTC. */
  updatedAt: string;
  /** Duties (`B235RC1Q027SBEA`) by imports (`A255RC1Q027SBEA`), percent, two decimals. */
  tariffRate: number;
}

/** Why the list is as it is. */
export type GetTariffTrendsResponseUnavailableReason = "UNSPECIFIED" | "NOT_COVERED" | "SEED_MISSING" | "COVERAGE_UNKNOWN" | "CACHE_UNAVAILABLE" | "INVALID_REQUEST";

/** Merchandise trade of one year. */
export interface TradeFlow {
  /** The WTO's name of the economy. */
  reportingCountry: string;
  /** Always `World`. */
  partnerCountry: string;
  /** Calendar year. */
  year: number;
  /** Exports in millions of US dollars at current prices, two decimals; 0 is a measured zero. */
  exportValueUsd: number;
  /** Imports in millions of US dollars at current prices, two decimals; 0 is a measured zero. */
  importValueUsd: number;
  /** Change of exports from the calendar year before, percent, two decimals; left out where that year is not on record or was zero. */
  yoyExportChange?: number;
  /** Change of imports, like that of exports. */
  yoyImportChange?: number;
  /** Always `Total merchandise`. */
  productSector: string;
}

/** Why the list is as it is. */
export type GetTradeFlowsResponseUnavailableReason = "UNSPECIFIED" | "NOT_COVERED" | "SEED_MISSING" | "COVERAGE_UNKNOWN" | "CACHE_UNAVAILABLE" | "INVALID_REQUEST";

/** A company after its import. */
export interface ImportedCompany {
  /** As it stands now. */
  company?: MonitoredCompany;
  /** `created`, `updated` or `unchanged`. */
  outcome: string;
}

/** A company to add or to change. */
export interface CompanyImport {
  /** Id of the company that is to change; absent means the one of the same name and domicile, else a new one. */
  companyId?: string | undefined;
  /** Name, 1 to 200 characters; upper and lower case are the same name. */
  name: string;
  /** Where it is at home: `US` or `GB`. */
  domicile: string;
  /** Ticker symbol; empty when not listed. */
  ticker?: string | undefined;
  /** Legal Entity Identifier (ISO 17442); empty when unknown. */
  lei?: string | undefined;
  /** Host name of its website; empty when unknown. */
  domain?: string | undefined;
  /** State it is to be in; absent leaves it as it is, and makes a new company active. */
  state?: MonitoredCompanyState | undefined;
}

/** What an event means for a company, and by which evidence. */
export interface ImpactAssessment {
  /** Whether it is good or bad for the company. */
  direction: MaterialImpactDirection;
  /** By which ways it reaches the company; 1 or 2. */
  channels: MaterialImpactChannel[];
  /** How much it matters; what others call critical is high. */
  magnitude: MaterialImpactMagnitude;
  /** How sure it is; below the least of any member nothing is admitted. */
  confidence: AdmissionConfidence;
  /** Why, for people; not blank, at most 2,048 bytes. */
  rationale: string;
  /** When the event happened, RFC 3339 with its zone; not in the future. */
  occurredAt: string;
  /** Page that tells of the event best, at most 2,048 bytes; absent means that of the first evidence kept. */
  canonicalUrl?: string | undefined;
  /** What it rests on, at most 200; the 20 of the best tiers are kept, in the order sent within a tier. */
  evidence?: EvidenceReference[] | undefined;
  /** How many references there are in all; absent means those that are sent, and it may not be fewer. */
  evidenceTotalCount?: number | undefined;
}

/** A subscription of an account. */
export interface Subscription {
  /** The billing provider's id, or `local:` and the account. */
  id: string;
  /** Who keeps it: `local` for the operator, `stripe`. */
  provider: string;
  /** Plan. */
  plan: string;
  /** False once it was ended, whatever its paid period. */
  active: boolean;
  /** End of the paid period, Unix epoch milliseconds; absent means no end. */
  validUntil?: number;
}

/** One value of a request or of its result. */
export interface AuditDetail {
  /** Path of the JSON member, such as `scopes` or `result.key.id`. */
  name: string;
  /** Its value as text, lists joined by a comma and a blank; cut to 200 characters. */
  value: string;
}

/** By which way an event reaches a company. */
export type MaterialImpactChannel = "MATERIAL_IMPACT_CHANNEL_UNSPECIFIED" | "MATERIAL_IMPACT_CHANNEL_REPUTATION" | "MATERIAL_IMPACT_CHANNEL_FINANCES";

/** How much an impact matters. */
export type MaterialImpactMagnitude = "MATERIAL_IMPACT_MAGNITUDE_UNSPECIFIED" | "MATERIAL_IMPACT_MAGNITUDE_LOW" | "MATERIAL_IMPACT_MAGNITUDE_MEDIUM" | "MATERIAL_IMPACT_MAGNITUDE_HIGH";

/** How sure an impact is, each 0 to 1. */
export interface ImpactConfidence {
  /** That the event concerns this company. */
  attribution: number;
  /** That the event happened. */
  occurrenceTruth: number;
  /** That it matters to the company. */
  materialImpact: number;
  /** The least of the three. */
  overall: number;
}

/** Something that an assessment rests on. */
export interface EvidenceReference {
  /** Its page, at most 2,048 bytes. */
  url: string;
  /** How far it can be relied on. */
  tier: EvidenceTier;
  /** Its title, at most 300 characters; empty when unknown. */
  title?: string | undefined;
  /** When it was published, RFC 3339; empty when unknown. */
  publishedAt?: string | undefined;
}

/** A point on the WGS84 ellipsoid. */
export interface GeoCoordinates {
  /** Decimal degrees north, -90 to 90. */
  latitude: number;
  /** Decimal degrees east, -180 to 180. */
  longitude: number;
}

/** A stated amount. */
export interface TenderMoney {
  /** In whole units of the currency, as stated; absent when only the currency is known. */
  amount?: number;
  /** ISO 4217 code; absent when only the amount is known. */
  currency?: string;
}

/** A score made from keywords alone. */
export interface AutomationFit {
  /** `none`, `low`, `medium` or `high`. */
  level: string;
  /** 0, 30, 60 or 90: none, one, two, three or more of the keywords. */
  score: number;
  /** Name of the rules: `keyword-v1`. */
  classificationVersion: string;
  /** The keywords found. */
  matchReasons: string[];
  /** The first three of them with the field that holds each, such as `title: cloud`. */
  evidence: string[];
}

/** The value of one month or quarter. */
export interface LaborStatsObservation {
  /** Four digits. */
  year: string;
  /** `M01` to `M12`, or `Q01` to `Q04` in a quarterly series. */
  period: string;
  /** English name of the month, or `1st Quarter` to `4th Quarter`. */
  periodName: string;
  /** The source's own text, a decimal number that is not rounded. */
  value: string;
}

/** Prices and government finance by country. */
export interface PriceFigures {
  /** By ISO 3166-1 alpha-2 code, in the order of the codes. */
  countries: Record<string, CountryPrices>;
  /** When the source was read, Unix epoch milliseconds; absent where there are no figures. */
  seededAt?: number;
}

/** Output, saving and investment by country. */
export interface GrowthFigures {
  /** By ISO 3166-1 alpha-2 code, in the order of the codes. */
  countries: Record<string, CountryGrowth>;
  /** When the source was read, Unix epoch milliseconds; absent where there are no figures. */
  seededAt?: number;
}

/** Employment and population by country. */
export interface LaborFigures {
  /** By ISO 3166-1 alpha-2 code, in the order of the codes. */
  countries: Record<string, CountryLabor>;
  /** When the source was read, Unix epoch milliseconds; absent where there are no figures. */
  seededAt?: number;
}

/** Trade and the current account by country. */
export interface ExternalFigures {
  /** By ISO 3166-1 alpha-2 code, in the order of the codes. */
  countries: Record<string, CountryExternal>;
  /** When the source was read, Unix epoch milliseconds; absent where there are no figures. */
  seededAt?: number;
}

/** An indicator of Eurostat by place. */
export interface EuIndicator {
  /** By Eurostat's code of the place: the EU's members in the order of the codes, then `EA20` and `EU27_2020`. */
  countries: Record<string, EuIndicatorReading>;
  /** When Eurostat was last read with success, Unix epoch milliseconds; absent before the first time. */
  seededAt?: number;
  /** Eurostat's code of the table. */
  dataset: string;
  /** What the values are. */
  label: string;
}

/** How much of a country an outage takes down. */
export type OutageSeverity = "OUTAGE_SEVERITY_UNSPECIFIED" | "OUTAGE_SEVERITY_PARTIAL" | "OUTAGE_SEVERITY_MAJOR" | "OUTAGE_SEVERITY_TOTAL";

/** One filing. */
export interface SecFiling {
  /** Its form, such as `10-Q` or `8-K/A`. */
  form: string;
  /** The day it was filed, YYYY-MM-DD. */
  fileDate: string;
  /** What its items are about, joined by `; `; empty for forms other than 8-K. */
  description: string;
  /** Its index page at the SEC. */
  url: string;
  /** Item numbers of an 8-K, such as `2.02`. */
  items: string[];
}

/** Where a score moves. */
export type TrendDirection = "TREND_DIRECTION_UNSPECIFIED" | "TREND_DIRECTION_RISING" | "TREND_DIRECTION_STABLE" | "TREND_DIRECTION_FALLING";

/** The four components, whole numbers from 0 to 100. */
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

/** How grave a risk is. */
export type SeverityLevel = "SEVERITY_LEVEL_UNSPECIFIED" | "SEVERITY_LEVEL_LOW" | "SEVERITY_LEVEL_MEDIUM" | "SEVERITY_LEVEL_HIGH";

/** One value that a formula is applied to. */
export interface RiskInput {
  /** Such as `battles`. */
  name: string;
  /** The value; 0 is a measured zero where `state` is `measured`. */
  value: number;
  /** `measured`; `fallback` (from the methodology's fixed list); `derived` (from another part of the score); `missing` (the source has no good answer that is young enough, or none that this one could be compared with: counts as 0); `absent` (no source tells it: counts as 0). */
  state: string;
  /** Name of the source; empty where there is none. */
  source: string;
  /** The newest day that the value tells of, YYYY-MM-DD; empty when nothing was found. */
  observedAt: string;
  /** When the source was last read, ISO 8601 in UTC; empty when it never was. */
  fetchedAt: string;
  /** The first day that counts, YYYY-MM-DD, where what is stored of UCDP does not reach back two years; otherwise empty. */
  countedFrom: string;
}

/** One price that a premium is made from. */
export interface PriceLeg {
  /** In `currency` per `unit`. */
  price: number;
  /** `CNY` for physical, `USD` for paper. */
  currency: string;
  /** `gram` for gold and `kilogram` for silver in Shanghai, `troy ounce` for futures. */
  unit: string;
  /** Whose price it is, such as `Shanghai Gold Exchange SHAU PM benchmark`. */
  source: string;
  /** Physical: the day of the print in Shanghai, YYYY-MM-DD. */
  asOf: string;
}

/** Whether a reading carries an index, and what stands against it. */
export type PhysicalDivergenceState = "PHYSICAL_DIVERGENCE_STATE_UNSPECIFIED" | "PHYSICAL_DIVERGENCE_STATE_OK" | "PHYSICAL_DIVERGENCE_STATE_INSUFFICIENT_HISTORY" | "PHYSICAL_DIVERGENCE_STATE_STALE_INPUT" | "PHYSICAL_DIVERGENCE_STATE_MISSING_INPUT";

/** Band of a premium. */
export type PhysicalPremiumRegime = "PHYSICAL_PREMIUM_REGIME_UNSPECIFIED" | "PHYSICAL_PREMIUM_REGIME_NORMAL" | "PHYSICAL_PREMIUM_REGIME_ELEVATED" | "PHYSICAL_PREMIUM_REGIME_STRESSED" | "PHYSICAL_PREMIUM_REGIME_EXTREME";

/** Where a premium is heading. */
export type PhysicalPremiumTrend = "PHYSICAL_PREMIUM_TREND_UNSPECIFIED" | "PHYSICAL_PREMIUM_TREND_WIDENING" | "PHYSICAL_PREMIUM_TREND_STABLE" | "PHYSICAL_PREMIUM_TREND_NARROWING";

/** What a reading was made from. */
export interface PhysicalDivergenceProvenance {
  /** Whose benchmark price. */
  physicalSource: string;
  /** `SHAU` or `SHAG`. */
  physicalSymbol: string;
  /** Day of the print in Shanghai, YYYY-MM-DD; empty when unknown. */
  physicalAsOf: string;
  /** Whose future. */
  paperSource: string;
  /** `GC=F` or `SI=F`. */
  paperSymbol: string;
  /** Instant of its price, Unix epoch milliseconds; 0 when unknown. */
  paperAsOf: number;
  /** Whose exchange rate. */
  fxSource: string;
  /** Always `CNY/USD`. */
  fxPair: string;
  /** 14:15 UTC of the rates' day, Unix epoch milliseconds; 0 when unknown. */
  fxAsOf: number;
  /** Name of the series that the window is cut from. */
  historyKey: string;
  /** Most premiums that a window holds. */
  historyWindowPoints: number;
  /** Name of the rules. */
  methodologyVersion: string;
}

/** What one metal counts for in the composite. */
export interface PhysicalDivergenceWeight {
  /** `gold` or `silver`. */
  metal: string;
  /** Share of the composite; the weights add up to 1. */
  weight: number;
  /** Name of the rules of the metal's reading. */
  methodologyVersion: string;
}

/** The last price of one symbol. */
export interface MarketQuote {
  /** Ticker of a share, `GC=F` and `SI=F` for the COMEX futures, `SHAU` and `SHAG` for the prints in Shanghai. */
  symbol: string;
  /** Name in English; absent in a summary. */
  name?: string;
  /** `equity`, `etf` or `commodity`; absent in a summary. */
  assetClass?: string;
  /** In `currency`; of a metal, for one `unit`. */
  price: number;
  /** ISO 4217; absent in a summary. */
  currency?: string;
  /** Change between the last two daily closes, percent, 2 decimals. */
  changePct?: number;
  /** Of a share and a future, when the market last traded at the price: ISO 8601 in UTC. */
  asOf?: string;
  /** What a metal's price is for: `troy ounce`, `gram` or `kilogram`; absent for shares, and in a summary. */
  unit?: string;
}

/** Where an event takes place. */
export interface TechEventCoordinates {
  /** Decimal degrees north; 0 when virtual. */
  lat: number;
  /** Decimal degrees east; 0 when virtual. */
  lng: number;
  /** ISO 3166-1 alpha-2 code; empty when virtual. */
  country: string;
  /** The words that were looked up. */
  original: string;
  /** It takes place online alone. */
  virtual: boolean;
}

/** One of the 23 dimensions. */
export interface ResilienceDimension {
  /** Such as `macroFiscal`. */
  id: string;
  /** Whole number from 0 to 100. */
  score: number;
  /** How much of it is known and how certainly, 0 to 1, two decimals. */
  coverage: number;
  /** Weight of its indicators that were observed, four decimals. */
  observedWeight: number;
  /** Weight of its indicators for which something stands in, four decimals. */
  imputedWeight: number;
  /** Why nothing of it was observed: `stable-absence` (a source that lists crises does not name the country), `unmonitored` (no source tells of it), `source-failure` (one that does is out of reach) or `not-applicable`; else empty. */
  imputationClass: string;
  /** How old what is known of it is. */
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
  /** Mean of its dimensions' coverage, not rounded; retired ones and those that cannot apply are left out. */
  coverage: number;
  /** Its dimensions. */
  dimensions: ExplainedDimension[];
}

/** One country and its impact. */
export interface CountryImpact {
  /** ISO 3166-1 alpha-2 code, or `XK`. */
  iso2: string;
  /** Sum over chapters and chokepoints, four decimals; without a unit, to be compared within one scenario. */
  totalImpact: number;
  /** Percent of the worst country's impact, or of 1 where that is less; 0 to 100. */
  impactPct: number;
  /** Chapters of this country whose exposure was on record. */
  evaluatedRecords: number;
  /** Chapters that the scenario asks for. */
  requestedRecords: number;
  /** Some chapter was not on record: the impact is understated by it. */
  partialEvidence: boolean;
}

/** The values behind a result. */
export interface ScenarioParameters {
  /** The disturbed chokepoints joined by `+`, or `tariff_shock`. */
  name: string;
  /** Percent of the traffic that is lost: the template's, or what was asked for instead. */
  disruptionPct: number;
  /** Days that it is taken to last; not part of the computation. */
  durationDays: number;
  /** What remains gets dearer by this factor. */
  costShockMultiplier: number;
}

/** How much of the exposure that a scenario asks for there was. */
export interface ScenarioCoverage {
  /** `complete`: every record was there. */
  status: string;
  /** Countries that were to be computed. */
  countries: number;
  /** Chapters of the Harmonized System that were to be computed. */
  hs2Codes: string[];
  /** Records asked for: countries times chapters. */
  requestedRecords: number;
  /** Records that entered the result. */
  evaluatedRecords: number;
  /** Of those, how many come from the country's imports; the others from its trade routes alone. */
  flowWeightedRecords: number;
  /** The computation was ended by its time limit; countries that were not reached are missing. */
  timeLimitReached: boolean;
  /** When the oldest record that entered was computed, ISO 8601 in UTC; empty without any. */
  exposuresComputedAt: string;
}

/** How one chokepoint stands. */
export interface CurrentDisruption {
  /** Canonical id, such as `hormuz_strait`. */
  chokepointId: string;
  /** Disruption score, 0 to 100; absent where it is not known. */
  score?: number;
}

/** One attempt to deliver. */
export interface WebhookAttempt {
  /** When it began, ISO 8601 in UTC. */
  at: string;
  /** HTTP status of the answer; absent when there was none. */
  status?: number;
  /** Why it failed: `status`, `timeout`, `connection`, `address` (not public); empty when it succeeded. */
  error: string;
  /** How long it took, in milliseconds. */
  milliseconds: number;
}

/** One partner that a heading is imported from. */
export interface Exporter {
  /** Comtrade's code of the partner; mostly the UN M49 number. */
  partnerCode: number;
  /** ISO 3166-1 alpha-2 code; empty where the partner is no one country, such as `Areas, nes`. */
  partnerIso2: string;
  /** Imports from it, in US dollars. */
  value: number;
  /** Its share of the heading's imports, a fraction from 0 to 1, three decimals. */
  share: number;
}

/** One stage of one mineral. */
export interface MineralStage {
  /** Whether any output is known: without it `hhi` means nothing. */
  available: boolean;
  /** Calendar year of the figures. */
  year: number;
  /** Unit of every output here, as published. */
  unit: string;
  /** Whose figures `hhi` and the shares are made of: `usgs-mcs` or `bgs`. */
  source: string;
  /** Those with an output first, largest first; the others by name. */
  countries: MineralProducer[];
  /** Herfindahl-Hirschman index, 0 to 10,000, two decimals: the sum of the squared shares of all named countries, whichever country is asked for. */
  hhi: number;
  /** Total of the world as published, rounded; absent where none is. */
  worldTotal?: number;
  /** How many of the figures are withheld by their country. */
  withheldCount: number;
}

/** The country in one stage of one mineral. */
export interface MineralHolding {
  /** Such as `cobalt`. */
  commodityId: string;
  /** Name in English. */
  commodity: string;
  /** `mine` or `refinery`. */
  stage: string;
  /** Whether there is an output: 0 with it is measured. */
  hasOutput: boolean;
  /** As in the stage's list. */
  output?: number;
  /** As in the stage's list, percent. */
  share?: number;
  /** The country withholds the figure. */
  withheld: boolean;
  /** Unit of the output, as published. */
  unit: string;
}

/** What a score is made of. */
export interface VulnerabilityComponents {
  /** C: on how few suppliers the country and the world depend. */
  sourceConcentration?: SourceConcentration;
  /** T: how much of the way leads through chokepoints. */
  transitExposure?: TransitExposure;
  /** B: what is kept for bad times. */
  buffer?: SupplyBuffer;
}

/** How sure an impact must be to be admitted. */
export interface AdmissionConfidence {
  /** That the event concerns this company, 0.9 to 1. */
  attribution?: number | undefined;
  /** That the event happened, 0.8 to 1. */
  occurrenceTruth?: number | undefined;
  /** That it matters to the company, 0.7 to 1. */
  materialImpact?: number | undefined;
}

/** How far a reference can be relied on. */
export type EvidenceTier = "EVIDENCE_TIER_UNSPECIFIED" | "EVIDENCE_TIER_PRIMARY_VERIFIED" | "EVIDENCE_TIER_INDEPENDENT_AUTHORITATIVE" | "EVIDENCE_TIER_ORDINARY";

/** Prices and government finance of one country. */
export interface CountryPrices {
  /** Change of average consumer prices on the year before, percent. */
  inflationPct?: number;
  /** Current account balance, percent of GDP, negative for a deficit. */
  currentAccountPct?: number;
  /** Revenue of the general government, percent of GDP. */
  govRevenuePct?: number;
  /** Level of consumer prices (`PCPI`). */
  cpiIndex?: number;
  /** Change of consumer prices from the end of the year before to the end of the year, percent. */
  cpiEopPct?: number;
  /** Expenditure of the general government, percent of GDP. */
  govExpenditurePct?: number;
  /** Balance of the general government without net interest, percent of GDP, negative for a deficit. */
  primaryBalancePct?: number;
  /** The year that the figures are of; where they are of different years, the earliest of those. */
  year: number;
  /** The latest year that one of the figures is of; the current one at most. */
  latestYear: number;
}

/** Output, saving and investment of one country. */
export interface CountryGrowth {
  /** Growth of gross domestic product at constant prices on the year before, percent. */
  realGdpGrowthPct?: number;
  /** Gross domestic product a head at current prices, US dollars. */
  gdpPerCapitaUsd?: number;
  /** Gross domestic product at constant prices, national currency (`NGDP_R`). */
  realGdp?: number;
  /** The same in billions of national currency. */
  realGdpLcuB?: number;
  /** Gross domestic product a head at purchasing power parity, international dollars. */
  gdpPerCapitaPpp?: number;
  /** Gross domestic product at purchasing power parity, international dollars (the source tells billions). */
  gdpPpp?: number;
  /** Investment, percent of GDP (`NID_NGDP`). */
  investmentPct?: number;
  /** Gross national savings, percent of GDP (`NGSD_NGDP`). */
  savingsPct?: number;
  /** `savingsPct` less `investmentPct`, percentage points of GDP, 2 decimals. */
  savingsInvestmentGap?: number;
  /** The year that the figures are of; where they are of different years, the earliest of those. */
  year: number;
  /** The latest year that one of the figures is of; the current one at most. */
  latestYear: number;
}

/** Employment and population of one country. */
export interface CountryLabor {
  /** Unemployed people, percent of the labour force. */
  unemploymentPct?: number;
  /** Inhabitants, millions. */
  populationMillions?: number;
  /** The year that the figures are of; where they are of different years, the earliest of those. */
  year: number;
  /** The latest year that one of the figures is of; the current one at most. */
  latestYear: number;
}

/** Trade and the current account of one country. */
export interface CountryExternal {
  /** Exports, US dollars. */
  exportsUsd?: number;
  /** Imports, US dollars. */
  importsUsd?: number;
  /** Exports less imports, US dollars. */
  tradeBalanceUsd?: number;
  /** Current account balance, US dollars (the source tells billions), negative for a deficit. */
  currentAccountUsd?: number;
  /** Change of the volume of imports on the year before, percent (`TM_RPCH`). */
  importVolumePctChg?: number;
  /** Change of the volume of exports on the year before, percent (`TX_RPCH`). */
  exportVolumePctChg?: number;
  /** The year that the figures are of; where they are of different years, the earliest of those. */
  year: number;
  /** The latest year that one of the figures is of; the current one at most. */
  latestYear: number;
}

/** What is known of one place. */
export interface EuIndicatorReading {
  /** The newest value, 2 decimals. */
  value: number;
  /** The value before it in `series`; absent where there is none, and in a summary. */
  priorValue?: number;
  /** Whether there is a value before it; absent in a summary. */
  hasPrior?: boolean;
  /** The period of the newest value: a year (`2025`), a quarter (`2026-Q2`) or a month (`2026-09`). */
  date: string;
  /** Eurostat's code of the unit: `I15_A_AVG` (index, 2015 = 100, annual average), `PC_GDP` (percent of GDP) or `I21` (index, 2021 = 100). */
  unit: string;
  /** The newest values, oldest first, at most 10 years, 8 quarters or 12 months; periods without a value are left out. */
  series: EuIndicatorPoint[];
}

/** How old something is. */
export interface ResilienceFreshness {
  /** When the source that was read longest ago was read, Unix epoch milliseconds; 0 where none was. */
  lastObservedAtMs: string;
  /** The worst of the sources: `fresh` (younger than 1.5 times its cadence), `aging` (younger than 3 times) or `stale`; empty where none was read. */
  staleness: string;
}

/** One of the 23 dimensions. */
export interface ExplainedDimension {
  /** As in GetResilienceScore. */
  id: string;
  /** As in GetResilienceScore. */
  score: number;
  /** Its share in its domain. */
  weight: number;
  /** As in GetResilienceScore. */
  coverage: number;
  /** As in GetResilienceScore. */
  imputationClass: string;
  /** What stands in for the whole of it and when, such as `noRecoveryData: nothing of it is known`; else empty. */
  imputation: string;
  /** Not scored any more: its row has no weight. */
  retired: boolean;
  /** Its indicators. */
  indicators: ExplainedIndicator[];
}

/** What one country produces. */
export interface MineralProducer {
  /** ISO 3166-1 alpha-2 code; empty for the rest of the world, and where the name is no country. */
  iso2: string;
  /** Name in English. */
  country: string;
  /** Whether there is an output: 0 with it is measured. */
  hasOutput: boolean;
  /** Output in the stage's unit; absent where it is withheld or not known. */
  output?: number;
  /** Share of all outputs of the stage, percent, 0 to 100, four decimals. */
  share?: number;
  /** The country withholds the figure. */
  withheld: boolean;
  /** The figure is an estimate. */
  estimated: boolean;
  /** All other countries together. */
  residual: boolean;
  /** Whose figure it is: `usgs-mcs` or `bgs`. */
  source: string;
  /** Calendar year of the figure. */
  year: number;
}

/** On how few suppliers a country and the world depend. */
export interface SourceConcentration {
  /** Whether there is a value. */
  hasValue: boolean;
  /** 0.55 import + 0.45 production; where only one is known, that one. */
  value?: number;
  /** Of the country's imports of the commodity's heading: the five largest exporters, and all others as one. */
  importHhi?: number;
  /** Of the world's mines. */
  mineHhi?: number;
  /** Of the world's refineries. */
  refineryHhi?: number;
  /** 0.25 mine + 0.75 refinery; where only one is known, that one. */
  productionHhi?: number;
  /** `mine_and_refinery`, `refinery_only`, `mine_only`; `redistribution_blocked` where the only figures are not to be passed on; empty where nothing is known, and for what is not mined. */
  productionCoverage: string;
  /** `import_and_production`, `import_mirror_only`, `production_only` or `unknown`. */
  coverage: string;
  /** Where the values come from. */
  inputs: VulnerabilityInput[];
}

/** How much of the way of a country's imports leads through chokepoints. */
export interface TransitExposure {
  /** Whether there is a value: 0 with it is measured. */
  hasValue: boolean;
  /** 0 to 1, four decimals: 1 less the product of (1 - weighted share) over the chokepoints. */
  value?: number;
  /** Those with a share above 0, largest first. */
  chokepoints: TransitChokepoint[];
  /** Whence the shares come. */
  inputs: VulnerabilityInput[];
}

/** What is kept for bad times. */
export interface SupplyBuffer {
  /** `known` or `unknown`; unknown for every mineral. */
  state: string;
  /** 0 (well stocked) to 1 (nothing in store): food 1 - min(1, stocks to use / 0.35), gas 1 - fill / 100, fuel 1 - min(1, days / 90). */
  vulnerability?: number;
  /** How it is measured: `stocks_to_use`, `gas_storage_fill` or `fuel_stock_days`; empty for a commodity without. */
  kind: string;
  /** Where it comes from. */
  inputs: VulnerabilityInput[];
}

/** The value of one period. */
export interface EuIndicatorPoint {
  /** A year (`2025`), a quarter (`2026-Q2`) or a month (`2026-09`). */
  date: string;
  /** 2 decimals. */
  value: number;
}

/** One indicator of a dimension. */
export interface ExplainedIndicator {
  /** Such as `govRevenuePct`. */
  id: string;
  /** Its share in its dimension. */
  weight: number;
  /** By which its share in the score (not in coverage) is multiplied. */
  factor: number;
  /** How the inputs become the value; empty where the input is the value. */
  formula: string;
  /** Which values score what. */
  scale: string;
  /** Absent where an input is not known. */
  value?: number;
  /** 0 to 100: a whole number, except of funds, whose score is not rounded. */
  score?: number;
  /** 0 to 1: its share in coverage. */
  certainty: number;
  /** What stands in for the value and when, such as `noWtoReporter: the country reports no tariffs to the WTO`; else empty. */
  imputation: string;
  /** Why no source tells it; else empty. */
  missing: string;
  /** What the value is made from, as far as it is known. */
  inputs: ExplainedInput[];
}

/** One figure behind a score. */
export interface VulnerabilityInput {
  /** Key of the source, such as `usgs-mcs`. */
  sourceKey: string;
  /** The source in words. */
  sourceName: string;
  /** Page of the source for people; empty for a table of this project. */
  sourceUrl: string;
  /** Whether there is a value: a figure that is not to be passed on is told of without. */
  hasValue: boolean;
  /** As `detail` says. */
  value?: number;
  /** Calendar year that it is of; absent where it is of no one year. */
  year?: number;
  /** When it was read, ISO 8601 in UTC; empty when it never was. */
  fetchedAt: string;
  /** Too old to be scored. */
  stale: boolean;
  /** What the value is, in words. */
  detail: string;
}

/** One chokepoint on the way. */
export interface TransitChokepoint {
  /** Canonical id. */
  id: string;
  /** Name in English. */
  name: string;
  /** Exposure of the country's imports of the commodity's chapter, 0 to 1: `exposure_score` of GetCountryChokepointIndex by 100. */
  transitShare?: number;
  /** The share times 1.35, at most 1, while the chokepoint is disrupted; else the share. */
  weightedTransitShare?: number;
  /** `baseline`, `disrupted` (the tankers of each of the last three days below 85 % of the three months before), `unknown`, or `uncovered` (tankers are not followed here, the share counts as it is). */
  status: string;
  /** Whence its state comes; none where it is not followed. */
  inputs: VulnerabilityInput[];
}

/** One value as a source told it. */
export interface ExplainedInput {
  /** Name in the methodology's table. */
  name: string;
  /** In the unit of the methodology's table. */
  value: number;
  /** What it is of: a year, or a day. */
  period: string;
  /** Name of the source. */
  source: string;
  /** The source's own name of the series. */
  series: string;
  /** When the source was last read, ISO 8601 in UTC. */
  readAt: string;
}

