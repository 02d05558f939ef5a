import type { Answered } from "./api-promise.ts";
import { IdsError, NetworkError, TimeoutError } from "./errors.ts";
import { type CallOptions, checkedRetries, type Settings } from "./options.ts";

/** One request of a call, up to its decoded response. Failures are `IdsError`s. */
export type Attempt<T> = (request: AttemptParts) => Promise<Answered<T>>;

export interface AttemptParts {
  readonly signal: AbortSignal;
  readonly headers: Headers;
  readonly requestId: string;
}

const maxRetryAfterSeconds = 60;
const firstWaitMs = 500;
const maxWaitMs = 8_000;
/** Temporary statuses, after which a read is repeated even without `Retry-After`. */
const passing = [408, 429, 500, 502, 503, 504];

/**
 * Runs a call with timeout, abort, and retries after temporary failures. `read` states that the call changes nothing.
 */
export async function call<T>(
  settings: Settings,
  options: CallOptions,
  read: boolean,
  attempt: Attempt<T>,
): Promise<Answered<T>> {
  const headers = new Headers({ ...settings.headers, "X-Request-Id": settings.uuid() });
  // All attempts have the same key, so that a change whose response was lost is not made twice.
  if (!read) headers.set("Idempotency-Key", options.idempotencyKey ?? settings.uuid());
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const requestId = headers.get("X-Request-Id") ?? "";
  const maxRetries = checkedRetries(options.maxRetries ?? settings.maxRetries);
  for (let tried = 0; ; tried++) {
    options.signal?.throwIfAborted();
    try {
      return await within(settings, options, requestId, (signal) =>
        attempt({ signal, headers: new Headers(headers), requestId }),
      );
    } catch (error) {
      const wait = error instanceof IdsError ? waitAfter(error, tried, read, settings) : undefined;
      if (wait === undefined || tried >= maxRetries) throw error;
      settings.log.warn(`${error}; retry ${tried + 1} of ${maxRetries} in ${Math.round(wait)} ms`, { requestId });
      await settings.sleep(wait, options.signal);
    }
  }
}

/** Returns milliseconds until the next attempt, or undefined if another attempt would not help or might do harm. */
function waitAfter(error: IdsError, tried: number, read: boolean, { random }: Settings): number | undefined {
  const { status, shouldRetry, retryAfterSeconds } = error;
  const isTimed = retryAfterSeconds !== undefined && (status === 429 || status === 503);
  const isPassing = read && (error instanceof NetworkError || passing.includes(status));
  if (!(shouldRetry ?? (isTimed || isPassing))) return undefined;
  if (retryAfterSeconds === undefined) return random() * Math.min(firstWaitMs * 2 ** tried, maxWaitMs);
  return retryAfterSeconds > maxRetryAfterSeconds ? undefined : retryAfterSeconds * 1_000;
}

async function within<T>(
  settings: Settings,
  options: CallOptions,
  requestId: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal: caller, timeoutMs = settings.timeoutMs } = options;
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), timeoutMs);
  try {
    return await run(caller ? AbortSignal.any([caller, timer.signal]) : timer.signal);
  } catch (error) {
    caller?.throwIfAborted();
    if (timer.signal.aborted && !answered(error))
      throw new TimeoutError(`No response within ${timeoutMs} ms`, { status: 0, requestId, cause: error });
    throw error;
  } finally {
    clearTimeout(timeout);
  }
}

/** Returns whether the failure is a complete response of the service. */
function answered(error: unknown): boolean {
  return error instanceof IdsError && !(error instanceof NetworkError);
}
