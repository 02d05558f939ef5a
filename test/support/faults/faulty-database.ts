import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attachDatabase, type Database } from "../../../src/store/database.ts";

/** Something outside of which one call fails. */
export interface FaultSource {
  readonly faults: readonly string[];
  /** From now on calls are counted, and this one fails so. */
  readonly arm: (fault: string, call: number) => void;
  /** Nothing fails any more. Returns what the call was that failed, if it came to that. */
  readonly disarm: () => string | undefined;
}

/**
 * What becomes of one call to the database: its connection is cut before it arrives, or after it was done and before its answer
 * comes; it is never answered; the server refuses it because its disk is full.
 */
const faults = ["cut before", "cut after", "hangs", "disk full"];

/** A database whose calls go through a proxy that makes one of them fail. */
export interface FaultyDatabase extends FaultSource, AsyncDisposable {
  readonly database: Database;
  /** From now on the first call whose text holds this fails so. */
  readonly failOn: (fault: string, text: string) => void;
}

/** Time after which the client gives up on a query. Short, because the loops of faults wait for it often. */
const shortTimeoutMs = 800;
const socketName = ".s.PGSQL.5432";

export async function startFaultyDatabase(
  { settings }: Database,
  responseTimeoutMs = shortTimeoutMs,
): Promise<FaultyDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "ids-faults-"));
  const target = socketOf(settings.address);
  let fault: string | undefined;
  let failing: number | string = 0;
  let calls = 0;
  let met: string | undefined;
  const sockets = new Set<Socket>();
  const proxy: Server = createServer((client) => {
    const server = connect(target);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    const cut = () => {
      client.destroy();
      server.destroy();
    };
    client.on("close", cut);
    server.on("close", cut);
    let isSwallowed = false;
    const responses = messages(0, (type, bytes) => {
      if (!isSwallowed) client.write(bytes);
      else if (type === "Z") cut();
    });
    const questions = messages(1, (_type, bytes, isWhole) => {
      if (!isWhole) return void server.write(bytes);
      calls += 1;
      const isMeant = typeof failing === "number" ? calls === failing : bytes.includes(failing);
      if (fault === undefined || met !== undefined || !isMeant) return void server.write(bytes);
      met = textOf(bytes);
      if (fault === "cut before") cut();
      else if (fault === "disk full") server.write(rejection);
      else {
        isSwallowed = fault === "cut after";
        if (isSwallowed) server.write(bytes);
      }
      return undefined;
    });
    client.on("data", questions);
    server.on("data", responses);
  });
  await once(proxy.listen(join(folder, socketName)), "listening");
  const database = attachDatabase(
    { kind: settings.kind, address: throughFolder(settings.address, folder) },
    { name: "faulty", limits: { postgres: responseTimeoutMs, embedded: responseTimeoutMs } },
  );
  return {
    database,
    faults,
    arm(next, call) {
      [fault, failing, calls, met] = [next, call, 0, undefined];
    },
    failOn(next, text) {
      [fault, failing, met] = [next, text, undefined];
    },
    disarm() {
      fault = undefined;
      return met;
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      for (const socket of sockets) socket.destroy();
      proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Reported = (type: string, bytes: Buffer, isWhole: boolean) => void;

/** What ends a call of the client's: a query as text, or the end of one in steps. */
const ending = new Set(["Q", "S"]);
const steps = new Set(["P", "B", "D", "E", "C"]);

/**
 * Cuts a stream into the protocol's messages, with the steps of a query as one. The first `untyped` ones have no type.
 */
function messages(untyped: number, report: Reported): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let left = untyped;
  let held: Buffer[] = [];
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = left > 0 ? 0 : 1;
      if (rest.length < head + 4) return;
      const size = head + rest.readInt32BE(head);
      if (rest.length < size) return;
      const bytes = rest.subarray(0, size);
      rest = rest.subarray(size);
      const type = head === 0 ? "" : String.fromCharCode(bytes[0] ?? 0);
      if (left > 0) left -= 1;
      if (untyped > 0 && steps.has(type)) {
        held.push(bytes);
        continue;
      }
      const whole = Buffer.concat([...held, bytes]);
      held = [];
      report(type, whole, untyped > 0 && ending.has(type));
    }
  };
}

/** A query as text that the server answers as a full disk does; it ends the transaction it is part of. */
const rejection = queryMessage(
  "do $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$",
);

function queryMessage(text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write("Q");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function textOf(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replaceAll(/[^ -~]+/g, " ")
    .trim()
    .slice(0, 120);
}

function socketOf(address: string): string {
  return join(address.startsWith("/") ? address : hostOf(address), socketName);
}

function hostOf(address: string): string {
  const host = new URL(address).searchParams.get("host");
  if (!host) throw new Error(`${address} has no socket`);
  return host;
}

function throughFolder(address: string, folder: string): string {
  if (address.startsWith("/")) return folder;
  const url = new URL(address);
  url.searchParams.set("host", folder);
  return url.href;
}
