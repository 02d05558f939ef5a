import { type Client, DatabaseError } from "pg";

/** Where a server answered. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

/** What a server says of itself. */
export interface HostStatus {
  readonly at: Host;
  readonly isStandby: boolean;
  /** Of a primary; a standby that is promoted begins the next one. Undefined where the server does not tell. */
  readonly timeline?: number | undefined;
}

interface Row {
  readonly standby: boolean;
  readonly segment?: string | null;
}

/** `pg_control_checkpoint()` would tell the timeline from before a promotion until the next checkpoint. */
const timelineQuery = `
  select standby, case when not standby then pg_walfile_name(pg_current_wal_lsn()) end as segment
  from pg_is_in_recovery() as standby`;
/** Of servers that keep their log otherwise. */
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

/** The primary that the others were left behind by; undefined where no two of them are on different timelines. */
export function leaderOf(statuses: readonly HostStatus[]): HostStatus | undefined {
  const known = statuses.filter(({ isStandby, timeline }) => !isStandby && timeline !== undefined);
  const leader = known.reduce<HostStatus | undefined>(
    (best, each) => ((each.timeline ?? 0) > (best?.timeline ?? 0) ? each : best),
    undefined,
  );
  return known.some((each) => isLeftBehind(each, leader)) ? leader : undefined;
}

/** Whether a server still answers as a primary though another one was promoted. */
export function isLeftBehind({ isStandby, timeline }: HostStatus, leader: HostStatus | undefined): boolean {
  return !isStandby && timeline !== undefined && timeline < (leader?.timeline ?? 0);
}
