import { setImmediate as nextTurn } from "node:timers/promises";
import { type ChangeSpan, type LogExtent, logExtent, readChanges } from "../store/changes/change-log.ts";
import { repeater } from "../store/served/repeater.ts";
import { ChangeEntry } from "./change-message.ts";
import type { ChangeSelection } from "./change-selection.ts";
import { type ChangeReading, positionAfter } from "./list-changes.ts";

export interface ChangeSink {
  readonly send: (entry: ChangeEntry) => void;
  /** True if the buffer of the stream is full. No more is sent until the sink is drained. */
  readonly isFull: () => boolean;
  /** Resolves when there is room again, or when the stream ends. */
  readonly drained: () => Promise<void>;
}

export interface Subscription {
  /** Position up to which the reader has received everything. */
  readonly position: () => number;
  readonly end: () => void;
}

/** Reads the log forward once for all streams of a process. */
export interface ChangeFeed {
  /** Throws `ChangesGone` if reading cannot start at the position. */
  readonly subscribe: (
    selection: ChangeSelection,
    after: bigint | undefined,
    sink: ChangeSink,
  ) => Promise<Subscription>;
  /** Position of the newest entry that this process has read. */
  readonly newest: () => number;
  readonly moved: (newest: number) => void;
  readonly close: () => Promise<void>;
}

/** Entries in memory, for slow readers and for readers that resume soon. The store has the others. */
const maxRecent = 1_000;
const rowsInChunk = 500;
/** Maximum number of readers that catch up from the store concurrently. Others also need its connections. */
const maxCatchingUp = 4;

interface Reader extends Subscription {
  readonly selection: ChangeSelection;
  readonly sink: ChangeSink;
  reported: number;
  isEnded: boolean;
}

export async function createChangeFeed(
  reading: ChangeReading & { readonly log: (message: string) => void },
): Promise<ChangeFeed> {
  const { database, liveOnly, log } = reading;
  /** Position up to which every following reader has received everything. */
  let head = (await logExtent(database)).newest;
  let newest = head;
  let recent: ChangeEntry[] = [];
  const following = readersByCountry();
  const catchingUp = new Set<Reader>();
  const turns = limiter(maxCatchingUp);
  const forward = repeater(readForward, { what: "Changes cannot be read", retryAfterMs: [500, 1000, 2000], log });

  async function readForward(): Promise<void> {
    for (;;) {
      if (following.size === 0 && catchingUp.size === 0) {
        // Without readers no entries are cached. A new reader starts at the newest entry or catches up from the store.
        head = newest;
        recent = [];
        return;
      }
      const rows = await readChanges(database, { ...everything, after: head, limit: rowsInChunk, liveOnly: false });
      for (const row of rows) report(new ChangeEntry(row));
      if (rows.length < rowsInChunk) return;
      await nextTurn();
    }
  }

  function report(entry: ChangeEntry): void {
    head = entry.position;
    if (liveOnly && entry.logged.origin !== "live") return;
    recent.push(entry);
    if (recent.length > 2 * maxRecent) recent = recent.slice(-maxRecent);
    for (const reader of following.of(entry.logged.country)) {
      if (entry.position <= reader.reported || !reader.selection.matches(entry)) continue;
      if (reader.sink.isFull()) {
        // The reader catches up from the store at its own speed. Its position is that of the previous entry.
        reader.reported = entry.position - 1;
        following.delete(reader);
        void catchUp(reader);
      } else send(reader, entry);
    }
  }

  function send(reader: Reader, entry: ChangeEntry): void {
    reader.reported = entry.position;
    reader.sink.send(entry);
  }

  /** Sends a reader the entries that it missed, until it follows the feed. */
  async function catchUp(reader: Reader): Promise<void> {
    catchingUp.add(reader);
    try {
      for (;;) {
        if (reader.sink.isFull()) await reader.sink.drained();
        if (reader.isEnded) return;
        if (reader.reported >= head) return following.add(reader);
        await reportMissed(reader, head);
      }
    } catch (error) {
      log(`Changes cannot be read: ${error}`);
      setTimeout(() => void catchUp(reader), 1_000).unref();
    } finally {
      catchingUp.delete(reader);
    }
  }

  async function reportMissed(reader: Reader, upTo: number): Promise<void> {
    const { selection, reported } = reader;
    const isRecent = (recent[0]?.position ?? Number.POSITIVE_INFINITY) <= reported + 1;
    if (isRecent) {
      for (const entry of recent) {
        if (entry.position <= reader.reported) continue;
        if (reader.sink.isFull()) return;
        if (selection.matches(entry)) send(reader, entry);
        else reader.reported = entry.position;
      }
      reader.reported = Math.max(reader.reported, upTo);
      return;
    }
    const span = { after: reported, upTo, limit: rowsInChunk, liveOnly };
    const rows = await turns(() => readChanges(database, span, selection.filter));
    for (const row of rows) {
      if (reader.isEnded || reader.sink.isFull()) return;
      const entry = new ChangeEntry(row);
      if (selection.matches(entry)) send(reader, entry);
      else reader.reported = entry.position;
    }
    if (rows.length < rowsInChunk) reader.reported = upTo;
  }

  async function begin(after: bigint | undefined): Promise<number> {
    if (after === undefined) return head;
    const known = Number(after);
    if (known > 0 && known <= head && (recent[0]?.position ?? head + 1) <= known + 1) return known;
    const extent: LogExtent = await turns(() => logExtent(database));
    return positionAfter(after, extent);
  }

  return {
    async subscribe(selection, after, sink) {
      const reported = await begin(after);
      const reader: Reader = {
        selection,
        sink,
        reported,
        isEnded: false,
        // A following reader has received everything up to the head, matching or not.
        position: () => (following.has(reader) ? Math.max(reader.reported, head) : reader.reported),
        end() {
          reader.isEnded = true;
          following.delete(reader);
        },
      };
      void catchUp(reader);
      return reader;
    },
    newest: () => newest,
    moved(value) {
      newest = Math.max(newest, value);
      if (newest > head) forward.request();
    },
    close: () => forward.close(),
  };
}

const everything: Pick<ChangeSpan, "upTo"> = { upTo: Number.MAX_SAFE_INTEGER };

/** Readers by requested country. Most entries have one country, and most readers request few. */
function readersByCountry() {
  const readers = new Set<Reader>();
  const byCountry = new Map<string, Set<Reader>>();
  const ofAny = new Set<Reader>();
  const places = ({ selection: { filter } }: Reader) =>
    filter.countries.length === 0
      ? [ofAny]
      : filter.countries.map((country) => {
          const place = byCountry.get(country) ?? new Set();
          byCountry.set(country, place);
          return place;
        });
  return {
    get size() {
      return readers.size;
    },
    has: (reader: Reader) => readers.has(reader),
    *of(country: string): Generator<Reader> {
      yield* ofAny;
      yield* byCountry.get(country) ?? [];
    },
    add(reader: Reader): void {
      readers.add(reader);
      for (const place of places(reader)) place.add(reader);
    },
    delete(reader: Reader): void {
      if (!readers.delete(reader)) return;
      for (const place of places(reader)) place.delete(reader);
      for (const country of reader.selection.filter.countries)
        if (byCountry.get(country)?.size === 0) byCountry.delete(country);
    },
  };
}

/** Limits concurrency; the others wait in order. */
function limiter(max: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await run();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
