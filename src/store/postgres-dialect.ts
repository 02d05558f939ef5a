import { AsyncLocalStorage } from "node:async_hooks";
import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
} from "kysely";
import { Unavailable } from "../errors.ts";
import type { RecordStatement } from "../telemetry/tracing.ts";
import { rethrowDatabaseError } from "./connection-failure.ts";

/** Kysely's Postgres dialect for a pool. A lost database is reported as `Unavailable`. */
export function postgresDialect(pool: PostgresPool, record?: RecordStatement): Dialect {
  return {
    createDriver: () => new ReportingDriver(pool, record),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
  };
}

class ReportingDriver extends PostgresDriver {
  // Connections that already report a lost database. The base class reuses these objects, so each is wrapped once.
  readonly #reporting = new WeakSet<DatabaseConnection>();
  readonly #record: RecordStatement | undefined;

  constructor(pool: PostgresPool, record: RecordStatement | undefined) {
    super({ pool });
    this.#record = record;
  }

  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(options).catch(rethrowDatabaseError);
    if (!this.#reporting.has(connection)) {
      this.#reporting.add(connection);
      const execute = connection.executeQuery;
      const executeReporting = <R>(query: CompiledQuery, settings?: AbortableOperationOptions) =>
        (execute<R>).call(connection, query, settings).catch(rethrowDatabaseError);
      const record = this.#record;
      connection.executeQuery = record
        ? (query, settings) => record(query.sql, () => executeReporting(query, settings))
        : executeReporting;
    }
    return connection;
  }

  /** Commits a transaction. If it succeeded but the response was lost, its mark in the database proves this. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const mark = marking.getStore();
    if (!mark) return super.commitTransaction(connection);
    const { numAffectedRows = 0n } = await connection.executeQuery(mark.statement);
    mark.marked += Number(numAffectedRows);
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      const isKnown = error instanceof Unavailable && numAffectedRows > 0n;
      if (!(isKnown && (await mark.areCommitted(mark.marked).catch(() => false)))) throw error;
    }
  }
}

/** If the connection is lost between a commit and its response, the mark shows whether the commit happened. */
export interface CommitMark {
  /** The last statement of each transaction, which stores the mark. It changes a row if the transaction has written. */
  readonly statement: CompiledQuery;
  /** Returns whether a call has committed this many transactions. Waits for the end of a running transaction. */
  readonly areCommitted: (transactions: number) => Promise<boolean>;
}

interface Marking extends CommitMark {
  marked: number;
}

const marking = new AsyncLocalStorage<Marking>();

export function withCommitMark<T>(mark: CommitMark, work: () => Promise<T>): Promise<T> {
  return marking.run({ ...mark, marked: 0 }, work);
}
