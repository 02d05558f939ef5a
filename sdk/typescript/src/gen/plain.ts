// Written by `make generate`.
/** Every path that is read, with its query and its answer. */
export interface GetPaths {
  /** Tells whose key this is, on which plan, and with which rights. */
  "/api/account/v1/get-caller": {
    query: Record<never, never>;
    answer: GetCallerResponse;
  };
  /** Lists the keys of the caller's account, live ones first, then by age, oldest first. */
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
  /** Makes a key for the caller's account and shows it this once. */
  "/api/account/v1/create-api-key": { body: CreateApiKeyRequest; answer: CreateApiKeyResponse };
  /** Makes a key that takes the place of another: same name, scopes and end. */
  "/api/account/v1/rotate-api-key": { body: RotateApiKeyRequest; answer: RotateApiKeyResponse };
  /** Ends a key on every replica within two seconds. */
  "/api/account/v1/revoke-api-key": { body: RevokeApiKeyRequest; answer: RevokeApiKeyResponse };
  /** Opens an account. */
  "/api/account/v1/create-account": { body: CreateAccountRequest; answer: CreateAccountResponse };
  /** Sets the subscription that the operator gives an account; those of a billing provider stay beside it. */
  "/api/account/v1/set-subscription": { body: SetSubscriptionRequest; answer: SetSubscriptionResponse };
  /** Sets the scopes that an account's keys may carry; a key loses those that are not among them. */
  "/api/account/v1/set-scopes": { body: SetScopesRequest; answer: SetScopesResponse };
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

/** A page of accounts. */
export interface ListAccountsResponse {
  /** By id. */
  accounts: Account[];
  /** `nextCursor` is empty on the last page; `totalCount` counts every account. */
  pagination?: Pagination;
}

/** The events that match. */
export interface ListConflictEventsResponse {
  /** At most 5,000, sorted by moment, newest first, then by id. */
  events: ConflictEvent[];
  /** `nextCursor` is always empty; `totalCount` counts every match, also those beyond the 5,000. */
  pagination?: Pagination;
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
  /** Rights beside the generic reads; the account must have been given them. */
  scopes?: string[] | undefined;
  /** End of the key, Unix epoch milliseconds, in the future; absent means none. */
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
  /** Plan, one of those that GetLimits names. */
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
  /** Every scope its keys may carry, such as `company_monitoring:read`; empty takes all away. */
  scopes?: string[] | undefined;
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

/** Where a list stands and how long it is. */
export interface Pagination {
  /** Cursor of the next page; empty when there is none. */
  nextCursor: string;
  /** How many items match in all; 0 also when the total is unknown. */
  totalCount: number;
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
  /** Host country, ISO 3166-1 alpha-2; empty on the high seas. */
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

/** A point on the WGS84 ellipsoid. */
export interface GeoCoordinates {
  /** Decimal degrees north, -90 to 90. */
  latitude: number;
  /** Decimal degrees east, -180 to 180. */
  longitude: number;
}

/** How much of a country an outage takes down. */
export type OutageSeverity = "OUTAGE_SEVERITY_UNSPECIFIED" | "OUTAGE_SEVERITY_PARTIAL" | "OUTAGE_SEVERITY_MAJOR" | "OUTAGE_SEVERITY_TOTAL";

