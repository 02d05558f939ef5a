import { type Logger, loggingFetch, silent } from "./log.ts";

/** Options of a client. */
export interface ClientOptions {
  /** Address of the service, such as `https://ids.example.org`. */
  readonly baseUrl: string;
  /** API key. Without one, you can only call operations that require none. */
  readonly apiKey?: string | undefined;
  /** Timeout of one request in milliseconds, 30,000 by default. Waits between requests do not count. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Maximum number of retries after a temporary failure, 2 by default. */
  readonly maxRetries?: number | undefined;
  /** Receives a message for each request, for example `console`. API keys are masked. */
  readonly logger?: Logger | undefined;
  /** `warn` (default) logs retries. `debug` also logs each request and its response. */
  readonly logLevel?: "debug" | "warn" | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call at any point, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the option of the client. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the option of the client. */
  readonly maxRetries?: number | undefined;
  /** Additional request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Calls with the same key make a change only once within 24 hours. By default every call that makes a change has a
   * new key.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Time and random numbers, which tests replace. */
export interface Runtime {
  readonly now: () => number;
  /** Returns a number from 0, inclusive, to 1, exclusive. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** All options of a client, checked and with their defaults. */
export interface Settings extends Runtime {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly maxRetries: number;
  readonly log: Logger;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Name and version of this package, as the service's log shows them. */
export const userAgent = "ids-typescript/1.0.0";

/** Checks the options and adds the defaults. Throws a TypeError or RangeError that names the option. */
export function settingsOf(options: ClientOptions, runtime: Partial<Runtime>): Settings {
  const { apiKey, fetch, timeoutMs = 30_000, maxRetries = 2, logger = silent, logLevel = "warn" } = options;
  if (!/^https?:\/\//i.test(options.baseUrl) || !URL.canParse(options.baseUrl))
    throw new TypeError("baseUrl must be an absolute http or https URL");
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("apiKey must consist of visible ASCII characters");
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31))
    throw new RangeError("timeoutMs must be more than 0 and at most 2147483647");
  const { now = Date.now } = runtime;
  // Browsers reject a `fetch` that is called as a method of another object.
  const reach: typeof globalThis.fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    timeoutMs,
    maxRetries: checkedRetries(maxRetries),
    log: logger,
    fetch: logLevel === "debug" ? loggingFetch(reach, logger, now) : reach,
    headers: {
      ...(apiKey === undefined ? {} : { "X-Service-Key": apiKey }),
      ...(isBrowser() ? {} : { "User-Agent": userAgent }),
    },
    now,
    random: Math.random,
    uuid: () => crypto.randomUUID(),
    sleep,
    ...runtime,
  };
}

export function checkedRetries(maxRetries: number): number {
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new RangeError("maxRetries must be an integer of 0 or more");
  return maxRetries;
}

/** Returns whether the client runs in a browser, where a `User-Agent` header would make requests fail. */
function isBrowser(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node === undefined;
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
