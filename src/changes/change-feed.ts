import { setImmediate as nextTurn } from "node:timers/promises";
import { logExtent, readChanges } from "../store/changes/change-log.ts";
import { repeater } from "../store/served/repeater.ts";
import { ChangeEntry } from "./change-message.ts";
import type { ChangeSelection } from "./change-selection.ts";
import { type ChangeReading, positionAfter } from "./list-changes.ts";

export interface ChangeSink {
  readonly send: (entry: ChangeEntry) => void;
  /** Returns whether the stream's buffer is full. No more entries are sent until `drained` resolves. */
  readonly isFull: () => boolean;
  /** Resolves when the buffer has room again, or the stream ends. */
  readonly drained: () => Promise<void>;
}

export interface Subscription {
  /** Position up to which the reader has received all selected entries. */
  readonly position: () => number;
  readonly end: () => void;
}

/** Number of entries in memory, for readers that are slow or reconnect soon. Older entries are read from the store. */
const maxRecent = 1_000;
const rowsInChunk = 500;
/** Maximum number of readers that read from the store at the same time, so that connections remain for requests. */
const maxCatchingUp = 4;

type FeedReading = ChangeReading & { readonly log: (message: string) => void };

interface Reader extends Subscription {
  readonly selection: ChangeSelection;
  readonly sink: ChangeSink;
  reported: number;
  isEnded: boolean;
}

/** Reads each new change from the store once, and sends it to all streams of this process. */
export class ChangeFeed {
  readonly #reading: FeedReading;
  /** Position up to which all readers that follow the feed (and need no older entries) have received their entries. */
  #head: number;
  #newest: number;
  #recent: ChangeEntry[] = [];
  readonly #following = readersByCountry();
  readonly #catchingUp = new Set<Reader>();
  readonly #turns = limiter(maxCatchingUp);
  readonly #forward: ReturnType<typeof repeater>;

  private constructor(reading: FeedReading, newest: number) {
    this.#reading = reading;
    this.#head = newest;
    this.#newest = newest;
    const options = { what: "Changes cannot be read", retryAfterMs: [500, 1000, 2000], log: reading.log };
    this.#forward = repeater(() => this.#readForward(), options);
  }

  static async open(reading: FeedReading): Promise<ChangeFeed> {
    return new ChangeFeed(reading, (await logExtent(reading.database)).newest);
  }

  /** Adds a reader. Throws `ChangesGone` if entries after the position are no longer retained. */
  async subscribe(selection: ChangeSelection, after: bigint | undefined, sink: ChangeSink): Promise<Subscription> {
    const reported = await this.#begin(after);
    const reader: Reader = {
      selection,
      sink,
      reported,
      isEnded: false,
      // A reader that follows the feed is at the feed's position, even if none of the last entries was selected for it.
      position: () => (this.#following.has(reader) ? Math.max(reader.reported, this.#head) : reader.reported),
      end: () => {
        reader.isEnded = true;
        this.#following.delete(reader);
      },
    };
    void this.#catchUp(reader);
    return reader;
  }

  /** Position of the newest entry that this process has read. */
  newest(): number {
    return this.#newest;
  }

  moved(newest: number): void {
    this.#newest = Math.max(this.#newest, newest);
    if (this.#newest > this.#head) this.#forward.request();
  }

  close(): Promise<void> {
    return this.#forward.close();
  }

  async #readForward(): Promise<void> {
    for (;;) {
      if (this.#following.size === 0 && this.#catchingUp.size === 0) {
        // Without readers, old entries are not needed. A new reader starts at the newest one or reads from the store.
        this.#head = this.#newest;
        this.#recent = [];
        return;
      }
      const span = { after: this.#head, upTo: Number.MAX_SAFE_INTEGER, limit: rowsInChunk, liveOnly: false };
      const rows = await readChanges(this.#reading.database, span);
      for (const row of rows) this.#report(new ChangeEntry(row));
      if (rows.length < rowsInChunk) return;
      await nextTurn();
    }
  }

  #report(entry: ChangeEntry): void {
    this.#head = entry.position;
    if (this.#reading.liveOnly && entry.logged.origin !== "live") return;
    this.#recent.push(entry);
    if (this.#recent.length > 2 * maxRecent) this.#recent = this.#recent.slice(-maxRecent);
    for (const reader of this.#following.of(entry.logged.country)) {
      if (entry.position <= reader.reported || !reader.selection.matches(entry)) continue;
      if (reader.sink.isFull()) {
        // The reader is too slow, so it continues from the store after the previous entry.
        reader.reported = entry.position - 1;
        this.#following.delete(reader);
        void this.#catchUp(reader);
      } else {
        reader.reported = entry.position;
        reader.sink.send(entry);
      }
    }
  }

  /** Sends a reader the entries since its position from the store, until it can follow the feed. */
  async #catchUp(reader: Reader): Promise<void> {
    this.#catchingUp.add(reader);
    try {
      for (;;) {
        if (reader.sink.isFull()) await reader.sink.drained();
        if (reader.isEnded) return;
        if (reader.reported >= this.#head) return this.#following.add(reader);
        await this.#reportMissed(reader, this.#head);
      }
    } catch (error) {
      this.#reading.log(`Changes cannot be read: ${error}`);
      setTimeout(() => void this.#catchUp(reader), 1_000).unref();
    } finally {
      this.#catchingUp.delete(reader);
    }
  }

  async #reportMissed(reader: Reader, upTo: number): Promise<void> {
    const { selection, reported } = reader;
    const isRecent = (this.#recent[0]?.position ?? Number.POSITIVE_INFINITY) <= reported + 1;
    if (isRecent) {
      for (const entry of this.#recent) {
        if (entry.position <= reader.reported) continue;
        if (reader.sink.isFull()) return;
        offer(reader, entry);
      }
      reader.reported = Math.max(reader.reported, upTo);
      return;
    }
    const { database, liveOnly } = this.#reading;
    const span = { after: reported, upTo, limit: rowsInChunk, liveOnly };
    const rows = await this.#turns(() => readChanges(database, span, selection.filter));
    for (const row of rows) {
      if (reader.isEnded || reader.sink.isFull()) return;
      offer(reader, new ChangeEntry(row));
    }
    if (rows.length < rowsInChunk) reader.reported = upTo;
  }

  async #begin(after: bigint | undefined): Promise<number> {
    if (after === undefined) return this.#head;
    const known = Number(after);
    const first = this.#recent[0]?.position ?? this.#head + 1;
    if (known > 0 && known <= this.#head && first <= known + 1) return known;
    return positionAfter(after, await this.#turns(() => logExtent(this.#reading.database)));
  }
}

/** Sends an entry to a reader if it matches the reader's selection. */
function offer(reader: Reader, entry: ChangeEntry): void {
  reader.reported = entry.position;
  if (reader.selection.matches(entry)) reader.sink.send(entry);
}

/** Indexes readers by requested country, because most entries have one country and most readers request few. */
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

/** Limits how many tasks run at the same time. The others wait in order. */
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
