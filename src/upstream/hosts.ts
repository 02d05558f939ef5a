import { UpstreamError } from "../errors.ts";
import { hourMs, minuteMs, secondMs } from "../reference/duration.ts";

/** How a host wants to be asked. */
export interface Pace {
  /** Least time between the beginnings of two requests. */
  readonly spacingMs: number;
  /** It is asked one thing at a time: the spacing begins when its answer is there. */
  readonly oneAtATime?: true;
  /** Statuses besides 429 by which it says that it was asked too often, and which pass by themselves. */
  readonly tooOften?: readonly number[];
}

/** One request to a host. */
export interface PageContext {
  readonly pace: Pace;
  /** A caller waits for the answer, so long at most: it goes before others, and fails rather than wait longer. */
  readonly callerWaitsMs?: number | undefined;
}

/** A host's rest, and how often it refused in a row. */
interface StoredRest extends Rest {
  readonly refusals: number;
}

/** What outlasts the process and is shared with others: which hosts are left alone. */
export interface StoredRests {
  readonly of: (host: string) => Promise<StoredRest | undefined>;
  readonly retain: (host: string, rest: StoredRest) => Promise<void>;
  readonly end: (host: string) => Promise<void>;
}

export interface HostOptions {
  readonly clock: () => Date;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Between 0 and 1; spreads requests. */
  readonly random: () => number;
  /** Without it rests are of this process alone. */
  readonly rests?: StoredRests | undefined;
}

/** Between two requests to a host of which nothing is known. */
export const usualPace: Pace = { spacingMs: 250 };
/** After so many refusals in a row a host is left alone so long; the last one stays. */
const restsMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs];
/** No answer takes a host away for longer; nor an operation that asks it while a caller waits. */
const maxDelayMs = 6 * hourMs;
const maxCallerDelayMs = 5 * minuteMs;
/** A refresh waits for the end of a rest that passes so soon. */
export const maxWaitMs = 90 * secondMs;
/** The share by which spacings and rests are longer at random. */
const jitter = 0.1;

interface Rest {
  readonly until: number;
  /** What the host answered. */
  readonly status: number;
  /** It was asked too often: that ends by itself. */
  readonly passes: boolean;
}

interface Waiter {
  readonly page: PageContext;
  /** Its turn, with what is to be called at its end; undefined where the host is to be left alone by now. */
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

/** The hosts that a process asks: requests to each are spaced, whoever sends them, and one that refuses is left alone for a while. */
export function hosts(options: HostOptions) {
  const { clock, wait, random, rests } = options;
  const known = new Map<string, Host>();
  const now = () => clock().getTime();
  const longer = (milliseconds: number) => milliseconds * (1 + jitter * random());
  return { call: sendRequest };

  /** Asks when it is the visit's turn. What is thrown with `unsent` was never sent. */
  async function sendRequest<Answer>(
    name: string,
    page: PageContext,
    send: (waitedMs: number) => Promise<Answer>,
  ): Promise<Answer> {
    const host = hostOf(name);
    host.spacingMs = Math.max(host.spacingMs, page.pace.spacingMs);
    const since = now();
    await recall(host);
    const over = await turnOf(host, page);
    try {
      const response = await send(Math.max(0, now() - since));
      await forget(host);
      host.rest = undefined;
      return response;
    } catch (error) {
      throw error instanceof UpstreamError ? await heard(host, page, error) : error;
    } finally {
      over();
    }
  }

  function hostOf(name: string): Host {
    const host = known.get(name) ?? {
      ...{ name, line: [], spacingMs: 0, moving: false, lastAt: undefined, refusals: 0, rest: undefined },
    };
    known.set(name, host);
    return host;
  }

  /** What other processes, or those before this one, were told by the host. */
  async function recall(host: Host): Promise<void> {
    const stored = await rests?.of(host.name);
    if (!stored) return;
    const { refusals: rejections, ...rest } = stored;
    host.refusals = Math.max(host.refusals, rejections);
    const until = Math.min(rest.until, now() + maxDelayMs);
    if (until > Math.max(now(), host.rest?.until ?? 0)) host.rest = { ...rest, until };
  }

  /** The host is not refusing any more. */
  async function forget(host: Host): Promise<void> {
    if (host.refusals > 0) await rests?.end(host.name);
    host.refusals = 0;
  }

  async function turnOf(host: Host, page: PageContext): Promise<() => void> {
    for (;;) {
      await restOver(host, page);
      const over = await lineUp(host, page);
      if (over) return over;
    }
  }

  function isResting({ rest }: Host): boolean {
    return rest !== undefined && now() < rest.until;
  }

  async function restOver(host: Host, { callerWaitsMs }: PageContext): Promise<void> {
    const { rest } = host;
    if (rest === undefined || !isResting(host)) return;
    const leftMs = rest.until - now();
    if (!rest.passes || callerWaitsMs !== undefined || leftMs > maxWaitMs) throw skipped(host, rest, leftMs);
    await wait(leftMs);
    if (host.rest === rest) host.rest = undefined;
  }

  function lineUp(host: Host, page: PageContext): Promise<(() => void) | undefined> {
    const { callerWaitsMs } = page;
    const before = host.line.filter(({ page: other }) => other.callerWaitsMs !== undefined).length;
    if (callerWaitsMs !== undefined && spacingLeft(host) + before * host.spacingMs > callerWaitsMs)
      throw new UpstreamError(`${host.name} has too many requests waiting`, { kind: "over quota", unsent: true });
    const turn = new Promise<(() => void) | undefined>((begin) => host.line.push({ page, begin }));
    if (!host.moving) void move(host);
    return turn;
  }

  async function move(host: Host): Promise<void> {
    host.moving = true;
    while (host.line.length > 0) {
      const leftMs = isResting(host) ? 0 : spacingLeft(host);
      if (leftMs > 0) await wait(longer(leftMs));
      const urgent = host.line.findIndex(({ page }) => page.callerWaitsMs !== undefined);
      const [next] = host.line.splice(Math.max(urgent, 0), 1);
      if (!next) break;
      if (isResting(host)) {
        next.begin(undefined);
        continue;
      }
      host.lastAt = now();
      const over = new Promise<void>((resolve) => next.begin(resolve));
      if (!next.page.pace.oneAtATime) continue;
      await over;
      host.lastAt = now();
    }
    host.moving = false;
  }

  /** A clock that is set back must not make anybody wait for longer than the spacing. */
  function spacingLeft({ lastAt, spacingMs }: Host): number {
    return lastAt === undefined ? 0 : Math.min(Math.max(lastAt + spacingMs - now(), 0), spacingMs);
  }

  /** What a failure means for the next visits. Told again with how long the host is left alone. */
  async function heard(host: Host, { pace, callerWaitsMs }: PageContext, error: UpstreamError): Promise<UpstreamError> {
    const { status, retryAfterSeconds, kind } = error;
    if (error.unsent) return error;
    // What cannot be read, or is not there, is an answer as well.
    if (status !== undefined && (status < 400 || status === 404)) await forget(host);
    if (status !== 403 && status !== 429) return error;
    const passes = isTooOften(pace, status);
    const grown = longer(restsMs[Math.min(host.refusals, restsMs.length - 1)] ?? maxDelayMs);
    const requested = retryAfterSeconds === undefined ? grown : Math.max(retryAfterSeconds, 1) * secondMs;
    const restMs = Math.min(requested, callerWaitsMs === undefined ? maxDelayMs : maxCallerDelayMs);
    const rest = { until: now() + restMs, status, passes };
    host.refusals += 1;
    host.rest = rest;
    await rests?.retain(host.name, { ...rest, refusals: host.refusals });
    return new UpstreamError(`${error.message}; it is left alone until ${instantOf(rest)}`, {
      ...{ cause: error, status, retryAfterSeconds: Math.ceil(restMs / secondMs) },
      ...(kind && { kind }),
    });
  }
}

/** Whether a status says that the host was asked too often. */
export function isTooOften({ tooOften = [] }: Pace, status: number | undefined): boolean {
  return status !== undefined && (status === 429 || tooOften.includes(status));
}

function skipped({ name }: Host, rest: Rest, leftMs: number): UpstreamError {
  const { status, passes } = rest;
  return new UpstreamError(`${name} is left alone until ${instantOf(rest)}: it answered ${status}`, {
    ...{ status, unsent: true, kind: passes ? "over quota" : "refused" },
    retryAfterSeconds: Math.ceil(leftMs / secondMs),
  });
}

function instantOf({ until }: Rest): string {
  return new Date(until).toISOString().replace(/\.\d+Z$/, "Z");
}
