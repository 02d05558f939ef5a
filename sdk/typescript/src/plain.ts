import { fill, type Query, search } from "./address.ts";
import { answerError, parsed } from "./answer-error.ts";
import { type Answered, type APIPromise, pending } from "./api-promise.ts";
import { type AttemptParts, call } from "./call.ts";
import { type ChangesReader, changesReader } from "./changes.ts";
import { GatewayError, NetworkError } from "./errors.ts";
import { type FileClient, fileReader } from "./files.ts";
import { paging } from "./gen/paging.ts";
import type { DeletePaths, GetPaths, GetScenarioStatusResponse, PostPaths } from "./gen/plain.ts";
import { dataFactsOf, limitsFrom } from "./headers.ts";
import { type CallOptions, type ClientOptions, type Runtime, type Settings, settingsOf } from "./options.ts";
import { type Element, type PagedOperations, type PageOptions, type Pages, pagesOf } from "./pages.ts";
import { ended, type WaitOptions } from "./scenario.ts";

export type { Answered, APIPromise, DataFacts, ResponseFacts } from "./api-promise.ts";
export type { ChangeOptions, ChangeQuery, ChangesReader } from "./changes.ts";
export * from "./errors.ts";
export type { FileAnswer, FilePath, FileWanted } from "./files.ts";
export type * from "./gen/plain.ts";
export type { Logger } from "./log.ts";
export type { CallOptions, ClientOptions } from "./options.ts";
export type { PageOptions, Pages } from "./pages.ts";
export type { WaitOptions } from "./scenario.ts";
export * from "./webhook.ts";

type PagedOperation = PagedOperations[keyof PagedOperations];

/** Paths with paged responses. */
export type PagedPath = PagedOperation["path"];

type ItemOf<P extends PagedPath> = Element<
  GetPaths[P]["answer"][Extract<PagedOperation, { readonly path: P }>["items"] & keyof GetPaths[P]["answer"]]
>;

/** Query of a path. It excludes `jmespath`, because a projected response has another type. */
type QueryOf<P extends keyof GetPaths> = Readonly<GetPaths[P]["query"]> & { readonly jmespath?: never };

/**
 * The service in plain JSON, without generated code and protobuf at run time. The request fills in each `{field}` of a
 * path.
 */
export interface PlainClient extends FileClient {
  /** Reads with a projection by a JMESPath expression. The type of the result depends on the expression. */
  get<P extends keyof GetPaths>(
    path: P,
    query: Readonly<GetPaths[P]["query"]> & { readonly jmespath: string },
    options?: CallOptions,
  ): APIPromise<unknown>;
  /** Sends a read. */
  get<P extends keyof GetPaths>(path: P, query?: QueryOf<P>, options?: CallOptions): APIPromise<GetPaths[P]["answer"]>;
  /** Sends a change with an `Idempotency-Key`. */
  post<P extends keyof PostPaths>(
    path: P,
    body: Readonly<PostPaths[P]["body"]>,
    options?: CallOptions,
  ): APIPromise<PostPaths[P]["answer"]>;
  /** Sends a deletion with an `Idempotency-Key`. */
  delete<P extends keyof DeletePaths>(
    path: P,
    body: Readonly<DeletePaths[P]["body"]>,
    options?: CallOptions,
  ): APIPromise<DeletePaths[P]["answer"]>;
  /** Follows changes: `for await (const change of client.changes({ country: "UA" }))`. */
  readonly changes: ChangesReader;
  /** Returns a paged list, item by item or page by page. */
  pages<P extends PagedPath>(
    path: P,
    query?: QueryOf<P>,
    options?: PageOptions,
  ): Pages<ItemOf<P>, GetPaths[P]["answer"]>;
  /** Returns the status of a scenario job as soon as it is `done` or `failed`. */
  waitForScenario(jobId: string, options?: WaitOptions): Promise<GetScenarioStatusResponse>;
}

/** Creates a client for the service's plain JSON. */
export function createPlainClient(options: ClientOptions, runtime: Partial<Runtime> = {}): PlainClient {
  const settings = settingsOf(options, runtime);
  const get = (path: string, query: Query = {}, callOptions: CallOptions = {}) =>
    pending(
      call(settings, callOptions, true, (parts) => {
        const filled = fill(path, query);
        return request(settings, filled.path + search(filled.rest), {}, parts);
      }),
    );
  const change =
    (method: string) =>
    (path: string, body: Query, callOptions: CallOptions = {}) =>
      pending(
        call(settings, callOptions, false, (parts) => {
          parts.headers.set("Content-Type", "application/json");
          const filled = fill(path, body);
          return request(settings, filled.path, { method, body: JSON.stringify(filled.rest) }, parts);
        }),
      );
  const pages = (path: string, query: Query = {}, { maxItems, ...callOptions }: PageOptions = {}) => {
    const own = Object.values(paging).find((each) => each.path === path);
    if (!own) throw new TypeError(`${path} has no pages`);
    return pagesOf(own, query[own.cursor], maxItems, (cursor) =>
      (get(path, { ...query, [own.cursor]: cursor }, callOptions) as APIPromise<object>).withResponse(),
    );
  };
  const waitForScenario = (jobId: string, waitOptions: WaitOptions = {}) =>
    ended(settings, waitOptions, (callOptions) =>
      (get(statusPath, { job_id: jobId }, callOptions) as APIPromise<GetScenarioStatusResponse>).withResponse(),
    );
  const changing = { post: change("POST"), delete: change("DELETE") };
  const own = { pages, waitForScenario, file: fileReader(settings), changes: changesReader(settings) };
  return { get, ...changing, ...own } as PlainClient;
}

const statusPath: keyof GetPaths = "/api/scenario/v1/get-scenario-status";

async function request(
  { baseUrl, fetch, now }: Settings,
  path: string,
  init: RequestInit,
  { signal, headers, requestId }: AttemptParts,
): Promise<Answered<unknown>> {
  let response: Response;
  let text: string;
  try {
    // A redirect would send the key to another server.
    response = await fetch(baseUrl + path, { ...init, headers, signal, redirect: "error" });
    text = await response.text();
  } catch (cause) {
    throw new NetworkError("No response", { status: 0, requestId, cause });
  }
  const { status } = response;
  const context = limitsFrom(response.headers, status, requestId, now());
  const body = status === 204 ? {} : parsed(text);
  if (!response.ok) throw answerError({ ...context, body: body ?? text }, response.headers);
  if (body === undefined) throw new GatewayError("The response is not JSON", undefined, { ...context, body: text });
  const data = dataFactsOf(response.headers);
  return { data: body, response: { status, headers: response.headers, requestId: context.requestId, data } };
}
