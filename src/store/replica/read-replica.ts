import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { type DatabaseConnection, type Dialect, type Driver, Kysely, sql } from "kysely";
import { NothingToServe, Unavailable } from "../../errors.ts";
import type { Database } from "../database.ts";
import { repeater } from "../served/repeater.ts";
import type { Store, StoreTables } from "../tables.ts";

/** Derives how far a replica is behind from positions in the primary's log. If it has all of the log, its lag is 0. */
interface Lag {
  readonly written: (position: bigint, at: number) => void;
  /** Returns the lag; undefined if the replica has not reached any of the known positions. */
  readonly behindMs: (replayed: bigint, now: number) => number | undefined;
}

const maxMarks = 1_000;

function createLag(): Lag {
  /** Log positions of the primary with their times, oldest first. */
  const marks: { readonly position: bigint; readonly at: number }[] = [];
  return {
    written(position, at) {
      // After a failover, the new primary's log may start before the last known position.
      if ((marks.at(-1)?.position ?? position) > position) marks.length = 0;
      marks.push({ position, at });
      if (marks.length > maxMarks) marks.shift();
    },
    behindMs(replayed, now) {
      const newest = marks.findLastIndex(({ position }) => position <= replayed);
      const mark = marks[newest];
      if (!mark) return undefined;
      marks.splice(0, newest);
      return now - mark.at;
    },
  };
}

/** State of the replica. Reads use it only if the state is `used`. */
type ReplicaState = "used" | "behind" | "unreachable" | "no standby" | "of another primary";

/** Number of reads by server. `both` means that a read failed on the replica and was repeated on the primary. */
type ReadCounts = Readonly<Record<"replica" | "primary" | "both", number>>;

export interface ReadReplica {
  /** Queries the server that the current read has selected, or the primary outside a read. */
  readonly kysely: Store;
  /** Runs a read on one server. If it fails on the replica, it is repeated on the primary. */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
  /** Requires that the replica has this version of a dataset or other object before it serves further reads. */
  readonly published: (name: string, generation: number) => void;
  readonly state: () => ReplicaState;
  /** Lag at the last check; undefined if unknown. */
  readonly lagMs: () => number | undefined;
  readonly counts: () => ReadCounts;
  readonly close: () => Promise<void>;
}

export interface ReadReplicaOptions {
  readonly maxLagMs?: number | undefined;
  readonly log: (message: string) => void;
}

/** If the replica's lag is longer than this, reads use the primary. */
const defaultMaxLagMs = 10_000;
const lookMs = 1_000;
/** Interval of checks while the replica lacks a version of an object that this process has already served. */
const lookAgainMs = 50;
/** A server that does not respond in this time counts as unreachable. */
const responseTimeoutMs = 1_000;

/** Monitors a replica. Resolves after the first check. */
export async function openReadReplica(
  primary: Database,
  replica: Database,
  { maxLagMs = defaultMaxLagMs, log }: ReadReplicaOptions,
): Promise<ReadReplica> {
  const readings = new AsyncLocalStorage<Reading>();
  const counts = { replica: 0, primary: 0, both: 0 };
  const served = new Map<string, number>();
  const lag = createLag();
  let state: ReplicaState | undefined;
  let lagMs: number | undefined;
  let has: ReadonlyMap<string, number> = new Map();
  let isLevel = false;
  let again: NodeJS.Timeout | undefined;

  const enter = (next: ReplicaState, detail = "") => {
    if (state === next) return;
    const isFirst = state === undefined;
    state = next;
    if (next !== "used") log(`Reads go to the primary: the replica is ${next}${detail}`);
    else if (!isFirst) log("Reads go to the replica again");
  };
  const compare = () => {
    isLevel = [...served].every(([name, generation]) => (has.get(name) ?? 0) >= generation);
  };
  const look = async () => {
    clearTimeout(again);
    const at = performance.now();
    const [first, second] = await Promise.all([
      inTime(requestPrimary(primary)).catch(() => undefined),
      inTime(requestReplica(replica)).catch(() => undefined),
    ]);
    if (first) lag.written(first.position, at);
    // If the primary is unreachable, the lag is unknown, but the replica stays in use because no data is published.
    lagMs = first && second ? lag.behindMs(second.position, performance.now()) : undefined;
    has = second?.generations ?? new Map();
    compare();
    if (!second) enter("unreachable");
    else if (!second.isStandby) enter("no standby");
    else if (first && first.system !== second.system) enter("of another primary");
    else if (first && (lagMs ?? Number.POSITIVE_INFINITY) > maxLagMs) enter("behind", behindText(lagMs));
    else enter("used");
    if (!isLevel) again = setTimeout(looking.request, lookAgainMs);
  };
  const looking = repeater(look, { what: "The replica cannot be checked", log });
  const timer = setInterval(looking.request, lookMs);

  const readFrom = async <T>(from: Reading["from"], work: () => Promise<T>): Promise<T> => {
    const reading: Reading = { from, requested: false };
    try {
      const read = await readings.run(reading, work);
      // The read may turn an error of the replica into a response, so that error is thrown here.
      if (from === "replica" && "failure" in reading) throw reading.failure;
      if (reading.requested) counts[from] += 1;
      return read;
    } catch (error) {
      if (from === "primary" || !reading.requested) throw error;
      counts.both += 1;
      if (error instanceof Unavailable && !(error instanceof NothingToServe)) looking.request();
      // After any failure, the read is repeated on the primary, which may have data that the replica lacks.
      return readings.run({ from: "primary", requested: false }, work);
    }
  };
  const kysely = new Kysely<StoreTables>({
    dialect: routingDialect(primary.dialect, replica.dialect, () => readings.getStore()),
  });
  looking.request();
  await looking.settled();
  return {
    kysely,
    read: (work) => readFrom(state === "used" && isLevel ? "replica" : "primary", work),
    published(name, generation) {
      served.set(name, generation);
      compare();
      if (!isLevel) looking.request();
    },
    state: () => state ?? "unreachable",
    lagMs: () => lagMs,
    counts: () => ({ ...counts }),
    async close() {
      clearInterval(timer);
      clearTimeout(again);
      await looking.close();
      clearTimeout(again);
    },
  };
}

function behindText(lagMs: number | undefined): string {
  return lagMs === undefined ? "" : `, by ${Math.round(lagMs / 1_000)} s`;
}

function inTime<T>(response: Promise<T>): Promise<T> {
  const late = delay(responseTimeoutMs, undefined, { ref: false }).then(() => {
    throw new Unavailable(`No response within ${responseTimeoutMs} ms`);
  });
  return Promise.race([response, late]);
}

async function requestPrimary({ kysely }: Database) {
  const { rows } = await sql<{ position: string; system: string }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as position, system_identifier::text as system
    from pg_control_system()`.execute(kysely);
  return { position: BigInt(rows[0]?.position ?? 0), system: rows[0]?.system };
}

/** Reads the log position and the versions in one statement, so the position is not older than the versions. */
async function requestReplica({ kysely }: Database) {
  const { rows } = await sql<{
    isStandby: boolean;
    position: string | null;
    system: string;
    generations: Readonly<Record<string, number>> | null;
  }>`
    select pg_is_in_recovery() as "isStandby", pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as position,
      system_identifier::text as system, (select json_object_agg(name, value) from generation) as generations
    from pg_control_system()`.execute(kysely);
  const [row] = rows;
  return {
    isStandby: row?.isStandby === true,
    position: BigInt(row?.position ?? 0),
    system: row?.system,
    generations: new Map(Object.entries(row?.generations ?? {})),
  };
}

interface Reading {
  readonly from: "primary" | "replica";
  requested: boolean;
  failure?: unknown;
}

function routingDialect(primary: Dialect, replica: Dialect, readingNow: () => Reading | undefined): Dialect {
  return {
    createDriver: () => routingDriver(primary.createDriver(), replica.createDriver(), readingNow),
    createQueryCompiler: () => primary.createQueryCompiler(),
    createAdapter: () => primary.createAdapter(),
    createIntrospector: (database) => primary.createIntrospector(database),
  };
}

function routingDriver(primary: Driver, replica: Driver, readingNow: () => Reading | undefined): Driver {
  const ofReplica = new WeakSet<DatabaseConnection>();
  const noteFailure = (failure: unknown): never => {
    const reading = readingNow();
    if (reading) reading.failure = failure;
    throw failure;
  };
  const ownerOf = (connection: DatabaseConnection) => (ofReplica.has(connection) ? replica : primary);
  return {
    async init(options) {
      await primary.init(options);
      await replica.init(options);
    },
    async acquireConnection(options) {
      const reading = readingNow();
      if (reading) reading.requested = true;
      if (reading?.from !== "replica") return primary.acquireConnection(options);
      const connection = await replica.acquireConnection(options).catch(noteFailure);
      if (!ofReplica.has(connection)) {
        ofReplica.add(connection);
        const { executeQuery } = connection;
        connection.executeQuery = <R>(...query: Parameters<typeof executeQuery>) =>
          (executeQuery<R>).apply(connection, query).catch(noteFailure);
      }
      return connection;
    },
    beginTransaction: (connection, settings) => ownerOf(connection).beginTransaction(connection, settings),
    commitTransaction: (connection) => ownerOf(connection).commitTransaction(connection),
    rollbackTransaction: (connection) => ownerOf(connection).rollbackTransaction(connection),
    releaseConnection: (connection, options) => ownerOf(connection).releaseConnection(connection, options),
    async destroy(options) {
      await primary.destroy(options);
      await replica.destroy(options);
    },
  };
}
