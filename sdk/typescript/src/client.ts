import type { DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { type Answered, type APIPromise, pending } from "./api-promise.ts";
import { type AttemptParts, call } from "./call.ts";
import { fromConnect } from "./connect-error.ts";
import { NetworkError } from "./errors.ts";
import { type FileClient, fileReader } from "./files.ts";
import { services } from "./gen/services.ts";
import { dataFactsOf, limitsFrom } from "./headers.ts";
import { type CallOptions, type ClientOptions, type Runtime, type Settings, settingsOf } from "./options.ts";
import { type ItemOf, itemsOf, type Page } from "./pages.ts";

export type { Answered, APIPromise, DataFacts, ResponseFacts } from "./api-promise.ts";
export * from "./errors.ts";
export type { FileAnswer, FilePath, FileWanted } from "./files.ts";
export * from "./gen/messages.ts";
export type { CallOptions, ClientOptions } from "./options.ts";

/** One operation. */
export type Operation<Request, Answer> = (request?: Request, options?: CallOptions) => APIPromise<Answer>;

/** Every operation of a service. */
export type ServiceClient<S extends DescService> = {
  readonly [M in keyof S["method"]]: S["method"][M] extends DescMethodUnary<infer I, infer O>
    ? Operation<MessageInitShape<I>, MessageShape<O>>
    : never;
};

/** The service over Connect: one member a domain. */
export type Client = { readonly [D in keyof typeof services]: ServiceClient<(typeof services)[D]> } & FileClient & {
    /** The items of a paged list, page after page. */
    pages<Request extends { cursor?: string }, Answer extends Page>(
      operation: Operation<Request, Answer>,
      request?: NoInfer<Request>,
      options?: CallOptions,
    ): AsyncGenerator<ItemOf<Answer>, void, undefined>;
  };

/** Makes a client over Connect, for Node and browsers. Reads are GET requests. */
export function createClient(options: ClientOptions, runtime: Partial<Runtime> = {}): Client {
  const settings = settingsOf(options, runtime);
  const domains = Object.entries(services).map(([domain, service]) => [
    domain,
    Object.fromEntries(
      service.methods.map((method) => [method.localName, operation(settings, method as DescMethodUnary)]),
    ),
  ]);
  const pages = (read: Operation<Paged, Page>, request: Paged = {}, callOptions: CallOptions = {}) =>
    itemsOf(request.cursor, (cursor) => read({ ...request, ...(cursor ? { cursor } : {}) }, callOptions));
  return { ...Object.fromEntries(domains), pages, file: fileReader(settings) };
}

interface Paged {
  readonly cursor?: string;
}

/** Any request, by its fields. */
type Fields = Record<string, unknown>;

function operation(settings: Settings, method: DescMethodUnary): Operation<Fields, object> {
  const read = method.idempotency === Idempotency.NO_SIDE_EFFECTS;
  return (request = {}, options = {}) =>
    pending(call(settings, options, read, (parts) => send(settings, method, request, parts)));
}

async function send(
  { baseUrl, fetch, now }: Settings,
  method: DescMethodUnary,
  message: Fields,
  { signal, headers, requestId }: AttemptParts,
): Promise<Answered<object>> {
  // Made for each request, because what `fetch` got is told nowhere else.
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
      data: answer.message,
      response: {
        status: response?.status ?? 200,
        headers: answer.header,
        requestId: id,
        data: dataFactsOf(answer.header),
      },
    };
  } catch (cause) {
    const error = ConnectError.from(cause);
    // Of what can fail here, only `fetch` and the body of its answer throw a TypeError.
    if (!response || signal.aborted || error.cause instanceof TypeError)
      throw new NetworkError("No answer", { status: 0, requestId, cause: error.cause ?? error });
    throw fromConnect(error, response.headers, limitsFrom(response.headers, response.status, requestId, now()));
  }
}
