import { type Client, DatabaseError } from "pg";

export interface Host {
  readonly host: string;
  readonly port: number;
}

export interface HostStatus {
  readonly at: Host;
  readonly isStandby: boolean;
  /** Number of a primary's timeline, which rises when a standby is promoted. Undefined if the server reports none. */
  readonly timeline?: number | undefined;
}

interface Row {
  readonly standby: boolean;
  readonly segment?: string | null;
}

/**
 * Reads the timeline from the name of the current log file. After a promotion, `pg_control_checkpoint()` returns the
 * old one until the next checkpoint.
 */
const timelineQuery = `
  select standby, case when not standby then pg_walfile_name(pg_current_wal_lsn()) end as segment
  from pg_is_in_recovery() as standby`;
/** Servers that are compatible with Postgres but have another log support only this query. */
const plainQuery = "select pg_is_in_recovery() as standby";

export async function hostStatusOf(client: Client): Promise<HostStatus> {
  const { rows } = await client.query<Row>(timelineQuery).catch((error: unknown) => {
    if (error instanceof DatabaseError) return client.query<Row>(plainQuery);
    throw error;
  });
  const { standby = false, segment } = rows[0] ?? {};
  return {
    at: { host: client.host, port: client.port },
    isStandby: standby,
    timeline: segment ? Number.parseInt(segment.slice(0, 8), 16) : undefined,
  };
}

/** Returns the primary on the newest timeline; undefined if all primaries are on the same one. */
export function leaderOf(statuses: readonly HostStatus[]): HostStatus | undefined {
  const known = statuses.filter(({ isStandby, timeline }) => !isStandby && timeline !== undefined);
  const leader = known.reduce<HostStatus | undefined>(
    (best, each) => ((each.timeline ?? 0) > (best?.timeline ?? 0) ? each : best),
    undefined,
  );
  return known.some((each) => isLeftBehind(each, leader)) ? leader : undefined;
}

/** Whether a server still acts as a primary although another one was promoted. */
export function isLeftBehind({ isStandby, timeline }: HostStatus, leader: HostStatus | undefined): boolean {
  return !isStandby && timeline !== undefined && timeline < (leader?.timeline ?? 0);
}
