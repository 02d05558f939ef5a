import type { Principal } from "../../access/keys/api-key.ts";
import { type LimitLeft, ownedLimit } from "../../access/quotas/limits.ts";
import type { StreamOperation } from "../../contract/catalog.ts";
import { Congested, NotAuthenticated, NotEntitled, SwitchedOff } from "../../errors.ts";
import type { ClientInfo } from "../../interceptors/client-info.ts";
import type { AccessControl } from "../access-control.ts";

/** Why the server ends a stream: shutdown, lost access, or a client that is too slow. */
export type EndReason = { readonly why: "shutdown" | "slow" } | { readonly why: "access"; readonly error: unknown };

export interface OpenStream {
  /** Records that bytes were sent, which delays the next heartbeat. */
  readonly sent: () => void;
  readonly close: () => void;
}

export interface StreamOwner {
  readonly operation: StreamOperation;
  readonly principal: Principal;
  readonly client: ClientInfo;
  /** Sends a heartbeat, so that proxies do not close an idle connection. */
  readonly beat: () => void;
  /** Returns since when the client has read nothing, in monotonic milliseconds; undefined if no bytes are unread. */
  readonly stalledSince: () => number | undefined;
  readonly end: (reason: EndReason) => void;
}

/** Intervals and timeouts of open streams, in milliseconds. */
export interface StreamTimes {
  readonly beatMs: number;
  /** A client that reads none of its unread bytes for this time is disconnected. */
  readonly slowMs: number;
  /** Interval of access checks. They run even without a change, because a key or plan can expire. */
  readonly confirmMs: number;
  readonly lookMs: number;
}

const streamTimes: StreamTimes = { beatMs: 15_000, slowMs: 30_000, confirmMs: 30_000, lookMs: 1_000 };

const keysAtOnce = 8;

interface Stream extends StreamOwner {
  sentAt: number;
}

export interface WatchStreamsParts {
  readonly accessControl: Pick<AccessControl, "confirm">;
  readonly clock: () => Date;
  readonly log: (message: string) => void;
}

/** All open streams of changes in this process, over any protocol. */
export class WatchStreams {
  readonly #parts: WatchStreamsParts;
  readonly #times: StreamTimes;
  readonly #streams = new Set<Stream>();
  readonly #ofAccounts = new Map<string, Set<Stream>>();
  readonly #timers: readonly NodeJS.Timeout[];
  #state: "open" | "draining" = "open";
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(parts: WatchStreamsParts, times: Partial<StreamTimes> = {}) {
    this.#parts = parts;
    this.#times = { ...streamTimes, ...times };
    this.#timers = [
      setInterval(() => this.#look(), this.#times.lookMs).unref(),
      setInterval(() => this.confirm(), this.#times.confirmMs).unref(),
    ];
  }

  /** Opens a stream. Throws `Congested` if the account has the maximum number of its plan. */
  open(owner: StreamOwner): OpenStream {
    const { account, plan } = owner.principal;
    const mine = this.#ofAccounts.get(account) ?? new Set();
    if (plan.streams !== undefined && mine.size >= plan.streams) throw tooMany(plan.streams);
    const stream: Stream = { ...owner, sentAt: performance.now() };
    this.#ofAccounts.set(account, mine.add(stream));
    this.#streams.add(stream);
    if (this.#state === "draining") queueMicrotask(() => this.#streams.has(stream) && stream.end({ why: "shutdown" }));
    return {
      sent() {
        stream.sentAt = performance.now();
      },
      close: () => {
        this.#streams.delete(stream);
        mine.delete(stream);
        if (mine.size === 0) this.#ofAccounts.delete(account);
      },
    };
  }

  /** Checks the key and plan of every stream again, because they may have changed. */
  confirm(): void {
    // If a check is running, the next one starts after this call, so that one next check serves all calls until then.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#confirmAll().catch((error: unknown) => this.#parts.log(`Streams cannot be checked: ${error}`));
    });
    this.#running = this.#next;
  }

  /** Ends all streams. Each client gets the position to resume from. */
  drain(): void {
    this.#state = "draining";
    for (const stream of [...this.#streams]) stream.end({ why: "shutdown" });
  }

  left({ account, plan: { streams: limit } }: Pick<Principal, "account" | "plan">): Promise<LimitLeft> {
    return ownedLimit("open_streams", limit, () => this.#ofAccounts.get(account)?.size ?? 0);
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  #look(): void {
    const now = performance.now();
    for (const stream of this.#streams) {
      const since = stream.stalledSince();
      if (since !== undefined && now - since > this.#times.slowMs) stream.end({ why: "slow" });
      else if (since === undefined && now - stream.sentAt >= this.#times.beatMs) {
        stream.sentAt = now;
        stream.beat();
      }
    }
  }

  /** Checks each key once, even if it has several streams. */
  async #confirmAll(): Promise<void> {
    const keyOf = ({ principal, operation, client }: Stream) =>
      `${client.session?.id ?? principal.keyId} ${operation.name}`;
    const byKey = [...Map.groupBy(this.#streams, keyOf).values()];
    for (let start = 0; start < byKey.length; start += keysAtOnce)
      await Promise.all(byKey.slice(start, start + keysAtOnce).map((ofKey) => this.#confirmKey(ofKey)));
  }

  async #confirmKey(ofKey: readonly Stream[]): Promise<void> {
    const [first] = ofKey;
    if (!first) return;
    const { operation, client } = first;
    const { head, address, session } = client;
    const requested = { head, address, now: this.#parts.clock().getTime(), ...(session && { session }) };
    try {
      const { account, plan } = await this.#parts.accessControl.confirm(operation, requested);
      // The key has lost access that it had when the stream was opened.
      for (const stream of ofKey)
        if (plan.tier < stream.principal.plan.tier) stream.end({ why: "access", error: lessThanBefore(plan.tier) });
      const mine = [...(this.#ofAccounts.get(account) ?? [])];
      for (const stream of mine.slice(plan.streams ?? mine.length))
        stream.end({ why: "access", error: tooMany(plan.streams) });
    } catch (error) {
      // A stream ends only if access is denied. If the key cannot be read now, the stream stays open.
      if (error instanceof NotAuthenticated || error instanceof NotEntitled || error instanceof SwitchedOff)
        for (const stream of ofKey) stream.end({ why: "access", error });
    }
  }
}

function lessThanBefore(tier: number): NotEntitled {
  return new NotEntitled("The plan has changed: open the stream again", { currentTier: tier });
}

function tooMany(allowed: number | undefined): Congested {
  return new Congested(`The plan allows ${allowed} open stream${allowed === 1 ? "" : "s"} at a time`);
}
