import { createServer, type Server, type Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";
import { byte, frontendReader, headerBytes, protocolMessage, tags, type Unit } from "./frontend-reader.ts";

/** Prepares repeated statements, because the engine needs more time to plan a small statement than to run it. */
interface RepeatedStatements {
  readonly run: (bytes: Buffer, execute: Execute) => Promise<Buffer>;
  /** Drops the prepared statements at the end of the transaction, because a later transaction may need other plans. */
  readonly end: (execute: Execute) => Promise<void>;
}

type Execute = (bytes: Uint8Array) => Promise<Buffer>;

const plannedAtTime = 3;
/** Longer statements are not prepared, because planning is a small share of their duration. */
const maxBytes = 16 * 1024;
/** Maximum number of statements that are counted per transaction, which limits the memory for the counts. */
const maxTexts = 256;

function repeatedStatements(): RepeatedStatements {
  const times = new Map<string, number>();
  const names = new Map<string, string>();
  let made = 0;
  return {
    async run(bytes, execute) {
      const statement = bytes.length <= maxBytes ? oneStatement(bytes) : undefined;
      // A change of a table may invalidate prepared statements, so all are dropped first.
      if (!statement && changesTables(bytes)) await end(execute);
      if (!statement) return execute(bytes);
      const known = names.get(statement.text);
      if (known !== undefined) return Buffer.concat([parseComplete, await execute(bindTo(known, statement))]);
      const time = (times.get(statement.text) ?? 0) + 1;
      if (time === 1 && times.size >= maxTexts) return execute(bytes);
      times.set(statement.text, time);
      if (time < plannedAtTime) return execute(bytes);
      made += 1;
      const name = `repeated_${made}`;
      const parse = protocolMessage(tag.parse, Buffer.concat([Buffer.from(`${name}\0`), statement.parsed]));
      const output = await execute(Buffer.concat([parse, bindTo(name, statement)]));
      if (output[0] === parseComplete[0]) names.set(statement.text, name);
      return output;
    },
    end,
  };

  async function end(execute: Execute): Promise<void> {
    const closes = [...names.values()].map((name) => protocolMessage(tag.close, `S${name}\0`));
    times.clear();
    names.clear();
    if (closes.length > 0) await execute(Buffer.concat([...closes, protocolMessage(tags.sync)]));
  }
}

/** Returns whether a statement changes tables. Drivers send it as text, because it has no values. */
function changesTables(unit: Buffer): boolean {
  return (
    unit[0] === tags.query &&
    /^\s*(?:create|alter|drop)\b/i.test(unit.toString("latin1", headerBytes, headerBytes + 64))
  );
}

/** Three messages of the protocol: they parse an unnamed statement, bind values to it, and run it. */
interface OneStatement {
  readonly text: string;
  /** The bytes after the statement's name, in the message that parses it and in the one that binds values. */
  readonly parsed: Buffer;
  readonly bound: Buffer;
  readonly rest: Buffer;
}

function bindTo(name: string, { bound, rest }: OneStatement): Buffer {
  return Buffer.concat([protocolMessage(tag.bind, Buffer.concat([Buffer.from(`\0${name}\0`), bound])), rest]);
}

/** Returns the statement of a batch with these three messages, which drivers send if it has values; else undefined. */
function oneStatement(unit: Buffer): OneStatement | undefined {
  const ends: number[] = [];
  for (let offset = 0; offset < unit.length; ends.push(offset)) {
    if (unit[offset] !== sequence[ends.length]) return undefined;
    offset += 1 + unit.readUInt32BE(offset + 1);
  }
  const [parseEnd = 0, bindEnd = 0] = ends;
  const isNameless =
    unit[headerBytes] === 0 && unit[parseEnd + headerBytes] === 0 && unit[parseEnd + headerBytes + 1] === 0;
  if (ends.length !== sequence.length || !isNameless || unit[bindEnd + headerBytes] !== ofPortal) return undefined;
  const parsed = unit.subarray(headerBytes + 1, parseEnd);
  return {
    text: parsed.toString("latin1"),
    parsed,
    bound: unit.subarray(parseEnd + headerBytes + 2, bindEnd),
    rest: unit.subarray(bindEnd),
  };
}

const tag = { parse: byte("P"), bind: byte("B"), describe: byte("D"), execute: byte("E"), close: byte("C") };
const sequence = [tag.parse, tag.bind, tag.describe, tag.execute, tags.sync];
const ofPortal = byte("P");
const parseComplete = protocolMessage(byte("1"));

/** Returns whether a transaction is open after a batch. Undefined if the output does not end a batch. */
function transactionState(output: Buffer): "none" | "open" | undefined {
  const ready = output.length - readyForQueryBytes;
  if (ready < 0 || output[ready] !== readyForQuery || output.readUInt32BE(ready + 1) !== readyForQueryBytes - 1)
    return undefined;
  return output.at(-1) === idle ? "none" : "open";
}

/** Yields the complete notification messages of the output. */
function* notifications(output: Buffer): Generator<Buffer> {
  for (let offset = 0; offset + headerBytes <= output.length; ) {
    const end = offset + 1 + output.readUInt32BE(offset + 1);
    if (output[offset] === notification) yield output.subarray(offset, end);
    offset = end;
  }
}

const readyForQueryBytes = 6;
const notification = byte("A");
const readyForQuery = byte("Z");
const idle = byte("I");

interface Client {
  readonly socket: Socket;
  units: Unit[];
}

interface Options {
  readonly path: string;
  readonly idleInTransactionMs: number;
  readonly log: (message: string) => void;
}

const maxOvertaking = 32;

const rollback: Unit = {
  bytes: Buffer.concat([protocolMessage(tags.sync), protocolMessage(tags.query, "rollback\0")]),
  last: tags.query,
};

/**
 * Shares the engine among clients of the Postgres protocol on a Unix socket. The engine is one backend with one
 * session. A batch of messages runs without interruption, and a transaction keeps the engine for its client. A
 * transaction is rolled back if its client disconnects or idles. All clients receive notifications; settings and named
 * statements are shared.
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

  /** Runs the waiting batches of clients in order. Rejects only if the engine is broken, which ends the thread. */
  async function run(): Promise<void> {
    if (running) return;
    running = true;
    clearTimeout(ownerIdle);
    for (;;) {
      const client = owner ?? nextClient();
      const unit = client?.units.shift();
      if (client !== undefined && unit !== undefined) await respond(client, unit);
      else if (client === owner) break;
    }
    running = false;
    if (owner !== undefined) ownerIdle = setTimeout(abandon, options.idleInTransactionMs, owner);
  }

  /** Returns the next client. A single statement precedes transactions, so that it waits for one batch only. */
  function nextClient(): Client | undefined {
    const single = overtaken < maxOvertaking ? waiting.findIndex(({ units: [first] }) => !first || !begins(first)) : 0;
    overtaken = single > 0 ? overtaken + 1 : 0;
    return waiting.splice(Math.max(single, 0), 1)[0];
  }

  async function respond(client: Client, unit: Unit): Promise<void> {
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
      throw new Error("The embedded database did not finish a response");
    owner = state === "none" ? undefined : client;
    if (isOwner && owner === undefined) await repeated.end(execute);
    if (owner === undefined && client.units.length > 0) waiting.push(client);
  }

  function abandon(client: Client): void {
    options.log(`A transaction was rolled back: its client did nothing for ${options.idleInTransactionMs} ms`);
    client.socket.destroy();
  }
}

function begins({ bytes, last }: Unit): boolean {
  return last === tags.query && /^\s*begin\b/i.test(bytes.toString("latin1", headerBytes, 32));
}

async function executeOn(engine: Pick<PGlite, "execProtocolRawStream">, bytes: Uint8Array): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // The data is a view into the engine's memory, so it is copied.
  await engine.execProtocolRawStream(bytes, { onRawData: (data) => chunks.push(Buffer.from(data)) });
  return Buffer.concat(chunks);
}
