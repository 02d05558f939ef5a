// Written by `make generate`.
/** Every paged operation: its path, where the next cursor goes and stands, what a page lists, and what says whether there are more. */
export const paging = {
  "account.listRequests": {"path":"/api/account/v1/list-requests","cursor":"cursor","next":["nextCursor"],"items":"requests"},
  "account.listAuditEvents": {"path":"/api/account/v1/list-audit-events","cursor":"cursor","next":["pagination","nextCursor"],"items":"events"},
  "account.listAccounts": {"path":"/api/account/v1/list-accounts","cursor":"cursor","next":["pagination","nextCursor"],"items":"accounts"},
  "changes.listChanges": {"path":"/api/changes/v1/list-changes","cursor":"after","next":["nextPosition"],"items":"changes","more":"more"},
  "companyMonitoring.listCompanyEventImpacts": {"path":"/api/company-monitoring/v1/list-company-event-impacts","cursor":"cursor","next":["nextCursor"],"items":"impacts"},
  "companyMonitoring.listCompanyEventChanges": {"path":"/api/company-monitoring/v1/list-company-event-changes","cursor":"cursor","next":["nextCursor"],"items":"impacts"},
  "companyMonitoring.listMonitoredCompanies": {"path":"/api/company-monitoring/v1/list-monitored-companies","cursor":"cursor","next":["nextCursor"],"items":"companies"},
  "conflict.listConflictEvents": {"path":"/api/conflict/v1/list-conflict-events","cursor":"after","next":["nextAfter"],"items":"events"},
  "economic.listGlobalTenders": {"path":"/api/economic/v1/list-global-tenders","cursor":"cursor","next":["nextCursor"],"items":"tenders"},
} as const;
