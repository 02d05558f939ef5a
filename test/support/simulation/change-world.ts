import { sql, type Transaction } from "kysely";
import { ChangeFeed, type ChangeSink, type Subscription } from "../../../src/changes/change-feed.ts";
import { changeSelection } from "../../../src/changes/change-selection.ts";
import { ChangesGone, Unavailable } from "../../../src/errors.ts";
import { changeRetention, logChanges, logExtent } from "../../../src/store/changes/change-log.ts";
import type { StoreTables } from "../../../src/store/tables.ts";
import { check } from "./properties.ts";
import type { Simulation } from "./seeds.ts";
import type { Sessions, SimulatedPool } from "./sessions.ts";
import type { Replica, World } from "./world.ts";

/** Logs one change per name in its transaction. */
export type Write = (transaction: Transaction<StoreTables>, at: Date, names: readonly string[]) => Promise<void>;

const dataset = "conflict-events";

/** What failed is tried again within this time. */
const retryMs = 2_000;

/** As refreshes do. */
const inOrder: Write = (transaction, at, names) =>
  logChanges(
    transaction,
    { dataset, origin: "live", at },
    names.map((subject) => ({ kind: "appeared", rows: "events", subject })),
  );

/** The control: positions of a sequence, given out before the commit. */
export const bySequence: Write = async (transaction, at, names) => {
  const { rows } = await sql<{ position: string }>`
    insert into change (position, at, dataset, origin, kind, rows, subject, country, source)
    select nextval('naive_position'), ${at}, ${dataset}, 'live', 'appeared', 'events', unnest(${[...names]}::text[]), '', ''
    returning position`.execute(transaction);
  const newest = Number(rows.at(-1)?.position);
  await sql`
    insert into generation as current (name, value) values ('changes', ${newest})
    on conflict (name) do update set value = greatest(current.value, ${newest})`.execute(transaction);
};

/** A reader that reconnects when its process ends, and remembers its position. */
interface Reader {
  /** All changes up to here were reported. */
  position: number;
  process: Process | undefined;
  subscription: Subscription | undefined;
}

interface Process {
  readonly replica: Replica;
  readonly pool: SimulatedPool;
  readonly feed: ChangeFeed;
}

const everything = changeSelection({ datasets: [], countries: [], kinds: [] }, new Map([[dataset, 0]]), 3);

/** Writers in transactions that are under way together, and readers that are cut and resume elsewhere. */
export function changeWorld(sessions: Sessions, write: Write = inOrder): Simulation {
  return async (world) => {
    const { observer } = sessions;
    sessions.join(world);
    await observer.query(
      "truncate change; delete from generation where name = 'changes'; drop sequence if exists naive_position; create sequence naive_position",
    );
    world.lossOf = world.pick([0, 40]);
    const processes: Process[] = [];
    const readers: Reader[] = Array.from({ length: 3 }, () => ({
      ...{ position: 0, process: undefined, subscription: undefined },
    }));
    const start = async () => void processes.push(await startProcess(world, sessions));
    for (let count = 2 + world.below(3); count > 0; count -= 1) await start();
    let written = 0;
    const log = () => {
      const { replica, pool } = world.pick(processes);
      const names = Array.from({ length: 1 + world.below(4) }, () => `${written++}`);
      const isUndone = world.chance(0.15);
      world.note(`${replica.name} logs ${names}${isUndone ? " and fails" : ""}`);
      world.spawn(replica, () => logSome(world, pool, { write, names, replica, isUndone }));
    };
    const read = () => follow(world, world.pick(readers), world.pick(processes));
    const poll = async () => {
      const { replica, pool, feed } = world.pick(processes);
      world.spawn(replica, async () => feed.moved((await logExtent(pool.kysely).catch(onLoss))?.newest ?? 0));
    };
    const kill = async () => {
      const [process] = processes.splice(world.below(processes.length), 1);
      if (!process) return;
      await world.kill(process.replica);
      for (const reader of readers) if (reader.process === process) leave(reader);
      await start();
    };
    const cut = () => leave(world.pick(readers));
    const wait = () => world.time.advance(world.pick([100, 1_000, 3_600_000]));
    const forget = async () => {
      // Everyone who follows reads all changes days before any expire.
      await catchUp(world, sessions, processes);
      const { replica, pool } = world.pick(processes);
      const before = new Date(world.time.now() - 3 * 3_600_000);
      world.spawn(replica, () =>
        changeRetention.forget(pool.kysely, before, { max: 5, now: new Date(world.time.now()) }).catch(onLoss),
      );
    };
    await world.explore([log, log, log, read, read, poll, poll, kill, cut, wait, forget], 40);
    await world.finish();
    await readToTheEnd(world, sessions, readers, processes);
  };
}

async function startProcess(world: World, sessions: Sessions): Promise<Process> {
  const replica = world.replica(world.pick([0, -20_000, 20_000]));
  const pool = sessions.of(world, replica);
  let made: ChangeFeed | undefined;
  const reading = {
    ...{ database: pool.kysely, liveOnly: false, datasets: new Map([[dataset, 0]]) },
    ...{ sourcesOf: () => [], link: "", log: () => undefined },
  };
  const { lossOf } = world;
  world.lossOf = 0;
  world.spawn(replica, async () => {
    made = await ChangeFeed.open(reading);
  });
  await world.calm();
  world.lossOf = lossOf;
  if (!made) throw new Error("A feed does not open");
  return { replica, pool, feed: made };
}

async function logSome(
  world: World,
  { kysely }: SimulatedPool,
  { write, names, replica, isUndone }: Pick<Writing, "write" | "names" | "replica" | "isUndone">,
): Promise<void> {
  const done = kysely.transaction().execute(async (transaction) => {
    await write(transaction, world.clockOf(replica)(), names);
    // Other statements of the same refresh.
    for (let more = world.below(3); more > 0; more -= 1) await sql`select 1`.execute(transaction);
    if (isUndone) throw new Unavailable("The refresh fails");
  });
  await done.catch(onLoss);
}

interface Writing {
  readonly write: Write;
  readonly names: readonly string[];
  readonly replica: Replica;
  readonly isUndone: boolean;
}

function onLoss(error: unknown): undefined {
  if (!(error instanceof Unavailable)) throw error;
  return undefined;
}

function leave(reader: Reader): void {
  reader.subscription?.end();
  reader.process = undefined;
  reader.subscription = undefined;
}

/** Each position follows the one before. Expired ones are reported, and reading restarts where the log begins. */
function follow(world: World, reader: Reader, process: Process): void {
  if (reader.process) return;
  reader.process = process;
  world.note(`${process.replica.name} is followed from ${reader.position}`);
  const sink: ChangeSink = {
    send({ position }) {
      if (reader.process !== process) return;
      check(
        "a reader receives each position once and in order",
        position === reader.position + 1,
        () => `after ${reader.position} a reader receives ${position}`,
      );
      reader.position = position;
    },
    isFull: () => world.chance(0.1),
    drained: async () => undefined,
  };
  world.spawn(process.replica, async () => {
    try {
      reader.subscription = await process.feed.subscribe(everything, BigInt(reader.position), sink);
      if (reader.process !== process) reader.subscription.end();
      // From 0 it begins with the oldest that is kept.
      else if (reader.position === 0) reader.position = reader.subscription.position();
    } catch (error) {
      leave(reader);
      if (!(error instanceof ChangesGone)) return onLoss(error);
      const begin = /after=(\d+)$/.exec(error.message)?.[1];
      reader.position = Number(begin);
    }
    return undefined;
  });
}

/** Lets every feed read to the newest position, which is returned. */
async function catchUp(world: World, { observer }: Sessions, processes: readonly Process[]): Promise<number> {
  const lossOf = world.lossOf;
  world.lossOf = 0;
  await world.calm();
  const newest = await newestOf(observer);
  for (const { replica, feed } of processes) world.spawn(replica, async () => feed.moved(newest));
  for (let pause = 0; pause < 2; pause += 1) {
    await world.calm();
    world.time.advance(retryMs);
  }
  await world.calm();
  world.lossOf = lossOf;
  return newest;
}

async function newestOf(observer: Sessions["observer"]): Promise<number> {
  const { rows } = await observer.query("select value from generation where name = 'changes'");
  return Number(rows[0]?.value ?? 0);
}

/** Every reader ends at the newest position, and the log has no gap. */
async function readToTheEnd(
  world: World,
  sessions: Sessions,
  readers: readonly Reader[],
  processes: readonly Process[],
): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    for (const reader of readers) follow(world, reader, world.pick(processes));
    const newest = await catchUp(world, sessions, processes);
    if (readers.every(({ position }) => position === newest)) break;
  }
  const { observer } = sessions;
  const newest = await newestOf(observer);
  const behind = readers.find(({ position }) => position !== newest);
  check("a reader reaches the newest position", !behind, () => `a reader stays at ${behind?.position} of ${newest}`);
  const { rows } = await observer.query("select position from change order by position");
  const gap = rows.findIndex(({ position }, index) => Number(position) !== newest - rows.length + 1 + index);
  check("the log of changes has no gap", gap < 0, () => `a gap before ${rows[gap]?.position}`);
}
