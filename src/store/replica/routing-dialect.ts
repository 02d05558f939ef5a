import type { DatabaseConnection, Dialect, Driver } from "kysely";

/** Where a piece of reading goes, whether it asked anything, and what went wrong last. */
export interface Reading {
  readonly from: "primary" | "replica";
  asked: boolean;
  failure?: unknown;
}

/** A dialect over two servers; which one is decided for each connection that is taken. */
export function routingDialect(primary: Dialect, replica: Dialect, readingNow: () => Reading | undefined): Dialect {
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
      if (reading) reading.asked = true;
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
