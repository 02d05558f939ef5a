import type { ServiceImpl } from "@connectrpc/connect";
import type { CompanyMonitoringService } from "../../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import { accountOf } from "../../access/caller.ts";
import { importCompanies } from "./company-import.ts";
import { changeAccount } from "./generation.ts";
import { admitImpact, assessmentColumns, correctImpact, retractImpact } from "./impact-lifecycle.ts";
import { type ListParts, monitoringLists } from "./lists.ts";
import { companyMessage, impactMessage } from "./messages.ts";
import { monitoringRetention } from "./monitoring-retention.ts";
import { newId, type RandomBytes } from "./ulid.ts";

interface MonitoringParts extends ListParts {
  readonly randomBytes: RandomBytes;
}

export const companyMonitoring = { retention: monitoringRetention, implement };

function implement(parts: MonitoringParts): ServiceImpl<typeof CompanyMonitoringService> {
  const { database, clock, randomBytes } = parts;
  return {
    ...monitoringLists(parts),
    async importCompanies({ companies }, context) {
      const now = clock();
      const imported = await changeAccount(database, { account: accountOf(context), now }, (change) =>
        importCompanies(change, companies, () => newId("company", now, randomBytes)),
      );
      return { companies: imported.map(({ row, outcome }) => ({ company: companyMessage(row), outcome })) };
    },
    async admitImpact({ account, companyId, eventId, eventRevision, assessment }) {
      const now = clock();
      const admission = {
        id: newId("impact", now, randomBytes),
        companyId,
        eventId: eventId || newId("event", now, randomBytes),
        eventRevision: eventRevision || 1,
        assessment: assessmentColumns(assessment, now),
      };
      const row = await changeAccount(database, { account, now }, (change) => admitImpact(change, admission));
      return { impact: impactMessage(row) };
    },
    async correctImpact({ account, impactId, eventRevision, assessment }) {
      const now = clock();
      const correction = { eventRevision, assessment: assessmentColumns(assessment, now) };
      const row = await changeAccount(database, { account, now }, (change) =>
        correctImpact(change, impactId, correction),
      );
      return { impact: impactMessage(row) };
    },
    async retractImpact({ account, impactId, rationale }) {
      const now = clock();
      const row = await changeAccount(database, { account, now }, (change) =>
        retractImpact(change, impactId, rationale),
      );
      return { impact: impactMessage(row) };
    },
  };
}
