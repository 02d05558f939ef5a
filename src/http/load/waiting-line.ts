/** One piece of work: for whom it is done, and what is known of the connection that asked for it. */
export interface Work {
  readonly operation: string;
  /** An account, or an address without a key. */
  readonly caller: string;
  readonly keyed: boolean;
  readonly connection: {
    /** Returns whether the client has disconnected. */
    readonly isGone: () => boolean;
    /** More of its answers wait for their reader than may. */
    readonly isBackedUp: () => boolean;
  };
}

/** A request that waits for its turn. */
export interface Entry {
  readonly work: Work;
  readonly begin: () => void;
  readonly reject: (error: Error) => void;
  /** Milliseconds of the monotonic clock. */
  readonly since: number;
}

/**
 * Interval between two searches of a queue for disconnected clients. Many may be rejected in the meantime, at little
 * cost.
 */
const goneEveryMs = 25;

/** The requests of one caller, in their order. */
export class WaitingLine {
  readonly caller: string;
  /** How long a pace is measured before it is believed. */
  readonly #believedAfterMs: number;
  running = 0;
  #entries: Entry[] = [];
  #begun = 0;
  #from = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(caller: string, believedAfterMs: number) {
    this.caller = caller;
    this.#believedAfterMs = believedAfterMs;
  }

  get length(): number {
    return this.#entries.length;
  }

  get isIdle(): boolean {
    return this.running === 0 && this.#entries.length === 0;
  }

  push(entry: Entry): void {
    if (this.#entries.length === 0) {
      this.#begun = 0;
      this.#from = entry.since;
    }
    this.#entries.push(entry);
  }

  pop(): Entry | undefined {
    return this.#entries.pop();
  }

  has(mayBegin: (work: Work) => boolean): boolean {
    return this.#entries.some(({ work }) => mayBegin(work));
  }

  /** Takes out the first that may begin. */
  take(mayBegin: (work: Work) => boolean): Entry | undefined {
    const index = this.#entries.findIndex(({ work }) => mayBegin(work));
    if (index < 0) return undefined;
    this.#begun += 1;
    return this.#entries.splice(index, 1)[0];
  }

  /** Removes entries of disconnected clients, unless a search just ran. */
  takeGone(now: number): Entry[] {
    if (now - this.#lookedAt < goneEveryMs) return [];
    this.#lookedAt = now;
    return this.#takeUnless(({ work }) => !work.connection.isGone());
  }

  /** Takes out those whose turn will not come in time, as it went lately. */
  takeLate(now: number, deadlineMs: number): Entry[] {
    const pace = this.paceMs(now);
    let place = 0;
    return this.#takeUnless(({ since }) => {
      const isInTime = now - since + pace * place < deadlineMs;
      if (isInTime) place += 1;
      return isInTime;
    });
  }

  /** Milliseconds from one turn to the next; 0 while it is not known. */
  paceMs(now: number): number {
    const elapsed = now - this.#from;
    if (elapsed < this.#believedAfterMs) return 0;
    const pace = elapsed / Math.max(this.#begun, 1);
    // Older measurements count less.
    if (elapsed > 4 * this.#believedAfterMs) {
      this.#from = now - elapsed / 2;
      this.#begun /= 2;
    }
    return pace;
  }

  #takeUnless(retains: (entry: Entry) => boolean): Entry[] {
    const taken: Entry[] = [];
    this.#entries = this.#entries.filter((entry) => {
      const stored = retains(entry);
      if (!stored) taken.push(entry);
      return stored;
    });
    return taken;
  }
}
