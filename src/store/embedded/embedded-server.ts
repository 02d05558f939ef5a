import { createServer, type Server, type Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";
import { notifications, transactionState } from "./backend-output.ts";
import { frontendReader, headerBytes, protocolMessage, tags, type Unit } from "./frontend-reader.ts";
import { repeatedStatements } from "./repeated-statements.ts";

interface Client {
  readonly socket: Socket;
  units: Unit[];
}

interface Options {
  readonly path: string;
  readonly idleInTransactionMs: number;
  readonly log: (message: string) => void;
}

/** So many statements may go before a transaction that waits: it is never kept out. */
const mostOvertaking = 32;

// Ends a batch that stopped in the middle, then the transaction.
const rollback: Unit = {
  bytes: Buffer.concat([protocolMessage(tags.sync), protocolMessage(tags.query, "rollback\0")]),
  last: tags.query,
};

/**
 * Lets many clients of the Postgres protocol share the engine through a Unix socket. The engine is one backend with one
 * session: a batch of messages runs to its end before another client's, a transaction keeps the engine to its client, and
 * one that leaves or idles in it is rolled back. Notifications go to all; settings and named statements are shared.
 */
export function serveEmbedded(engine: Pick<PGlite, "execProtocolRawStream">, options: Options): Promise<Server> {
  const clients = new Set<Client>();
  const waiting: Client[] = [];
  let owner: Client | undefined;
  let ownerIdle: NodeJS.Timeout | undefined;
  const repeated = repeatedStatements();
  const execute = (bytes: Uint8Array) => executeOn(engine, bytes);
  let running = false;
  let overtaken = 0;

  const server = createServer((socket) => {
    const client: Client = { socket, units: [] };
    const read = frontendReader((bytes) => socket.write(bytes));
    clients.add(client);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => leave(client));
    socket.on("data", (data) => {
      const units = read(data);
      if (client !== owner && client.units.length === 0 && units.length > 0) waiting.push(client);
      client.units.push(...units);
      void run();
    });
  });
  return new Promise((resolve, reject) => server.once("error", reject).listen(options.path, () => resolve(server)));

  function leave(client: Client): void {
    clients.delete(client);
    client.units = client === owner ? [rollback] : [];
    void run();
  }

  /** Runs what waits, first come first served. It rejects only when the engine is broken, which ends the thread. */
  async function run(): Promise<void> {
    if (running) return;
    running = true;
    clearTimeout(ownerIdle);
    for (;;) {
      const client = owner ?? nextClient();
      const unit = client?.units.shift();
      if (client !== undefined && unit !== undefined) await answer(client, unit);
      else if (client === owner) break;
    }
    running = false;
    if (owner !== undefined) ownerIdle = setTimeout(abandon, options.idleInTransactionMs, owner);
  }

  /** First come, first served, but one statement goes before a transaction: it then waits for the one under way alone, not for all that are due. */
  function nextClient(): Client | undefined {
    const single = overtaken < mostOvertaking ? waiting.findIndex(({ units: [first] }) => !first || !begins(first)) : 0;
    overtaken = single > 0 ? overtaken + 1 : 0;
    return waiting.splice(Math.max(single, 0), 1)[0];
  }

  async function answer(client: Client, unit: Unit): Promise<void> {
    const { socket } = client;
    if (unit.last === tags.terminate) {
      socket.end();
      return;
    }
    const isOwner = client === owner;
    const output = await (isOwner ? repeated.run(unit.bytes, execute) : execute(unit.bytes));
    if (socket.writable) socket.write(output);
    for (const notification of notifications(output))
      for (const other of clients) if (other !== client && other.socket.writable) other.socket.write(notification);
    const state = transactionState(output);
    if (state === undefined && unit.last !== tags.flush)
      throw new Error("The embedded database did not finish an answer");
    owner = state === "none" ? undefined : client;
    if (isOwner && owner === undefined) await repeated.end(execute);
    if (owner === undefined && client.units.length > 0) waiting.push(client);
  }

  function abandon(client: Client): void {
    options.log(`A transaction was rolled back: its client did nothing for ${options.idleInTransactionMs} ms`);
    client.socket.destroy();
  }
}

/** Whether a transaction of several statements begins with it. */
function begins({ bytes, last }: Unit): boolean {
  return last === tags.query && /^\s*begin\b/i.test(bytes.toString("latin1", headerBytes, 32));
}

async function executeOn(engine: Pick<PGlite, "execProtocolRawStream">, bytes: Uint8Array): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // The data is a view into the engine's memory, so it is copied.
  await engine.execProtocolRawStream(bytes, { onRawData: (data) => chunks.push(Buffer.from(data)) });
  return Buffer.concat(chunks);
}
