// Written by `make generate`.
// Every message and enum of the operations; of enums the values as well.
export { type Account, type ApiKey, type CreateAccountRequest, type CreateAccountResponse, type CreateApiKeyRequest, type CreateApiKeyResponse, type GetCallerResponse, type GetLimitsResponse, type GetUsageResponse, type Limit, type ListAccountsResponse, type ListApiKeysResponse, type RevokeApiKeyRequest, type RevokeApiKeyResponse, type RotateApiKeyRequest, type RotateApiKeyResponse, type SetScopesRequest, type SetScopesResponse, type SetSubscriptionRequest, type SetSubscriptionResponse, type Subscription, type Usage } from "./ids/account/v1/account_pb.ts";
export { type ListCompanyEventChangesResponse, type ListCompanyEventImpactsResponse } from "./ids/company_monitoring/v1/impact_lists_pb.ts";
export { EvidenceTier, MaterialImpactChannel, MaterialImpactDirection, MaterialImpactLifecycle, MaterialImpactMagnitude, type AdmissionConfidence, type CompanyEventImpact, type EvidenceReference, type ImpactAssessment, type ImpactConfidence } from "./ids/company_monitoring/v1/impacts_pb.ts";
export { MonitoredCompanyState, type CompanyImport, type ImportCompaniesRequest, type ImportCompaniesResponse, type ImportedCompany, type ListMonitoredCompaniesResponse, type MonitoredCompany } from "./ids/company_monitoring/v1/companies_pb.ts";
export { type ConflictEvent, type ListConflictEventsResponse } from "./ids/conflict/v1/conflict_pb.ts";
export { type AutomationFit, type ListGlobalTendersResponse, type Tender, type TenderMoney, type TenderSourceStatus } from "./ids/economic/v1/tenders_pb.ts";
export { type EconomicStressComponent, type EuGasStorageDay, type GetEconomicStressResponse, type GetEuGasStorageResponse } from "./ids/economic/v1/economic_pb.ts";
export { type EnergyCrisisPolicy, type GetEnergyCrisisPoliciesResponse } from "./ids/economic/v1/energy_crisis_policy_pb.ts";
export { type GetLaborStatsSeriesResponse, type LaborStatsObservation, type LaborStatsSeries } from "./ids/economic/v1/labor_stats_pb.ts";
export { OutageSeverity, type GetIpGeoResponse, type InternetOutage, type ListInternetOutagesResponse, type ReverseGeocodeResponse } from "./ids/infrastructure/v1/infrastructure_pb.ts";
export { type CompanyIdentity, type CompanyTechnology, type EarningsSurprise, type GetCompanyEnrichmentResponse, type HackerNewsMention, type MarketProfile, type NewsMention, type SecFiling, type SecFilings } from "./ids/intelligence/v1/enrichment_pb.ts";
export { type GetNewsTopicTimelineResponse, type TopicPoint } from "./ids/intelligence/v1/timeline_pb.ts";
export { type GetPhysicalPremiumsResponse, type PhysicalPremium, type PremiumExchangeRate, type PriceLeg } from "./ids/market/v1/market_pb.ts";
export { PhysicalDivergenceState, PhysicalPremiumRegime, PhysicalPremiumTrend, type GetPhysicalDivergenceIndexResponse, type PhysicalDivergenceComposite, type PhysicalDivergenceProvenance, type PhysicalDivergenceReading, type PhysicalDivergenceWeight } from "./ids/market/v1/physical_divergence_pb.ts";
export { type ListMilitaryBasesResponse, type MilitaryBase, type MilitaryBaseCluster } from "./ids/military/v1/military_pb.ts";
export { type GetProviderLiveFlightResponse, type LiveFlight } from "./ids/military/v1/live_flight_pb.ts";
export { type ArmsSupplier, type DefenseIndicator, type GetDefenseIndustrialBaseResponse } from "./ids/military/v1/defense_industrial_base_pb.ts";
export { type ListTechEventsResponse, type TechEvent, type TechEventCoordinates } from "./ids/research/v1/research_pb.ts";
export { type ChokepointExposure, type GetCountryChokepointIndexResponse } from "./ids/supply_chain/v1/chokepoint_index_pb.ts";
export { type Exporter, type GetCountryProductsResponse, type ImportedProduct } from "./ids/supply_chain/v1/country_products_pb.ts";
export { WarRiskTier, type GetMultiSectorCostShockResponse, type SectorCostShock } from "./ids/supply_chain/v1/cost_shock_pb.ts";
export { type GetShippingStressResponse, type ShippingCarrier } from "./ids/supply_chain/v1/shipping_stress_pb.ts";
export { type GetMineralProductionResponse, type MineralCommodity, type MineralCountry, type MineralHolding, type MineralProducer, type MineralStage } from "./ids/supply_chain/v1/mineral_production_pb.ts";
export { GetTariffTrendsResponse_UnavailableReason, GetTradeFlowsResponse_UnavailableReason, type EffectiveTariffRate, type GetTariffTrendsResponse, type GetTradeFlowsResponse, type TariffDatapoint, type TradeFlow } from "./ids/trade/v1/trade_pb.ts";
export { type AdmitImpactRequest, type AdmitImpactResponse, type CorrectImpactRequest, type CorrectImpactResponse, type RetractImpactRequest, type RetractImpactResponse } from "./ids/company_monitoring/v1/impact_revisions_pb.ts";
export { type GeoCoordinates, type Pagination } from "./ids/common/v1/common_pb.ts";
export { type MonitoringSnapshot } from "./ids/company_monitoring/v1/snapshot_pb.ts";
