// Written by `make generate`.
/** The account generation from which a page was read. */
export interface MonitoringSnapshot {
  /** Time when the first page was read, RFC 3339 in UTC. */
  snapshotAsOf: string;
  /** Generation number: 0 before the first import or impact, then incremented by each call that may change either. */
  snapshotGeneration: string;
  /** Cursor for ListCompanyEventChanges, which returns the changes after this generation. Valid for 24 hours and with the same filters. Empty if there is no generation to continue from. */
  pollCursor: string;
}

