// Written by `make generate`.
import type * as account_v1_account from "./ids/account/v1/account_plain.ts";
import type * as account_v1_feed_urls from "./ids/account/v1/feed_urls_plain.ts";
import type * as account_v1_requests from "./ids/account/v1/requests_plain.ts";
import type * as alerts_v1_delivery from "./ids/alerts/v1/delivery_plain.ts";
import type * as alerts_v1_endpoint from "./ids/alerts/v1/endpoint_plain.ts";
import type * as alerts_v1_rule from "./ids/alerts/v1/rule_plain.ts";
import type * as batch_v1_batch from "./ids/batch/v1/batch_plain.ts";
import type * as catalog_v1_catalog from "./ids/catalog/v1/catalog_plain.ts";
import type * as catalog_v1_states from "./ids/catalog/v1/states_plain.ts";
import type * as changes_v1_changes from "./ids/changes/v1/changes_plain.ts";
import type * as company_monitoring_v1_companies from "./ids/company_monitoring/v1/companies_plain.ts";
import type * as company_monitoring_v1_impact_lists from "./ids/company_monitoring/v1/impact_lists_plain.ts";
import type * as company_monitoring_v1_impact_revisions from "./ids/company_monitoring/v1/impact_revisions_plain.ts";
import type * as conflict_v1_conflict from "./ids/conflict/v1/conflict_plain.ts";
import type * as country_v1_country from "./ids/country/v1/country_plain.ts";
import type * as economic_v1_country_macro from "./ids/economic/v1/country_macro_plain.ts";
import type * as economic_v1_economic from "./ids/economic/v1/economic_plain.ts";
import type * as economic_v1_energy_crisis_policy from "./ids/economic/v1/energy_crisis_policy_plain.ts";
import type * as economic_v1_eu_indicators from "./ids/economic/v1/eu_indicators_plain.ts";
import type * as economic_v1_labor_stats from "./ids/economic/v1/labor_stats_plain.ts";
import type * as economic_v1_tenders from "./ids/economic/v1/tenders_plain.ts";
import type * as history_v1_history from "./ids/history/v1/history_plain.ts";
import type * as infrastructure_v1_infrastructure from "./ids/infrastructure/v1/infrastructure_plain.ts";
import type * as intelligence_v1_enrichment from "./ids/intelligence/v1/enrichment_plain.ts";
import type * as intelligence_v1_risk from "./ids/intelligence/v1/risk_plain.ts";
import type * as intelligence_v1_risk_explanation from "./ids/intelligence/v1/risk_explanation_plain.ts";
import type * as intelligence_v1_timeline from "./ids/intelligence/v1/timeline_plain.ts";
import type * as market_v1_market from "./ids/market/v1/market_plain.ts";
import type * as market_v1_market_data from "./ids/market/v1/market_data_plain.ts";
import type * as market_v1_physical_divergence from "./ids/market/v1/physical_divergence_plain.ts";
import type * as military_v1_defense_industrial_base from "./ids/military/v1/defense_industrial_base_plain.ts";
import type * as military_v1_live_flight from "./ids/military/v1/live_flight_plain.ts";
import type * as military_v1_military from "./ids/military/v1/military_plain.ts";
import type * as research_v1_research from "./ids/research/v1/research_plain.ts";
import type * as resilience_v1_ranking from "./ids/resilience/v1/ranking_plain.ts";
import type * as resilience_v1_resilience from "./ids/resilience/v1/resilience_plain.ts";
import type * as resilience_v1_resilience_explanation from "./ids/resilience/v1/resilience_explanation_plain.ts";
import type * as resilience_v1_runtime_manifest from "./ids/resilience/v1/runtime_manifest_plain.ts";
import type * as scenario_v1_scenario_job from "./ids/scenario/v1/scenario_job_plain.ts";
import type * as scenario_v1_scenario_template from "./ids/scenario/v1/scenario_template_plain.ts";
import type * as shipping_v2_webhook from "./ids/shipping/v2/webhook_plain.ts";
import type * as shipping_v2_webhook_delivery from "./ids/shipping/v2/webhook_delivery_plain.ts";
import type * as supply_chain_v1_chokepoint_index from "./ids/supply_chain/v1/chokepoint_index_plain.ts";
import type * as supply_chain_v1_cost_shock from "./ids/supply_chain/v1/cost_shock_plain.ts";
import type * as supply_chain_v1_country_products from "./ids/supply_chain/v1/country_products_plain.ts";
import type * as supply_chain_v1_mineral_production from "./ids/supply_chain/v1/mineral_production_plain.ts";
import type * as supply_chain_v1_shipping_stress from "./ids/supply_chain/v1/shipping_stress_plain.ts";
import type * as supply_chain_v1_vulnerability from "./ids/supply_chain/v1/vulnerability_plain.ts";
import type * as trade_v1_trade from "./ids/trade/v1/trade_plain.ts";

/** Every path that is read, with its query and its answer. */
export interface GetPaths extends account_v1_account.GetPaths, account_v1_feed_urls.GetPaths, account_v1_requests.GetPaths, alerts_v1_delivery.GetPaths, alerts_v1_endpoint.GetPaths, alerts_v1_rule.GetPaths, catalog_v1_catalog.GetPaths, catalog_v1_states.GetPaths, changes_v1_changes.GetPaths, company_monitoring_v1_companies.GetPaths, company_monitoring_v1_impact_lists.GetPaths, conflict_v1_conflict.GetPaths, country_v1_country.GetPaths, economic_v1_country_macro.GetPaths, economic_v1_economic.GetPaths, economic_v1_energy_crisis_policy.GetPaths, economic_v1_eu_indicators.GetPaths, economic_v1_labor_stats.GetPaths, economic_v1_tenders.GetPaths, history_v1_history.GetPaths, infrastructure_v1_infrastructure.GetPaths, intelligence_v1_enrichment.GetPaths, intelligence_v1_risk.GetPaths, intelligence_v1_risk_explanation.GetPaths, intelligence_v1_timeline.GetPaths, market_v1_market.GetPaths, market_v1_market_data.GetPaths, market_v1_physical_divergence.GetPaths, military_v1_defense_industrial_base.GetPaths, military_v1_live_flight.GetPaths, military_v1_military.GetPaths, research_v1_research.GetPaths, resilience_v1_ranking.GetPaths, resilience_v1_resilience.GetPaths, resilience_v1_resilience_explanation.GetPaths, resilience_v1_runtime_manifest.GetPaths, scenario_v1_scenario_job.GetPaths, scenario_v1_scenario_template.GetPaths, shipping_v2_webhook.GetPaths, shipping_v2_webhook_delivery.GetPaths, supply_chain_v1_chokepoint_index.GetPaths, supply_chain_v1_cost_shock.GetPaths, supply_chain_v1_country_products.GetPaths, supply_chain_v1_mineral_production.GetPaths, supply_chain_v1_shipping_stress.GetPaths, supply_chain_v1_vulnerability.GetPaths, trade_v1_trade.GetPaths {}

/** Every path that takes a body, with its body and its answer. */
export interface PostPaths extends account_v1_account.PostPaths, account_v1_feed_urls.PostPaths, alerts_v1_delivery.PostPaths, alerts_v1_endpoint.PostPaths, alerts_v1_rule.PostPaths, batch_v1_batch.PostPaths, company_monitoring_v1_companies.PostPaths, company_monitoring_v1_impact_revisions.PostPaths, scenario_v1_scenario_job.PostPaths, shipping_v2_webhook.PostPaths, shipping_v2_webhook_delivery.PostPaths {}

/** Every path that something is taken away by, with what the path says and its answer. */
export interface DeletePaths extends shipping_v2_webhook.DeletePaths {}

export type { Account, ApiKey, AuditDetail, AuditEvent, CreateAccountRequest, CreateAccountResponse, CreateApiKeyRequest, CreateApiKeyResponse, DisabledEndpoint, GetCallerResponse, GetLimitsResponse, GetUsageResponse, Limit, ListAccountsResponse, ListApiKeysResponse, ListAuditEventsResponse, RevokeApiKeyRequest, RevokeApiKeyResponse, RotateApiKeyRequest, RotateApiKeyResponse, SetScopesRequest, SetScopesResponse, SetSubscriptionRequest, SetSubscriptionResponse, Subscription, Usage } from "./ids/account/v1/account_plain.ts";
export type { CreateFeedUrlRequest, CreateFeedUrlResponse, FeedUrl, ListFeedUrlsResponse, RevokeFeedUrlRequest, RevokeFeedUrlResponse } from "./ids/account/v1/feed_urls_plain.ts";
export type { ListRequestsResponse, LoggedRequest } from "./ids/account/v1/requests_plain.ts";
export type { Change, ListChangesResponse } from "./ids/changes/v1/changes_plain.ts";
export type { CreateRuleRequest, CreateRuleResponse, DeleteRuleRequest, DeleteRuleResponse, ListRulesResponse, PauseRuleRequest, PauseRuleResponse, PreviewRuleRequest, PreviewRuleResponse, ResumeRuleRequest, ResumeRuleResponse, Rule, TestRuleRequest, TestRuleResponse, UpdateRuleRequest, UpdateRuleResponse } from "./ids/alerts/v1/rule_plain.ts";
export type { ConfirmEndpointRequest, ConfirmEndpointResponse, CreateEndpointRequest, CreateEndpointResponse, DeleteEndpointRequest, DeleteEndpointResponse, Endpoint, ListEndpointsResponse, ReactivateEndpointRequest, ReactivateEndpointResponse, RotateEndpointSecretRequest, RotateEndpointSecretResponse } from "./ids/alerts/v1/endpoint_plain.ts";
export type { Attempt, Delivery, ListDeliveriesResponse, ReplayDeliveryRequest, ReplayDeliveryResponse } from "./ids/alerts/v1/delivery_plain.ts";
export type { BatchedRead, BatchedResponse, RunBatchRequest, RunBatchResponse } from "./ids/batch/v1/batch_plain.ts";
export type { GetDatasetResponse, ListDatasetsResponse, ListSourcesResponse } from "./ids/catalog/v1/catalog_plain.ts";
export type { ListStatesResponse, StateMinutes, StateSpan } from "./ids/catalog/v1/states_plain.ts";
export type { ListCompanyEventChangesResponse, ListCompanyEventImpactsResponse } from "./ids/company_monitoring/v1/impact_lists_plain.ts";
export type { CompanyImport, ImportCompaniesRequest, ImportCompaniesResponse, ImportedCompany, ListMonitoredCompaniesResponse, MonitoredCompany, MonitoredCompanyState } from "./ids/company_monitoring/v1/companies_plain.ts";
export type { AdmitImpactRequest, AdmitImpactResponse, CorrectImpactRequest, CorrectImpactResponse, RetractImpactRequest, RetractImpactResponse } from "./ids/company_monitoring/v1/impact_revisions_plain.ts";
export type { ConflictEvent, ConflictEventCount, CountConflictEventsResponse, ListConflictEventsResponse } from "./ids/conflict/v1/conflict_plain.ts";
export type { CountInternetOutagesResponse, GetIpGeoResponse, InternetOutage, InternetOutageCount, ListInternetOutagesResponse, OutageSeverity, ReverseGeocodeResponse } from "./ids/infrastructure/v1/infrastructure_plain.ts";
export type { EffectiveTariffRate, GetTariffTrendsResponse, GetTariffTrendsResponseUnavailableReason, GetTradeFlowsResponse, GetTradeFlowsResponseUnavailableReason, TariffDatapoint, TradeFlow } from "./ids/trade/v1/trade_plain.ts";
export type { ConflictPart, CountryIdentity, GetCountryBriefResponse } from "./ids/country/v1/country_plain.ts";
export type { AutomationFit, ListGlobalTendersResponse, Tender, TenderMoney, TenderSourceStatus } from "./ids/economic/v1/tenders_plain.ts";
export type { EconomicStressComponent, EuGasStorageDay, GetEconomicStressResponse, GetEuGasStorageResponse } from "./ids/economic/v1/economic_plain.ts";
export type { EnergyCrisisPolicy, GetEnergyCrisisPoliciesResponse } from "./ids/economic/v1/energy_crisis_policy_plain.ts";
export type { GetLaborStatsSeriesResponse, LaborStatsObservation, LaborStatsSeries } from "./ids/economic/v1/labor_stats_plain.ts";
export type { CountryExternal, CountryGrowth, CountryLabor, CountryMacroData, CountryPrices, ExternalFigures, GetCountryMacroResponse, GrowthFigures, LaborFigures, PriceFigures } from "./ids/economic/v1/country_macro_plain.ts";
export type { EuHousingCycleData, EuIndicator, EuIndicatorPoint, EuIndicatorReading, EuIndustrialProductionData, EuQuarterlyGovDebtData, GetEuHousingCycleResponse, GetEuIndustrialProductionResponse, GetEuQuarterlyGovDebtResponse } from "./ids/economic/v1/eu_indicators_plain.ts";
export type { GetSeriesResponse, ListSeriesResponse, Series, SeriesPoint } from "./ids/history/v1/history_plain.ts";
export type { CompanyIdentity, CompanyTechnology, EarningsSurprise, GetCompanyEnrichmentResponse, HackerNewsMention, MarketProfile, NewsMention, SecFiling, SecFilings } from "./ids/intelligence/v1/enrichment_plain.ts";
export type { GetNewsTopicTimelineResponse, TopicPoint } from "./ids/intelligence/v1/timeline_plain.ts";
export type { CiiComponents, CiiScore, GetRiskScoresResponse, SeverityLevel, StrategicRisk, TrendDirection } from "./ids/intelligence/v1/risk_plain.ts";
export type { GetRiskScoreExplanationResponse, RiskComponent, RiskFloor, RiskInput, RiskSnapshot, RiskTerm } from "./ids/intelligence/v1/risk_explanation_plain.ts";
export type { GetPhysicalPremiumsResponse, PhysicalPremium, PremiumExchangeRate, PriceLeg } from "./ids/market/v1/market_plain.ts";
export type { GetPhysicalDivergenceIndexResponse, PhysicalDivergenceComposite, PhysicalDivergenceProvenance, PhysicalDivergenceReading, PhysicalDivergenceState, PhysicalDivergenceWeight, PhysicalPremiumRegime, PhysicalPremiumTrend } from "./ids/market/v1/physical_divergence_plain.ts";
export type { GetMarketDataResponse, MarketData, MarketQuote } from "./ids/market/v1/market_data_plain.ts";
export type { ListMilitaryBasesResponse, MilitaryBase, MilitaryBaseCluster } from "./ids/military/v1/military_plain.ts";
export type { GetProviderLiveFlightResponse, LiveFlight } from "./ids/military/v1/live_flight_plain.ts";
export type { ArmsSupplier, DefenseIndicator, GetDefenseIndustrialBaseResponse } from "./ids/military/v1/defense_industrial_base_plain.ts";
export type { ListTechEventsResponse, TechEvent, TechEventCoordinates } from "./ids/research/v1/research_plain.ts";
export type { GetResilienceScoreResponse, ResilienceDimension, ResilienceDomain, ResilienceFreshness, ResiliencePillar, ScoreInterval } from "./ids/resilience/v1/resilience_plain.ts";
export type { GetResilienceRankingResponse, RankedCountry } from "./ids/resilience/v1/ranking_plain.ts";
export type { ExplainedDimension, ExplainedDomain, ExplainedIndicator, ExplainedInput, ExplainedPillar, GetResilienceScoreExplanationResponse } from "./ids/resilience/v1/resilience_explanation_plain.ts";
export type { GetResilienceRuntimeManifestResponse, IntervalState, RankingState, RuntimeCache, RuntimeFlag } from "./ids/resilience/v1/runtime_manifest_plain.ts";
export type { ListScenarioTemplatesResponse, ScenarioTemplate } from "./ids/scenario/v1/scenario_template_plain.ts";
export type { CountryImpact, CurrentDisruption, GetScenarioStatusResponse, RunScenarioRequest, RunScenarioResponse, ScenarioCoverage, ScenarioParameters, ScenarioResult } from "./ids/scenario/v1/scenario_job_plain.ts";
export type { DeleteWebhookRequest, DeleteWebhookResponse, ListWebhooksResponse, ReactivateWebhookRequest, ReactivateWebhookResponse, RegisterWebhookRequest, RegisterWebhookResponse, RotateWebhookSecretRequest, RotateWebhookSecretResponse, TestWebhookRequest, TestWebhookResponse, Webhook } from "./ids/shipping/v2/webhook_plain.ts";
export type { ListWebhookDeliveriesResponse, ReplayWebhookDeliveryRequest, ReplayWebhookDeliveryResponse, WebhookAttempt, WebhookDelivery } from "./ids/shipping/v2/webhook_delivery_plain.ts";
export type { ChokepointExposure, GetCountryChokepointIndexResponse } from "./ids/supply_chain/v1/chokepoint_index_plain.ts";
export type { Exporter, GetCountryProductsResponse, ImportedProduct } from "./ids/supply_chain/v1/country_products_plain.ts";
export type { GetMultiSectorCostShockResponse, SectorCostShock, WarRiskTier } from "./ids/supply_chain/v1/cost_shock_plain.ts";
export type { GetShippingStressResponse, ShippingCarrier } from "./ids/supply_chain/v1/shipping_stress_plain.ts";
export type { GetMineralProductionResponse, MineralCommodity, MineralCountry, MineralHolding, MineralProducer, MineralStage } from "./ids/supply_chain/v1/mineral_production_plain.ts";
export type { ChokepointDependency, CommodityVulnerability, GetChokepointDependenciesResponse, GetCountryVulnerabilitiesResponse, ListVulnerabilityRankingsResponse, SourceConcentration, SupplyBuffer, TransitChokepoint, TransitExposure, VulnerabilityComponents, VulnerabilityInput } from "./ids/supply_chain/v1/vulnerability_plain.ts";
export type { WebhookEvent, WebhookEventData, WebhookEventDetails } from "./ids/shipping/v2/webhook_event_plain.ts";
export type { ChangeEvent, ChangeEventData, NoticeEvent, NoticeEventData, SeriesEvent, SeriesEventData } from "./ids/alerts/v1/alert_event_plain.ts";
export type { GeoCoordinates, Pagination } from "./ids/common/v1/common_plain.ts";
export type { ChangesTrigger, SeriesCrossing, SeriesTrigger, StalenessTrigger, TendersTrigger, Trigger } from "./ids/alerts/v1/trigger_plain.ts";
export type { Dataset, DatasetOperation, DatasetSource, MissingPart, ProgramTable, SourceDrift } from "./ids/catalog/v1/dataset_plain.ts";
export type { CountryRows, DatasetCoverage, SourceRows } from "./ids/catalog/v1/coverage_plain.ts";
export type { License, Source, SourceAccess, SourceVariable } from "./ids/catalog/v1/source_plain.ts";
export type { AdmissionConfidence, CompanyEventImpact, EvidenceReference, EvidenceTier, ImpactAssessment, ImpactConfidence, MaterialImpactChannel, MaterialImpactDirection, MaterialImpactLifecycle, MaterialImpactMagnitude } from "./ids/company_monitoring/v1/impacts_plain.ts";
export type { MonitoringSnapshot } from "./ids/company_monitoring/v1/snapshot_plain.ts";
export type { BasesPart, ChokepointsPart, DefensePart, GasPart, MacroPart, OutagesPart, PartAvailability, PartScore, PartState, ResiliencePart, RiskPart, TariffsPart, TendersPart, TradePart, VulnerabilitiesPart, VulnerableCommodity } from "./ids/country/v1/brief_parts_plain.ts";
