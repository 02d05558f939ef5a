// Written by `make generate`.
import type { BasesPart, ChokepointsPart, DefensePart, GasPart, MacroPart, OutagesPart, PartState, ResiliencePart, RiskPart, TariffsPart, TendersPart, TradePart, VulnerabilitiesPart } from "../../../ids/country/v1/brief_parts_plain.ts";
import type { ConflictEvent, ConflictEventCount } from "../../../ids/conflict/v1/conflict_plain.ts";
/** Key figures of one country. */
export interface GetCountryBriefResponse {
  /** The requested country. */
  country: CountryIdentity;
  /** Instability score and its movement. */
  risk: RiskPart;
  /** Resilience score with domains and pillars. */
  resilience: ResiliencePart;
  /** Armed-conflict events of the last 30 days. */
  conflict: ConflictPart;
  /** Internet outages of the last 30 days. */
  outages: OutagesPart;
  /** Exposure of energy imports to maritime chokepoints. */
  chokepoints: ChokepointsPart;
  /** Commodities whose supply is most vulnerable. */
  vulnerabilities: VulnerabilitiesPart;
  /** Macroeconomic figures. */
  macro: MacroPart;
  /** Merchandise trade of the most recent year on record. */
  trade: TradePart;
  /** Average tariff of the most recent year on record. Of a member of the European Union, the tariff of the Union. */
  tariffs: TariffsPart;
  /** Military spending, personnel and arms suppliers. */
  defense: DefensePart;
  /** Number of military bases in the country. */
  bases: BasesPart;
  /** Number of open tenders in the country. */
  tenders: TendersPart;
  /** Gas storage of the country, or of the European Union (`gas.area`). Not applicable if neither is known. */
  gas: GasPart;
}

/** Names, codes and position of a country. */
export interface CountryIdentity {
  /** ISO 3166-1 alpha-2 code. */
  alpha2: string;
  /** ISO 3166-1 alpha-3 code. */
  alpha3: string;
  /** UN M49 code, three digits. Empty for Kosovo. */
  numeric: string;
  /** English short name. */
  name: string;
  /** Latitude of a point on the main land, decimal degrees. */
  latitude: number;
  /** Longitude of that point, decimal degrees. */
  longitude: number;
}

/** Conflict events of the last 30 days. */
export interface ConflictPart {
  /** State of this part. */
  state: PartState;
  /** Number of events. Absent unless the part is available. */
  events?: number;
  /** Reported deaths. Absent unless the part is available. */
  fatalities?: number;
  /** Counts by event class, most events first. */
  byType: ConflictEventCount[];
  /** The most recent events, at most five, newest first. */
  latest: ConflictEvent[];
}

export interface GetPaths {
  /** Returns the key figures of one country across all subjects.
   *
   * Each part states its availability, its time, its sources and the request for the rest. A part above the caller's tier states the required tier. The call counts once. */
  "/api/country/v1/get-country-brief": {
    query: {
      /** ISO 3166-1 alpha-2 country code (Kosovo is `XK`), case-insensitive. */
      country_code: string;
    };
    answer: GetCountryBriefResponse;
  };
}

