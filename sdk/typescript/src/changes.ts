import { search } from "./address.ts";
import { answerError, parsed } from "./answer-error.ts";
import type { Answered } from "./api-promise.ts";
import { type AttemptParts, call } from "./call.ts";
import { NetworkError } from "./errors.ts";
import { type ServerEvent, serverEvents } from "./events.ts";
import type { Change as PlainChange } from "./gen/plain.ts";
import { dataFactsOf, limitsFrom } from "./headers.ts";
import type { CallOptions, Settings } from "./options.ts";

/** Filters of changes. An absent filter selects all. */
export interface ChangeQuery {
  /** ISO 3166-1 alpha-2 code of one country. */
  readonly country?: string | undefined;
  readonly countries?: readonly string[] | undefined;
  /** Names of datasets. */
  readonly datasets?: readonly string[] | undefined;
  readonly kinds?: readonly PlainChange["kind"][] | undefined;
  /** Position to begin after, 0 for the oldest retained change. The default is to begin with the next change. */
  readonly after?: number | bigint | undefined;
}

/** Options for following changes. */
export interface ChangeOptions extends Pick<CallOptions, "signal" | "headers"> {
  /** Is called with each position up to which all matching changes were delivered. Store it to resume later. */
  readonly onPosition?: ((position: number) => void) | undefined;
}

/** Follows changes until the loop ends. An interrupted stream resumes at its position. */
export type ChangesReader = (query?: ChangeQuery, options?: ChangeOptions) => AsyncGenerator<PlainChange, void>;

const path = "/api/changes/v1/watch-changes";
const firstWaitMs = 1_000;
const maxWaitMs = 30_000;
/** Timeout of a silent stream. The service sends a message at least every 16 seconds. */
const silentMs = 45_000;

/**
 * Throws an `IdsError` if a reconnection does not help: a rejected key, an invalid query, or a position that is no
 * longer retained.
 */
export function changesReader(settings: Settings): ChangesReader {
  return async function* (query = {}, options = {}) {
    const { signal, onPosition } = options;
    let position: string | undefined;
    let waitMs = firstWaitMs;
    for (;;) {
      signal?.throwIfAborted();
      const gone = new AbortController();
      const ending = signal ? AbortSignal.any([signal, gone.signal]) : gone.signal;
      try {
        const { data: body } = await call(settings, { ...options, maxRetries: retries }, true, (parts) =>
          open(settings, address(settings, query), position, ending, parts),
        );
        for await (const event of serverEvents(lively(body, gone))) {
          if (event.retry !== undefined) waitMs = event.retry;
          if (event.event === "end") break;
          if (event.id !== undefined && event.id !== "") position = event.id;
          if (event.data !== undefined) yield JSON.parse(event.data) as PlainChange;
          reportPosition(event, onPosition);
        }
      } catch (error) {
        signal?.throwIfAborted();
        // An interruption can have any type of error: from `fetch`, from the body, or from the silence timeout.
        if (isRefusal(error)) throw error;
        waitMs = Math.min(waitMs * 2, maxWaitMs);
        settings.log.warn(`The stream of changes broke off: ${error}`, { position });
      } finally {
        gone.abort();
      }
      await settings.sleep(waitMs * (0.5 + settings.random() / 2), signal);
    }
  };
}

/** Retries of a request that opens a stream, after temporary failures. */
const retries = 8;

function reportPosition({ id }: ServerEvent, onPosition: ChangeOptions["onPosition"]): void {
  if (id !== undefined && id !== "") onPosition?.(Number(id));
}

function address({ baseUrl }: Settings, { country, countries = [], ...query }: ChangeQuery): string {
  return baseUrl + path + search({ ...query, countries: country === undefined ? countries : [country, ...countries] });
}

async function open(
  { fetch, now }: Settings,
  url: string,
  position: string | undefined,
  ending: AbortSignal,
  { signal, headers, requestId }: AttemptParts,
): Promise<Answered<AsyncIterable<Uint8Array>>> {
  if (position !== undefined) headers.set("Last-Event-ID", position);
  // The timeout ends when the response begins. The stream itself ends with the loop.
  const opening = new AbortController();
  const stop = () => opening.abort();
  signal.addEventListener("abort", stop, { once: true });
  ending.addEventListener("abort", stop, { once: true });
  let response: Response;
  let refusal = "";
  try {
    response = await fetch(url, { headers, signal: opening.signal, redirect: "error" });
    if (!response.ok) refusal = await response.text();
  } catch (cause) {
    throw new NetworkError("No response", { status: 0, requestId, cause });
  } finally {
    signal.removeEventListener("abort", stop);
  }
  const { status } = response;
  const context = limitsFrom(response.headers, status, requestId, now());
  if (!response.ok) throw answerError({ ...context, body: parsed(refusal) ?? refusal }, response.headers);
  return {
    data: pieces(response.body),
    response: {
      status,
      headers: response.headers,
      requestId: context.requestId,
      data: dataFactsOf(response.headers),
    },
  };
}

/** Yields the chunks of a body, because not every browser can iterate over it. */
async function* pieces(body: Response["body"]): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return;
    yield piece.value;
  }
}

/** Aborts a silent stream, because its connection is dead without an error. */
async function* lively(body: AsyncIterable<Uint8Array>, gone: AbortController): AsyncGenerator<Uint8Array> {
  let timer = setTimeout(() => gone.abort(), silentMs);
  try {
    for await (const piece of body) {
      clearTimeout(timer);
      timer = setTimeout(() => gone.abort(), silentMs);
      yield piece;
    }
  } finally {
    clearTimeout(timer);
  }
}

function isRefusal(error: unknown): boolean {
  const status = error !== null && typeof error === "object" && "status" in error ? Number(error.status) : 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
