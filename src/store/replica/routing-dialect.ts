import type { DatabaseConnection, Dialect, Driver } from "kysely";

/** A dialect over two servers; which one is decided for each connection that is taken. */
export function routingDialect(primary: Dialect, replica: Dialect, isForReplica: () => boolean): Dialect {
  return {
    createDriver: () => routingDriver(primary.createDriver(), replica.createDriver(), isForReplica),
    createQueryCompiler: () => primary.createQueryCompiler(),
    createAdapter: () => primary.createAdapter(),
    createIntrospector: (database) => primary.createIntrospector(database),
  };
}

function routingDriver(primary: Driver, replica: Driver, isForReplica: () => boolean): Driver {
  const ofReplica = new WeakSet<DatabaseConnection>();
  const ownerOf = (connection: DatabaseConnection) => (ofReplica.has(connection) ? replica : primary);
  return {
    async init(options) {
      await primary.init(options);
      await replica.init(options);
    },
    async acquireConnection(options) {
      if (!isForReplica()) return primary.acquireConnection(options);
      const connection = await replica.acquireConnection(options);
      ofReplica.add(connection);
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
