import { UpstreamError } from "../egress/upstream-error.ts";
import { hourMs, minuteMs, secondMs } from "../reference/duration.ts";

export interface Pace {
  readonly spacingMs: number;
  /** True if a request must wait until the previous one has ended. The spacing is then counted from that end. */
  readonly oneAtATime?: true;
  /** Statuses other than 429 that this host sends for "too many requests". */
  readonly tooOften?: readonly number[];
}

export interface HostRequest {
  readonly pace: Pace;
  /** The longest time that a request waits if a caller waits for it. The request precedes requests of refreshes. */
  readonly callerWaitsMs?: number | undefined;
}

interface StoredRest extends Rest {
  readonly refusals: number;
}

export interface StoredPauses {
  readonly of: (host: string) => Promise<StoredRest | undefined>;
  readonly retain: (host: string, rest: StoredRest) => Promise<void>;
  readonly end: (host: string) => Promise<void>;
}

export interface HostOptions {
  readonly clock: () => Date;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly random: () => number;
  /** Stores the pauses of hosts for all processes. If it is absent, each process only knows its own pauses. */
  readonly rests?: StoredPauses | undefined;
}

export const defaultPace: Pace = { spacingMs: 250 };
/** Length of the pause after the first, second, and further rejections in a row. The last length repeats. */
const restsMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs];
/** Maximum pause of a host. The second limit applies if a caller waits for the response of the rejected request. */
const maxDelayMs = 6 * hourMs;
const maxCallerDelayMs = 5 * minuteMs;
/** A refresh waits for the end of a pause up to this length. During a longer pause, its request fails. */
export const maxWaitMs = 90 * secondMs;
/** Maximum random extension of a spacing or a pause, as a share of its length. */
const jitter = 0.1;

interface Rest {
  readonly until: number;
  readonly status: number;
  /** True if the host rejected requests because there were too many, so that requests succeed after the pause. */
  readonly passes: boolean;
}

interface Waiter {
  readonly request: HostRequest;
  /** Starts the request, whose sender calls `over` at its end. `over` is undefined if the host is paused. */
  readonly begin: (over: (() => void) | undefined) => void;
}

interface Host {
  readonly name: string;
  readonly line: Waiter[];
  spacingMs: number;
  moving: boolean;
  lastAt: number | undefined;
  refusals: number;
  rest: Rest | undefined;
}

/** Spaces the requests of a process to each host, and pauses a host that rejects requests. */
export class Hosts {
  readonly #options: HostOptions;
  readonly #known = new Map<string, Host>();

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** Sends the request when its turn comes. If a thrown error has `unsent`, no request was sent. */
  async call<Answer>(name: string, request: HostRequest, send: (waitedMs: number) => Promise<Answer>): Promise<Answer> {
    const host = this.#hostOf(name);
    host.spacingMs = Math.max(host.spacingMs, request.pace.spacingMs);
    const since = this.#now();
    await this.#recall(host);
    const over = await this.#turnOf(host, request);
    try {
      const response = await send(Math.max(0, this.#now() - since));
      await this.#forget(host);
      host.rest = undefined;
      return response;
    } catch (error) {
      throw error instanceof UpstreamError ? await this.#afterFailure(host, request, error) : error;
    } finally {
      over();
    }
  }

  #hostOf(name: string): Host {
    const host = this.#known.get(name) ?? {
      ...{ name, line: [], spacingMs: 0, moving: false, lastAt: undefined, refusals: 0, rest: undefined },
    };
    this.#known.set(name, host);
    return host;
  }

  /** Reads the pause of the host that another process or an earlier run stored. */
  async #recall(host: Host): Promise<void> {
    const stored = await this.#options.rests?.of(host.name);
    if (!stored) return;
    const { refusals: rejections, ...rest } = stored;
    host.refusals = Math.max(host.refusals, rejections);
    const until = Math.min(rest.until, this.#now() + maxDelayMs);
    if (until > Math.max(this.#now(), host.rest?.until ?? 0)) host.rest = { ...rest, until };
  }

  async #forget(host: Host): Promise<void> {
    if (host.refusals > 0) await this.#options.rests?.end(host.name);
    host.refusals = 0;
  }

  async #turnOf(host: Host, request: HostRequest): Promise<() => void> {
    for (;;) {
      await this.#restOver(host, request);
      const over = await this.#lineUp(host, request);
      if (over) return over;
    }
  }

  #isResting({ rest }: Host): boolean {
    return rest !== undefined && this.#now() < rest.until;
  }

  async #restOver(host: Host, { callerWaitsMs }: HostRequest): Promise<void> {
    const { rest } = host;
    if (rest === undefined || !this.#isResting(host)) return;
    const leftMs = rest.until - this.#now();
    if (!rest.passes || callerWaitsMs !== undefined || leftMs > maxWaitMs) throw skipped(host, rest, leftMs);
    await this.#options.wait(leftMs);
    if (host.rest === rest) host.rest = undefined;
  }

  #lineUp(host: Host, request: HostRequest): Promise<(() => void) | undefined> {
    const { callerWaitsMs } = request;
    const before = host.line.filter(({ request: other }) => other.callerWaitsMs !== undefined).length;
    if (callerWaitsMs !== undefined && this.#spacingLeft(host) + before * host.spacingMs > callerWaitsMs)
      throw new UpstreamError(`${host.name} has too many requests waiting`, { kind: "over quota", unsent: true });
    const turn = new Promise<(() => void) | undefined>((begin) => host.line.push({ request, begin }));
    if (!host.moving) void this.#move(host);
    return turn;
  }

  async #move(host: Host): Promise<void> {
    host.moving = true;
    while (host.line.length > 0) {
      const leftMs = this.#isResting(host) ? 0 : this.#spacingLeft(host);
      if (leftMs > 0) await this.#options.wait(this.#longer(leftMs));
      const urgent = host.line.findIndex(({ request }) => request.callerWaitsMs !== undefined);
      const [next] = host.line.splice(Math.max(urgent, 0), 1);
      if (!next) break;
      if (this.#isResting(host)) {
        next.begin(undefined);
        continue;
      }
      host.lastAt = this.#now();
      const over = new Promise<void>((resolve) => next.begin(resolve));
      if (!next.request.pace.oneAtATime) continue;
      await over;
      host.lastAt = this.#now();
    }
    host.moving = false;
  }

  /** Returns the wait before the next request. It is at most the spacing, because the clock may have been set back. */
  #spacingLeft({ lastAt, spacingMs }: Host): number {
    return lastAt === undefined ? 0 : Math.min(Math.max(lastAt + spacingMs - this.#now(), 0), spacingMs);
  }

  /** Pauses the host after a rejection. Returns the error with the end of the pause. */
  async #afterFailure(host: Host, { pace, callerWaitsMs }: HostRequest, error: UpstreamError): Promise<UpstreamError> {
    const { status, retryAfterSeconds, kind } = error;
    if (error.unsent) return error;
    // A host that sends a 404 or a response that cannot be parsed still works, so the count of its rejections is reset.
    if (status !== undefined && (status < 400 || status === 404)) await this.#forget(host);
    if (status !== 403 && status !== 429) return error;
    const passes = isTooOften(pace, status);
    const grown = this.#longer(restsMs[Math.min(host.refusals, restsMs.length - 1)] ?? maxDelayMs);
    const requested = retryAfterSeconds === undefined ? grown : Math.max(retryAfterSeconds, 1) * secondMs;
    const restMs = Math.min(requested, callerWaitsMs === undefined ? maxDelayMs : maxCallerDelayMs);
    const rest = { until: this.#now() + restMs, status, passes };
    host.refusals += 1;
    host.rest = rest;
    await this.#options.rests?.retain(host.name, { ...rest, refusals: host.refusals });
    return new UpstreamError(`${error.message}; it is paused until ${instantOf(rest)}`, {
      ...{ cause: error, status, retryAfterSeconds: Math.ceil(restMs / secondMs) },
      ...(kind && { kind }),
    });
  }

  #now(): number {
    return this.#options.clock().getTime();
  }

  #longer(milliseconds: number): number {
    return milliseconds * (1 + jitter * this.#options.random());
  }
}

export function isTooOften({ tooOften = [] }: Pace, status: number | undefined): boolean {
  return status !== undefined && (status === 429 || tooOften.includes(status));
}

function skipped({ name }: Host, rest: Rest, leftMs: number): UpstreamError {
  const { status, passes } = rest;
  return new UpstreamError(`${name} is paused until ${instantOf(rest)}: it answered ${status}`, {
    ...{ status, unsent: true, kind: passes ? "over quota" : "refused" },
    retryAfterSeconds: Math.ceil(leftMs / secondMs),
  });
}

function instantOf({ until }: Rest): string {
  return new Date(until).toISOString().replace(/\.\d+Z$/, "Z");
}
