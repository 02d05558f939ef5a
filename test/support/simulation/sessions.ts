import { Kysely, type PostgresPool } from "kysely";
import { Client, type QueryResult } from "pg";
import { postgresDialect } from "../../../src/store/postgres-dialect.ts";
import type { StoreTables } from "../../../src/store/tables.ts";
import type { Call, Replica, World } from "./world.ts";

/** Connections to one Postgres that simulated processes use, in turn and over all seeds. */
export interface Sessions extends AsyncDisposable {
  /** Connected outside the simulation, so that its reads are not delayed. */
  readonly observer: Client;
  /** To be called for each world: its calls that wait for a lock are then known. */
  readonly join: (world: World) => void;
  readonly of: (world: World, replica: Replica) => SimulatedPool;
}

/** A process's connections: each statement waits for its turn. */
export interface SimulatedPool {
  readonly kysely: Kysely<StoreTables>;
  readonly query: (statement: Statement, values?: readonly unknown[]) => Promise<QueryResult>;
}

type Statement = string | { readonly text: string; readonly values?: readonly unknown[] };

export async function openSessions(url: string): Promise<Sessions> {
  const all: Client[] = [];
  const free: Client[] = [];
  const connect = async () => {
    const client = new Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    // Those that wait for each other are found by the simulation itself.
    await client.query("set deadlock_timeout = '1h'");
    all.push(client);
    return client;
  };
  const observer = await connect();
  const waiting = async () => {
    const { rows } = await observer.query(`
      select distinct pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`);
    return rows.length;
  };
  const take = async () => free.pop() ?? connect();
  return {
    observer,
    join(world) {
      world.stalled = waiting;
    },
    of(world, replica) {
      const connections = new Set<Connection>();
      replica.atEnd.push(async () => {
        for (const each of connections) {
          const client = await each.cut();
          if (client) free.push(client);
        }
      });
      const open = () => {
        const made = new Connection({ world, replica, take, observer });
        connections.add(made);
        return made;
      };
      const release = (connection: Connection) => {
        connections.delete(connection);
        if (connection.client) free.push(connection.client);
      };
      const pool = {
        async connect() {
          const connection = open();
          return { query: connection.query, release: () => release(connection) };
        },
        end: async () => undefined,
      };
      return {
        kysely: new Kysely<StoreTables>({ dialect: postgresDialect(pool as unknown as PostgresPool) }),
        async query(statement, values) {
          const connection = open();
          try {
            return await connection.query(statement, values);
          } finally {
            release(connection);
          }
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((client) => client.end()));
    },
  };
}

/** A transaction that has begun without a call to the server, one that is open there, or a lost connection. */
type State = "free" | "beginning" | "open" | "lost";

interface ConnectionParts {
  readonly world: World;
  readonly replica: Replica;
  readonly take: () => Promise<Client>;
  readonly observer: Client;
}

type How = Parameters<Call<unknown>["run"]>[0];

class Connection {
  readonly #world: World;
  readonly #replica: Replica;
  readonly #take: () => Promise<Client>;
  readonly #observer: Client;
  client: Client | undefined;
  #state = "free" as State;
  #running: Promise<unknown> | undefined;

  constructor({ world, replica, take, observer }: ConnectionParts) {
    this.#world = world;
    this.#replica = replica;
    this.#take = take;
    this.#observer = observer;
  }

  query = async (statement: Statement, values?: readonly unknown[]): Promise<QueryResult> => {
    const { text, values: own = values ?? [] } =
      typeof statement === "string" ? { text: statement, values } : statement;
    if (this.#state === "lost") throw connectionLost();
    if (/^(begin|start transaction)/.test(text)) {
      this.#state = "beginning";
      return nothing;
    }
    // A transaction that did nothing.
    if (this.#state === "beginning" && /^(commit|rollback)/.test(text)) {
      this.#state = "free";
      return nothing;
    }
    return this.#world.step(this.#replica, text.replaceAll(/\s+/g, " ").slice(0, 60), {
      run: ({ loss, mayBeUndone }) => {
        const running = this.#run(text, own, { loss, mayBeUndone });
        this.#running = running
          .catch(() => undefined)
          .finally(() => {
            this.#running = undefined;
          });
        return running;
      },
      undo: async () => {
        await this.#cancel();
        if (this.#state === "open") await this.client?.query("rollback to savepoint before");
      },
    });
  };

  async #run(text: string, values: readonly unknown[], { loss, mayBeUndone }: How): Promise<QueryResult> {
    this.client ??= await this.#take();
    if (loss === "call") return this.#lose();
    if (this.#state === "beginning") {
      await this.client.query("begin");
      this.#state = "open";
    }
    if (mayBeUndone && this.#state === "open") await this.client.query("savepoint before");
    // The server's clock is right, and moves with the world's.
    const now = `to_timestamp(${this.#world.time.now() / 1_000})`;
    const result = await this.client.query(text.replaceAll("clock_timestamp()", now), [...values]);
    if (/^(commit|rollback)/.test(text)) this.#state = "free";
    return loss === "answer" ? this.#lose() : result;
  }

  /** Cancels the running query. */
  async #cancel(): Promise<void> {
    if (this.#running === undefined) return;
    const { processID } = this.client as unknown as { processID: number };
    await this.#observer.query("select pg_cancel_backend($1)", [processID]);
    await this.#running;
  }

  async #lose(): Promise<never> {
    await this.#end();
    this.#state = "lost";
    throw connectionLost();
  }

  async #end(): Promise<void> {
    if (this.#state === "open") await this.client?.query("rollback");
    this.#state = "free";
  }

  /** As when its process dies: what was not committed is not. */
  async cut(): Promise<Client | undefined> {
    await this.#cancel();
    await this.#end();
    return this.client;
  }
}

const nothing = { rows: [], rowCount: 0, command: "BEGIN", oid: 0, fields: [] } as QueryResult;

function connectionLost(): Error {
  return Object.assign(new Error("The connection was lost"), { code: "ECONNRESET" });
}
