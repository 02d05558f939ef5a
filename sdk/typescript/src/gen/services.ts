// Written by `make generate`.
import { AccountService } from "./ids/account/v1/account_pb.ts";
import { CompanyMonitoringService } from "./ids/company_monitoring/v1/company_monitoring_pb.ts";
import { ConflictService } from "./ids/conflict/v1/conflict_pb.ts";
import { EconomicService } from "./ids/economic/v1/economic_pb.ts";
import { InfrastructureService } from "./ids/infrastructure/v1/infrastructure_pb.ts";
import { MilitaryService } from "./ids/military/v1/military_pb.ts";

/** Every service by its domain. */
export const services: {
  readonly account: typeof AccountService;
  readonly companyMonitoring: typeof CompanyMonitoringService;
  readonly conflict: typeof ConflictService;
  readonly economic: typeof EconomicService;
  readonly infrastructure: typeof InfrastructureService;
  readonly military: typeof MilitaryService;
} = {
  account: AccountService,
  companyMonitoring: CompanyMonitoringService,
  conflict: ConflictService,
  economic: EconomicService,
  infrastructure: InfrastructureService,
  military: MilitaryService,
};
