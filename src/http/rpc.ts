import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createRegistry } from "@bufbuild/protobuf";
import { Code, ConnectError, createContextValues, type HandlerContext, type Interceptor } from "@connectrpc/connect";
import { compressionGzip, connectNodeAdapter } from "@connectrpc/connect-node";
import type { Logger } from "pino";
import { callerKey } from "../access/caller.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Implemented } from "../contract/implementation.ts";
import { InvalidRequest } from "../errors.ts";
import { validate } from "../interceptors/validate.ts";
import type { Visitor } from "../interceptors/visitor.ts";
import type { ClientAddress } from "./client-address.ts";
import { toConnectError, toFailure } from "./errors.ts";
import type { Request, Response } from "./exchange.ts";
import type { Gate } from "./gate.ts";
import { addLimits } from "./limit-headers.ts";

/** Operations by their RPC paths. */
export type RpcOperations = ReadonlyMap<string, Operation>;

export interface RpcParts {
  readonly operations: RpcOperations;
  readonly gate: Gate;
  readonly addresses: ClientAddress;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly shutdown: AbortSignal;
}

/** No request message of the contract comes near this; protects memory. */
const largestRequestBytes = 256 * 1024;
const longestTimeoutMs = 60_000;

const compress = promisify(gzip);
/** These answers are compressed for each request anew, so only the cheapest way is offered. */
const cheapGzip = { ...compressionGzip, compress: (bytes: Uint8Array) => compress(bytes, { level: 1 }) };

export function rpcOperations(operations: readonly Operation[]): RpcOperations {
  return new Map(operations.map((operation) => [pathOf(operation), operation]));
}

/** Connect, gRPC-Web and gRPC through connect-node, with the same steps in front as plain JSON. */
export function rpcHandler(
  services: readonly Implemented[],
  parts: RpcParts,
): (request: Request, response: Response, id: string) => void {
  const ids = new WeakMap<Request, string>();
  const translate: Interceptor = (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      throw translated(error, request.method.name, parts);
    }
  };
  const check: Interceptor = (next) => (request) => {
    const operation = parts.operations.get(`/${request.service.typeName}/${request.method.name}`);
    if (operation && !request.stream) validate(operation, request.message);
    return next(request);
  };
  const serve = connectNodeAdapter({
    acceptCompression: [cheapGzip],
    routes: (router) => {
      for (const { service, implementation } of services) router.service(service, implementation);
    },
    contextValues: (request) => {
      const address = parts.addresses.addressOf(request);
      const edge = parts.addresses.edgeOf(request);
      const requestId = ids.get(request) ?? "";
      return createContextValues().set(callerKey, { address, requestId, ...(edge ? { edge } : {}) });
    },
    requestGate: (context) => admit(context, parts),
    interceptors: [translate, check],
    readMaxBytes: largestRequestBytes,
    maxTimeoutMs: longestTimeoutMs,
    // Only in JSON does a message of any kind have to be known to be read or written.
    jsonOptions: {
      alwaysEmitImplicit: true,
      registry: createRegistry(...services.map(({ service }) => service.file)),
    },
    shutdownSignal: parts.shutdown,
  });
  return (request, response, id) => {
    ids.set(request, id);
    const host = "authority" in request ? request.authority : request.headers.host;
    if (!host || !URL.canParse(`http://${host}`))
      throw new InvalidRequest([{ field: "Host", description: "value must be a host name or an address" }]);
    // A cache that knows no keys may else keep the answer to a GET.
    response.setHeader("Cache-Control", "no-store");
    dropRest(request, response);
    serve(request, response);
  };
}

/** A body that was given up half-way may still be coming when its answer is out: it would hold up the connection. */
function dropRest(request: Request, response: Response): void {
  const isGivenUp = () => request.destroyed && !request.complete;
  if ("stream" in response) {
    const { stream } = response;
    stream.once("wantTrailers", () => setImmediate(() => isGivenUp() && stream.destroy()));
  } else {
    const { socket } = request;
    // Told in the answer's head, or the peer's next request would be cut as well; `close` comes only after the head.
    request.once("aborted", () => {
      response.shouldKeepAlive = false;
    });
    response.once("finish", () => isGivenUp() && socket.destroySoon());
  }
}

async function admit(context: HandlerContext, parts: RpcParts): Promise<void> {
  const operation = parts.operations.get(`/${context.service.typeName}/${context.method.name}`);
  if (!operation) throw new ConnectError("Unknown operation", Code.Unimplemented);
  const caller = context.values.get(callerKey);
  const now = parts.clock().getTime();
  const visitor = { head: presentedKey(context.requestHeader), now, address: () => caller.address };
  try {
    const { principal, allowance } = await parts.gate.admit(operation, visitor);
    if (!principal) return;
    context.values.set(callerKey, { ...caller, principal });
    const headers: string[] = [];
    if (allowance) addLimits(headers, allowance, now);
    for (let index = 0; index + 1 < headers.length; index += 2)
      context.responseHeader.set(headers[index] ?? "", headers[index + 1] ?? "");
  } catch (error) {
    throw translated(error, operation.name, parts);
  }
}

function presentedKey(headers: Headers): Visitor["head"] {
  const text = (name: string) => headers.get(name) ?? "";
  return { serviceKey: text("x-service-key"), apiKey: text("x-api-key") };
}

/** Faults of ours go into the log with their cause; callers learn no more than the code. */
function translated(error: unknown, operation: string, { clock, log }: RpcParts): ConnectError {
  const now = clock().getTime();
  const failure = toConnectError(error, now);
  const isFault =
    error instanceof ConnectError
      ? failure.code === Code.Internal || failure.code === Code.Unavailable
      : toFailure(error, now).fault;
  if (isFault) log.error({ operation, err: error }, "call failed");
  return failure;
}

function pathOf({ method }: Operation): string {
  return `/${method.parent.typeName}/${method.name}`;
}
