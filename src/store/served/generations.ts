import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "../database.ts";
import { listen } from "../listener.ts";
import type { StoreTables } from "../tables.ts";
import { repeater } from "./repeater.ts";

/** A generation as it is now, 0 before the first; with `held` it does not move until the transaction ends. */
export async function readGeneration(database: Kysely<StoreTables>, name: string, held = false): Promise<number> {
  const row = await database
    .selectFrom("generation")
    .select("value")
    .where("name", "=", name)
    .$if(held, (query) => query.forShare())
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** Lets nobody else raise a generation until the transaction ends. */
export async function holdGeneration(transaction: Transaction<StoreTables>, name: string): Promise<void> {
  await sql`
    insert into generation as current (name, value) values (${name}, 0)
    on conflict (name) do update set value = current.value`.execute(transaction);
}

/** A reader's view of the generations. */
export interface Generations {
  /** When the generations were last read with success; undefined before the first time. */
  readonly lastPollAt: () => Date | undefined;
  /** Reads them now, instead of at the next poll. */
  readonly poll: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How generations are followed. */
export interface GenerationOptions {
  /** Called for each generation at the first sight of it, and whenever it is found to have moved. */
  readonly onChange: (name: string, value: number) => void;
  readonly pollMs?: number;
  readonly clock: () => Date;
  readonly log: (message: string) => void;
}

const channel = "generation";

/** Raises a generation within the change that readers shall see, which announces it once that is committed. */
export async function raiseGeneration(transaction: Transaction<StoreTables>, name: string, by = 1): Promise<number> {
  const { rows } = await sql<{ value: string }>`
    with raised as (
      insert into generation as current (name, value) values (${name}, ${by})
      on conflict (name) do update set value = current.value + excluded.value
      returning value
    )
    select value, pg_notify(${channel}, ${name}) from raised`.execute(transaction);
  return Number(rows[0]?.value);
}

/**
 * Tells of every generation that moves: at once when its notification is heard, else at the next poll. Resolves after the
 * first poll, whether or not that came through.
 */
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
