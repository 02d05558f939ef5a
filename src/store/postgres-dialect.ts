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
import { throwReported } from "./connection-failure.ts";

/** Kysely's Postgres dialect over a pool, with a lost database reported as `Unavailable`. */
export function postgresDialect(pool: PostgresPool): Dialect {
  return {
    createDriver: () => new ReportingDriver({ pool }),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
  };
}

class ReportingDriver extends PostgresDriver {
  // The base class keeps one connection object a client, so each needs wrapping once.
  readonly #reporting = new WeakSet<DatabaseConnection>();

  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(options).catch(throwReported);
    if (!this.#reporting.has(connection)) {
      this.#reporting.add(connection);
      const execute = connection.executeQuery;
      connection.executeQuery = <R>(query: CompiledQuery, settings?: AbortableOperationOptions) =>
        (execute<R>).call(connection, query, settings).catch(throwReported);
    }
    return connection;
  }
}
