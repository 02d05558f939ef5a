import type { Principal } from "../../access/keys/api-key.ts";
import { type LimitLeft, ownedLimit } from "../../access/quotas/limits.ts";
import type { StreamOperation } from "../../contract/catalog.ts";
import { Congested, NotAuthenticated, NotEntitled, SwitchedOff } from "../../errors.ts";
import type { ClientInfo } from "../../interceptors/client-info.ts";
import type { AccessControl } from "../access-control.ts";

/** Why a stream ends that its client did not: the service stops, the key or its plan allows it no longer, or nothing is taken. */
export type EndReason = { readonly why: "shutdown" | "slow" } | { readonly why: "access"; readonly error: unknown };

/** A stream that is open. */
export interface OpenStream {
  /** Something was sent just now. */
  readonly sent: () => void;
  readonly close: () => void;
}

/** What an open stream is told. */
export interface StreamOwner {
  readonly operation: StreamOperation;
  readonly principal: Principal;
  readonly client: ClientInfo;
  /** Sends something that says nothing, so that nobody on the way takes the connection for dead. */
  readonly beat: () => void;
  /** Since when nothing has been taken of what waits, milliseconds of the monotonic clock; undefined where nothing waits. */
  readonly stalledSince: () => number | undefined;
  readonly end: (reason: EndReason) => void;
}

/** Every stream of a process, however it is spoken. */
export interface WatchStreams {
  /** Throws `Congested` beyond the number that the plan allows. */
  readonly open: (owner: StreamOwner) => OpenStream;
  /** Looks at every stream's key and plan anew: they may have changed. */
  readonly confirm: () => void;
  /** Ends all: each client is told where to resume, elsewhere. */
  readonly drain: () => void;
  /** What an account may yet open. */
  readonly left: (principal: Principal) => Promise<LimitLeft>;
  readonly close: () => void;
}

/** When streams are looked at, in milliseconds. */
export interface StreamTimes {
  /** Of silence until a beat. */
  readonly beatMs: number;
  /** For which a client may take nothing of what waits for it. */
  readonly slowMs: number;
  /** Between two looks at keys and plans where no change was heard: they also end by the clock. */
  readonly confirmMs: number;
  /** Between two looks at all streams. */
  readonly lookMs: number;
}

const streamTimes: StreamTimes = { beatMs: 15_000, slowMs: 30_000, confirmMs: 30_000, lookMs: 1_000 };

/** Keys that are looked up at the same time. */
const keysAtOnce = 8;

interface Stream extends StreamOwner {
  sentAt: number;
}

export function createWatchStreams(
  {
    accessControl,
    clock,
    log,
  }: { accessControl: Pick<AccessControl, "confirm">; clock: () => Date; log: (message: string) => void },
  times: Partial<StreamTimes> = {},
): WatchStreams {
  const { beatMs, slowMs, confirmMs, lookMs } = { ...streamTimes, ...times };
  const streams = new Set<Stream>();
  const ofAccounts = new Map<string, Set<Stream>>();
  let isDraining = false;
  let isConfirming = false;
  let isConfirmedAgain = false;

  const look = setInterval(() => {
    const now = performance.now();
    for (const stream of streams) {
      const since = stream.stalledSince();
      if (since !== undefined && now - since > slowMs) stream.end({ why: "slow" });
      else if (since === undefined && now - stream.sentAt >= beatMs) {
        stream.sentAt = now;
        stream.beat();
      }
    }
  }, lookMs).unref();
  const timer = setInterval(confirm, confirmMs).unref();

  function confirm(): void {
    isConfirmedAgain = true;
    if (!isConfirming) void confirmUntilSettled();
  }

  async function confirmUntilSettled(): Promise<void> {
    isConfirming = true;
    while (isConfirmedAgain) {
      isConfirmedAgain = false;
      await confirmAll().catch((error: unknown) => log(`Streams cannot be looked at: ${error}`));
    }
    isConfirming = false;
  }

  /** Streams of one key share one look at it. */
  async function confirmAll(): Promise<void> {
    const byKey = [
      ...Map.groupBy(
        streams,
        ({ principal, operation, client }) => `${client.session?.id ?? principal.keyId} ${operation.name}`,
      ).values(),
    ];
    for (let start = 0; start < byKey.length; start += keysAtOnce)
      await Promise.all(byKey.slice(start, start + keysAtOnce).map(confirmKey));
  }

  async function confirmKey(ofKey: readonly Stream[]): Promise<void> {
    const [first] = ofKey;
    if (!first) return;
    const { operation, client } = first;
    const { head, address, session } = client;
    const requested = { head, address, now: clock().getTime(), ...(session && { session }) };
    try {
      const { account, plan } = await accessControl.confirm(operation, requested);
      // It was opened to see more.
      for (const stream of ofKey)
        if (plan.tier < stream.principal.plan.tier) stream.end({ why: "access", error: lessThanBefore(plan.tier) });
      const mine = [...(ofAccounts.get(account) ?? [])];
      for (const stream of mine.slice(plan.streams ?? mine.length))
        stream.end({ why: "access", error: tooMany(plan.streams) });
    } catch (error) {
      // Only who is refused loses a stream: keys that cannot be read now are none that were revoked.
      if (error instanceof NotAuthenticated || error instanceof NotEntitled || error instanceof SwitchedOff)
        for (const stream of ofKey) stream.end({ why: "access", error });
    }
  }

  return {
    open(owner) {
      const { account, plan } = owner.principal;
      const mine = ofAccounts.get(account) ?? new Set();
      if (plan.streams !== undefined && mine.size >= plan.streams) throw tooMany(plan.streams);
      const stream: Stream = { ...owner, sentAt: performance.now() };
      ofAccounts.set(account, mine.add(stream));
      streams.add(stream);
      if (isDraining) queueMicrotask(() => streams.has(stream) && stream.end({ why: "shutdown" }));
      return {
        sent() {
          stream.sentAt = performance.now();
        },
        close() {
          streams.delete(stream);
          mine.delete(stream);
          if (mine.size === 0) ofAccounts.delete(account);
        },
      };
    },
    confirm,
    drain() {
      isDraining = true;
      for (const stream of [...streams]) stream.end({ why: "shutdown" });
    },
    left: ({ account, plan: { streams: limit } }) =>
      ownedLimit("open_streams", limit, () => ofAccounts.get(account)?.size ?? 0),
    close() {
      clearInterval(look);
      clearInterval(timer);
    },
  };
}

function lessThanBefore(tier: number): NotEntitled {
  return new NotEntitled("The plan has changed: begin anew", { currentTier: tier });
}

function tooMany(allowed: number | undefined): Congested {
  return new Congested(`The plan allows ${allowed} open stream${allowed === 1 ? "" : "s"} at a time`);
}
