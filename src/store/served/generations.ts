import { sql } from "kysely";
import type { Database } from "../database.ts";
import { listen } from "../listener.ts";
import type { Store, Transaction } from "../tables.ts";
import { repeater } from "./repeater.ts";

/** Returns the version number of an object; 0 before its first change. `held` locks it until the transaction ends. */
export async function readGeneration(database: Store, name: string, held = false): Promise<number> {
  const row = await database
    .selectFrom("generation")
    .select("value")
    .where("name", "=", name)
    .$if(held, (query) => query.forShare())
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** Prevents other transactions from raising an object's version until this transaction ends. */
export async function holdGeneration(transaction: Transaction, name: string): Promise<void> {
  await sql`
    insert into generation as current (name, value) values (${name}, 0)
    on conflict (name) do update set value = current.value`.execute(transaction);
}

/** Waits for running transactions that raise these versions. Afterwards, no version can be older than this call. */
export async function awaitRaises(database: Store, names: readonly string[]): Promise<void> {
  await sql`select from generation where name = any(${names}) for share`.execute(database);
}

export interface Generations {
  /** Time of the last successful poll; undefined before the first. */
  readonly lastPollAt: () => Date | undefined;
  readonly poll: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface GenerationOptions {
  /** Called when an object's version is first read, and whenever it has changed. */
  readonly onChange: (name: string, value: number) => void;
  readonly pollMs?: number;
  readonly clock: () => Date;
  readonly log: (message: string) => void;
}

const channel = "generation";

/** Raises an object's version in the transaction that changes the object. Readers are notified after the commit. */
export async function raiseGeneration(transaction: Transaction, name: string, by = 1): Promise<number> {
  const { rows } = await sql<{ value: string }>`
    with raised as (
      insert into generation as current (name, value) values (${name}, ${by})
      on conflict (name) do update set value = current.value + excluded.value
      returning value
    )
    select value, pg_notify(${channel}, ${name}) from raised`.execute(transaction);
  return Number(rows[0]?.value);
}

/** Polls the versions of objects. Resolves after the first poll, even if it failed. */
export async function followGenerations(database: Database, options: GenerationOptions): Promise<Generations> {
  const { onChange, pollMs = 2000, clock, log } = options;
  const seen = new Map<string, number>();
  let lastPollAt: Date | undefined;
  const reading = repeater(read, { what: "The generations cannot be read", retryAfterMs: [pollMs], log });
  const listener = listen(database.settings, {
    channel,
    onNotification: reading.request,
    onConnect: reading.request,
    log,
  });
  const polling = setInterval(reading.request, pollMs);
  await poll();
  return {
    lastPollAt: () => lastPollAt,
    poll,
    async close() {
      clearInterval(polling);
      await reading.close();
      await listener.close();
    },
  };

  function poll(): Promise<void> {
    reading.request();
    return reading.settled();
  }

  async function read(): Promise<void> {
    const rows = await database.kysely.selectFrom("generation").selectAll().execute();
    lastPollAt = clock();
    for (const { name, value } of rows) {
      const current = Number(value);
      if (seen.get(name) === current) continue;
      onChange(name, current);
      seen.set(name, current);
    }
  }
}
