import type {
  DescMessage,
  DescMethod,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { type Answered, type APIPromise, pending } from "./api-promise.ts";
import { type AttemptParts, call } from "./call.ts";
import { type ChangesReader, changesReader } from "./changes.ts";
import { fromConnect } from "./connect-error.ts";
import { NetworkError } from "./errors.ts";
import { type FileClient, fileReader } from "./files.ts";
import type { GetScenarioStatusResponse } from "./gen/messages.ts";
import { paging } from "./gen/paging.ts";
import { services } from "./gen/services.ts";
import { dataFactsOf, limitsFrom } from "./headers.ts";
import { type Int64, type JsonSafe, jsonSafe } from "./json-safe.ts";
import { type CallOptions, type ClientOptions, type Runtime, type Settings, settingsOf } from "./options.ts";
import { type Element, type PagedOperations, type PageOptions, type Pages, type Paging, pagesOf } from "./pages.ts";
import { ended, type WaitOptions } from "./scenario.ts";

export type { Answered, APIPromise, DataFacts, ResponseFacts } from "./api-promise.ts";
export type { ChangeOptions, ChangeQuery, ChangesReader } from "./changes.ts";
export * from "./errors.ts";
export type { FileAnswer, FilePath, FileWanted } from "./files.ts";
export * from "./gen/messages.ts";
export * from "./json-safe.ts";
export type { Logger } from "./log.ts";
export type { CallOptions, ClientOptions } from "./options.ts";
export type { PageOptions, Pages } from "./pages.ts";
export type { WaitOptions } from "./scenario.ts";
export * from "./webhook.ts";

/** Options of a client over Connect. */
export interface ConnectOptions<Form extends Int64 = Int64> extends ClientOptions {
  /** Type of 64-bit integers in responses: `bigint` (default), or `string`, which `JSON.stringify` accepts. */
  readonly int64?: Form | undefined;
}

/** A method that calls one operation. */
export type Operation<Request, Answer> = (request?: Request, options?: CallOptions) => APIPromise<Answer>;

/** An operation whose response is one page of a list. */
export interface PagedOperation<Request, Answer, Items extends keyof Answer> extends Operation<Request, Answer> {
  readonly paging: Paging<Items>;
}

type OperationOf<Name, Request, Answer> = Name extends keyof PagedOperations
  ? PagedOperation<Request, Answer, PagedOperations[Name]["items"] & keyof Answer>
  : Operation<Request, Answer>;

/** A response with the client's type of 64-bit integers. */
type InForm<Form extends Int64, Message> = Form extends "string" ? JsonSafe<Message> : Message;

/** Every operation of a service. */
export type ServiceClient<S extends DescService, Domain extends string = string, Form extends Int64 = "bigint"> = {
  readonly [M in keyof S["method"] as S["method"][M] extends DescMethodUnary
    ? M
    : never]: S["method"][M] extends DescMethodUnary<infer I, infer O>
    ? OperationOf<`${Domain}.${M & string}`, MessageInitShape<I>, InForm<Form, MessageShape<O>>>
    : never;
};

/** The service over Connect, with one member per domain. */
export type Client<Form extends Int64 = "bigint"> = {
  readonly [D in keyof typeof services]: ServiceClient<(typeof services)[D], D, Form>;
} & FileClient & {
    /** Follows changes: `for await (const change of client.changes({ country: "UA" }))`. Also has ListChanges. */
    readonly changes: ChangesReader;
    /** Returns a paged list, item by item or page by page. */
    pages<Request, Answer, Items extends keyof Answer>(
      operation: PagedOperation<Request, Answer, Items>,
      request?: NoInfer<Request>,
      options?: PageOptions,
    ): Pages<Element<Answer[Items]>, Answer>;
    /** Returns the status of a scenario job as soon as it is `done` or `failed`. */
    waitForScenario(jobId: string, options?: WaitOptions): Promise<InForm<Form, GetScenarioStatusResponse>>;
  };

/** Creates a client over Connect, for Node and browsers. Reads are GET requests. */
export function createClient<Form extends Int64 = "bigint">(
  options: ConnectOptions<Form>,
  runtime: Partial<Runtime> = {},
): Client<Form> {
  const settings = settingsOf(options, runtime);
  const { int64 = "bigint" } = options;
  const domains = Object.fromEntries(
    Object.entries(services).map(([domain, service]) => [domain, operationsOf(settings, domain, service, int64)]),
  );
  const status = operation(settings, services.scenario.method.getScenarioStatus, int64);
  const own = {
    pages: pagesIn,
    waitForScenario: (jobId: string, waitOptions: WaitOptions = {}) =>
      ended(settings, waitOptions, (callOptions) => status({ jobId }, callOptions).withResponse()),
    file: fileReader(settings),
    changes: Object.assign(changesReader(settings), domains.changes),
  };
  return { ...domains, ...own } as Client<Form>;
}

/** The fields of any request. */
type Fields = Record<string, unknown>;

function pagesIn(
  read: Operation<Fields, object> & { readonly paging?: Paging },
  request: Fields = {},
  { maxItems, ...options }: PageOptions = {},
): Pages<unknown, object> {
  if (!read.paging) throw new TypeError("The operation has no pages");
  const { cursor: name, more } = read.paging;
  return pagesOf(read.paging, request[name], maxItems, (cursor) => {
    // A position in a request is a bigint, whatever its type in responses.
    const asked = more === undefined || cursor === undefined ? cursor : BigInt(cursor);
    return read(asked === undefined ? request : { ...request, [name]: asked }, options).withResponse();
  });
}

function operationsOf(settings: Settings, domain: string, service: DescService, int64: Int64): object {
  const paged: Readonly<Record<string, Paging>> = paging;
  return Object.fromEntries(
    service.methods.filter(isUnary).map((method) => {
      const own = paged[`${domain}.${method.localName}`];
      const run = operation(settings, method, int64);
      return [method.localName, own ? Object.assign(run, { paging: own }) : run];
    }),
  );
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

function operation<O extends DescMessage>(
  settings: Settings,
  method: DescMethodUnary<DescMessage, O>,
  int64: Int64,
): Operation<Fields, MessageShape<O>> {
  const read = method.idempotency === Idempotency.NO_SIDE_EFFECTS;
  return (request = {}, options = {}) =>
    pending(call(settings, options, read, (parts) => send(settings, method, request, parts, int64)));
}

async function send<O extends DescMessage>(
  { baseUrl, fetch, now }: Settings,
  method: DescMethodUnary<DescMessage, O>,
  message: Fields,
  { signal, headers, requestId }: AttemptParts,
  int64: Int64,
): Promise<Answered<MessageShape<O>>> {
  // The transport is created for each request, because only its `fetch` sees the HTTP response.
  let response: Response | undefined;
  const transport = createConnectTransport({
    baseUrl,
    useHttpGet: true,
    async fetch(input, init) {
      response = await fetch(input, init);
      return response;
    },
  });
  try {
    const answer = await transport.unary(method, signal, undefined, headers, message);
    const id = answer.header.get("X-Request-Id") ?? requestId;
    return {
      data: int64 === "string" ? (jsonSafe(answer.message) as MessageShape<O>) : answer.message,
      response: {
        status: response?.status ?? 200,
        headers: answer.header,
        requestId: id,
        data: dataFactsOf(answer.header),
      },
    };
  } catch (cause) {
    const error = ConnectError.from(cause);
    // Only `fetch` and the body of its response throw a TypeError here.
    if (!response || signal.aborted || error.cause instanceof TypeError)
      throw new NetworkError("No response", { status: 0, requestId, cause: error.cause ?? error });
    throw fromConnect(error, response.headers, limitsFrom(response.headers, response.status, requestId, now()));
  }
}
