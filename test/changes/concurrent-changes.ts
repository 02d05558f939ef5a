import { sql, type Transaction } from "kysely";
import { expect } from "vitest";
import { logChanges, readChanges } from "../../src/store/changes/change-log.ts";
import type { Database } from "../../src/store/database.ts";
import type { StoreTables } from "../../src/store/tables.ts";
import { testTime } from "../support/app.ts";
import { openEvents } from "./event-stream.ts";

interface Scene {
  readonly changes: number;
  readonly writers: number;
  readonly readers: number;
  /** Of all readers together, the same number of each. */
  readonly kills: number;
}

type Write = (transaction: Transaction<StoreTables>, count: number) => Promise<void>;

/** As refreshes do. */
const inOrder: Write = (transaction, count) =>
  logChanges(
    transaction,
    { dataset: "conflict-events", origin: "live", at: testTime },
    Array.from({ length: count }, (_, index) => ({ kind: "appeared", rows: "events", subject: String(index) })),
  );

/** The control: positions of a sequence, given out before the commit. */
const bySequence: Write = async (transaction, count) => {
  await sql`
    insert into change (position, at, dataset, origin, kind, rows, subject, country, source)
    select nextval('naive_position'), ${testTime}, 'conflict-events', 'live', 'appeared', 'events', '', '', ''
    from generate_series(1, ${count})`.execute(transaction);
};

/** Writes side by side in transactions of different sizes that take different times until they commit. */
async function writeSideBySide(database: Database, { changes, writers }: Scene, write: Write): Promise<void> {
  let left = changes;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (left > 0) {
        const count = Math.min(left, 1 + Math.floor(Math.random() * 60));
        left -= count;
        await database.kysely.transaction().execute(async (transaction) => {
          await write(transaction, count);
          await sql`select pg_sleep(${Math.random() * 0.002})`.execute(transaction);
        });
      }
    }),
  );
}

/** Readers of one app that are cut at random positions and resume while others write: each sees each change once and in order. */
export async function followWhileWriting(
  database: Database,
  app: { readonly url: string },
  key: string,
  scene: Scene,
): Promise<void> {
  const { changes, readers, kills } = scene;

  const read = async (cuts: Set<number>): Promise<void> => {
    let last = 0;
    while (last < changes) {
      await using stream = await openEvents(app, `after=${last}`, { key });
      expect(stream.response.status).toBe(200);
      do {
        const event = await stream.next();
        if (!event || event.event === "end") throw new Error(`A stream ended unexpectedly after ${last}`);
        // Without a filter no position is left out.
        if (Number(event.id) !== last + 1) throw new Error(`After ${last} came ${event.id}`);
        last += 1;
      } while (last < changes && !cuts.delete(last));
    }
    expect(cuts.size).toBe(0);
  };
  await Promise.all([
    writeSideBySide(database, scene, inOrder),
    ...Array.from({ length: readers }, () => read(randomPositions(changes, kills / readers))),
  ]);
}

function randomPositions(below: number, count: number): Set<number> {
  const positions = new Set<number>();
  while (positions.size < count) positions.add(1 + Math.floor(Math.random() * (below - 1)));
  return positions;
}

/** How many changes a reader misses that reads the log forward while positions are given out by a sequence, or as refreshes do. */
export async function missedBySequence(database: Database, scene: Scene, naive: boolean): Promise<number> {
  await database.query("create sequence if not exists naive_position");
  let isWritten = false;
  const writing = writeSideBySide(database, scene, naive ? bySequence : inOrder).then(() => {
    isWritten = true;
  });
  let last = 0;
  let seen = 0;
  for (;;) {
    const wasWritten = isWritten;
    const rows = await readChanges(database.kysely, {
      ...{ after: last, upTo: Number.MAX_SAFE_INTEGER, limit: 1_000 },
      liveOnly: true,
    });
    seen += rows.length;
    last = rows.at(-1)?.position ?? last;
    if (wasWritten && rows.length === 0) break;
  }
  await writing;
  return scene.changes - seen;
}
