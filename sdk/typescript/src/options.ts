import { type Logger, silent, told } from "./log.ts";

/** How a client reaches the service. */
export interface ClientOptions {
  /** Where the service is: `https://ids.example.org`, with a path where a proxy puts it below one. */
  readonly baseUrl: string;
  /** API key. Without one, only the operations that need none answer. */
  readonly apiKey?: string | undefined;
  /** How long one request may take, in milliseconds; 30,000 by default. Waits between requests do not count. */
  readonly timeoutMs?: number | undefined;
  /** Instead of the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Further requests after a first that failed in passing; 2 by default. */
  readonly maxRetries?: number | undefined;
  /** Told of each request; `console` will do. API keys are masked. */
  readonly logger?: Logger | undefined;
  /** `warn`, the default, tells of what is asked again; `debug` of each request and its answer as well. */
  readonly logLevel?: "debug" | "warn" | undefined;
}

/** What one call may say for itself. */
export interface CallOptions {
  /** Ends the call, wherever it is, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's. */
  readonly timeoutMs?: number | undefined;
  /** In place of the client's. */
  readonly maxRetries?: number | undefined;
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Calls with the same key change something once, for 24 hours. Made up for each call that changes something, if absent. */
  readonly idempotencyKey?: string | undefined;
}

/** Time and chance, which tests bring themselves. */
export interface Runtime {
  readonly now: () => number;
  /** 0 to below 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Everything a client goes by, complete and checked. */
export interface Settings extends Runtime {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly maxRetries: number;
  readonly log: Logger;
  /** Sent with every request. */
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
  // Browsers refuse a `fetch` that is called as a method of another object.
  const reach: typeof globalThis.fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    timeoutMs,
    maxRetries: checkedRetries(maxRetries),
    log: logger,
    fetch: logLevel === "debug" ? told(reach, logger, now) : reach,
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

/** A page must not name itself: the header would make its requests fail. */
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
