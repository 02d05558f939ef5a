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
  /** Further requests after a first that failed in passing, 0 to 2; 2 by default. */
  readonly maxRetries?: number | undefined;
}

/** What one call may say for itself. */
export interface CallOptions {
  /** Ends the call, wherever it is, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's. */
  readonly timeoutMs?: number | undefined;
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
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Name and version of this package, as the service's log shows them. */
export const userAgent = "ids-typescript/1.0.0";

const allowedRetries = 2;

/** Checks the options and adds the defaults. Throws a TypeError or RangeError that names the option. */
export function settingsOf(options: ClientOptions, runtime: Partial<Runtime>): Settings {
  const { apiKey, fetch, timeoutMs = 30_000, maxRetries = allowedRetries } = options;
  if (!/^https?:\/\//i.test(options.baseUrl) || !URL.canParse(options.baseUrl))
    throw new TypeError("baseUrl must be an absolute http or https URL");
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("apiKey must consist of visible ASCII characters");
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31))
    throw new RangeError("timeoutMs must be more than 0 and at most 2147483647");
  if (!Number.isInteger(maxRetries) || maxRetries < 0 || maxRetries > allowedRetries)
    throw new RangeError(`maxRetries must be an integer from 0 to ${allowedRetries}`);
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    timeoutMs,
    maxRetries,
    // Browsers refuse a `fetch` that is called as a method of another object.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: {
      ...(apiKey === undefined ? {} : { "X-Service-Key": apiKey }),
      ...(isBrowser() ? {} : { "User-Agent": userAgent }),
    },
    now: Date.now,
    random: Math.random,
    uuid: () => crypto.randomUUID(),
    sleep,
    ...runtime,
  };
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
