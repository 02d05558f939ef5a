// Written by `make generate`.
import { AccountService } from "./ids/account/v1/account_pb.ts";
import { ChangesService } from "./ids/changes/v1/changes_pb.ts";
import { AlertsService } from "./ids/alerts/v1/alerts_pb.ts";
import { BatchService } from "./ids/batch/v1/batch_pb.ts";
import { CatalogService } from "./ids/catalog/v1/catalog_pb.ts";
import { CompanyMonitoringService } from "./ids/company_monitoring/v1/company_monitoring_pb.ts";
import { ConflictService } from "./ids/conflict/v1/conflict_pb.ts";
import { InfrastructureService } from "./ids/infrastructure/v1/infrastructure_pb.ts";
import { TradeService } from "./ids/trade/v1/trade_pb.ts";
import { CountryService } from "./ids/country/v1/country_pb.ts";
import { EconomicService } from "./ids/economic/v1/economic_pb.ts";
import { HistoryService } from "./ids/history/v1/history_pb.ts";
import { IntelligenceService } from "./ids/intelligence/v1/intelligence_pb.ts";
import { MarketService } from "./ids/market/v1/market_pb.ts";
import { MilitaryService } from "./ids/military/v1/military_pb.ts";
import { ResearchService } from "./ids/research/v1/research_pb.ts";
import { ResilienceService } from "./ids/resilience/v1/resilience_pb.ts";
import { ScenarioService } from "./ids/scenario/v1/scenario_pb.ts";
import { ShippingService } from "./ids/shipping/v2/shipping_pb.ts";
import { SupplyChainService } from "./ids/supply_chain/v1/supply_chain_pb.ts";

/** Every service by its domain. */
export const services: {
  readonly account: typeof AccountService;
  readonly changes: typeof ChangesService;
  readonly alerts: typeof AlertsService;
  readonly batch: typeof BatchService;
  readonly catalog: typeof CatalogService;
  readonly companyMonitoring: typeof CompanyMonitoringService;
  readonly conflict: typeof ConflictService;
  readonly infrastructure: typeof InfrastructureService;
  readonly trade: typeof TradeService;
  readonly country: typeof CountryService;
  readonly economic: typeof EconomicService;
  readonly history: typeof HistoryService;
  readonly intelligence: typeof IntelligenceService;
  readonly market: typeof MarketService;
  readonly military: typeof MilitaryService;
  readonly research: typeof ResearchService;
  readonly resilience: typeof ResilienceService;
  readonly scenario: typeof ScenarioService;
  readonly shipping: typeof ShippingService;
  readonly supplyChain: typeof SupplyChainService;
} = {
  account: AccountService,
  changes: ChangesService,
  alerts: AlertsService,
  batch: BatchService,
  catalog: CatalogService,
  companyMonitoring: CompanyMonitoringService,
  conflict: ConflictService,
  infrastructure: InfrastructureService,
  trade: TradeService,
  country: CountryService,
  economic: EconomicService,
  history: HistoryService,
  intelligence: IntelligenceService,
  market: MarketService,
  military: MilitaryService,
  research: ResearchService,
  resilience: ResilienceService,
  scenario: ScenarioService,
  shipping: ShippingService,
  supplyChain: SupplyChainService,
};
