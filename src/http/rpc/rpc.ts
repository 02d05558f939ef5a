import type { DescService, JsonReadOptions, JsonValue, JsonWriteOptions } from "@bufbuild/protobuf";
import { createRegistry } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createContextValues,
  type HandlerContext,
  type Interceptor,
  type ServiceImpl,
} from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../gen/es/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../../gen/es/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionAlpha } from "../../../gen/es/grpc/reflection/v1alpha/reflection_pb.ts";
import { callerKey } from "../../access/caller.ts";
import { addLimits } from "../../allowance.ts";
import { asOfHeader, readAsOf } from "../../contract/as-of.ts";
import { saysUnavailable } from "../../contract/availability.ts";
import type { AnyOperation, Operation } from "../../contract/catalog.ts";
import { type Implemented, implementationsOf } from "../../contract/implementation.ts";
import { isObject } from "../../contract/request/body.ts";
import { messageWarnings, warningHeader } from "../../contract/request/parameter-warnings.ts";
import { rejectUnknownMembers } from "../../contract/request/strict.ts";
import { asOfKey, updatedAfterKey } from "../../contract/request-context.ts";
import { readUpdatedAfter, updatedAfterHeader } from "../../contract/updated-after.ts";
import { invalidField, RequestAborted } from "../../errors.ts";
import type { ClientInfo } from "../../interceptors/client-info.ts";
import { validate } from "../../interceptors/validate.ts";
import type { AccessControl } from "../access-control.ts";
import { causeOf, helpOn, MediaTypeRefused, toConnectError, toFailure } from "../errors.ts";
import { charge, type Exchange, sendJson } from "../exchange.ts";
import type { FaultLog } from "../load/fault-log.ts";
import type { RequestQueue } from "../load/request-queue.ts";
import type { Request, Response } from "../node-message.ts";
import { exchangeKey } from "./exchange-key.ts";
import { reflectionAlphaService, reflectionService } from "./reflection.ts";
import {
  blameUnreadable,
  hasKnownType,
  lenientGzip,
  markReadable,
  requireBase64,
  saysForm,
} from "./unreadable-message.ts";

type JsonOptions = Partial<JsonReadOptions & JsonWriteOptions>;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The RPC library would replace invalid UTF-8 characters. This decoder throws an error instead. */
function wellFormedJson(options: JsonOptions): JsonOptions {
  return Object.assign({ textDecoder: utf8 }, options);
}

/** Rejects unknown JSON members of a write. The text decoder throws, because its errors are returned to the client. */
function strictJson(operation: Operation, options: JsonOptions): JsonOptions {
  const textDecoder = {
    decode(bytes: Uint8Array): string {
      const text = utf8.decode(bytes);
      try {
        const body = parsed(text);
        if (isObject(body)) rejectUnknownMembers(operation, body);
      } catch (error) {
        throw toConnectError(error, 0);
      }
      return text;
    },
  };
  return Object.assign({}, options, { textDecoder });
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export type RpcOperations = ReadonlyMap<string, AnyOperation>;

export interface RpcParts {
  readonly operations: RpcOperations;
  readonly accessControl: AccessControl;
  readonly queue: RequestQueue;
  readonly clock: () => Date;
  readonly failed: FaultLog["failed"];
  readonly malformed: (requestId: string, protocol: string, reason: string) => void;
  readonly shutdown: AbortSignal;
  readonly isBatch: (operation: AnyOperation) => boolean;
  readonly notReady: () => string | undefined;
  readonly meter: (exchange: Exchange) => unknown;
}

/** Maximum size of a request message, which limits memory. Messages of the contract are much smaller. */
const maxRequestBytes = 256 * 1024;
const maxTimeoutMs = 60_000;

export function rpcOperations(operations: readonly AnyOperation[]): RpcOperations {
  return new Map(operations.map((operation) => [pathOf(operation), operation]));
}

/** Services that need no key and are not operations, such as health checks: names by RPC path. */
export const openRpc: ReadonlyMap<string, string> = new Map(
  [Health, ServerReflection, ServerReflectionAlpha].flatMap(({ typeName, methods }) =>
    methods.map(({ name }) => [`/${typeName}/${name}`, `${typeName}.${name}`] as const),
  ),
);

/** Serves Connect, gRPC-Web, and gRPC through connect-node, with the same access steps as plain JSON. */
export function rpcHandler(services: readonly Implemented[], parts: RpcParts): (exchange: Exchange) => void {
  const exchanges = new WeakMap<object, Exchange>();
  const translate: Interceptor = (next) => async (request) => {
    markReadable(request.contextValues);
    try {
      return await next(request);
    } catch (error) {
      throw translated(error, request.contextValues.get(exchangeKey), request.method.name, parts);
    }
  };
  const check: Interceptor = (next) => async (request) => {
    const operation = parts.operations.get(`/${request.service.typeName}/${request.method.name}`);
    if (!operation || request.stream) return next(request);
    const { message, header, contextValues } = request;
    if (operation.read) {
      const [asOf, updatedAfter] = [header.get(asOfHeader), header.get(updatedAfterHeader)];
      if (asOf) contextValues.set(asOfKey, readAsOf(asOf));
      if (updatedAfter) contextValues.set(updatedAfterKey, readUpdatedAfter(updatedAfter));
    }
    // Warnings are determined before the validation, because the validation resets ignored fields.
    const warnings = messageWarnings(operation.method.input, message);
    validate(operation, message);
    const answer = await next(request);
    if (warnings.length > 0) answer.header.set(...warningHeader(warnings));
    return answer;
  };
  const inTurn: Interceptor = (next) => async (request) => {
    const operation = parts.operations.get(`/${request.service.typeName}/${request.method.name}`);
    const exchange = request.contextValues.get(exchangeKey);
    // Each read of a batch is queued separately. A queued batch could block its own reads.
    if (!operation || !exchange || parts.isBatch(operation)) return next(request);
    const { principal } = request.contextValues.get(callerKey);
    const answer = await parts.queue.run(exchange, principal, operation, () => next(request));
    // The response is not serialized if the client has disconnected.
    requireCaller(exchange);
    if (!answer.stream && flags.get(operation)?.(answer.message)) exchange.cause = "flagged";
    return answer;
  };
  const reads = [...parts.operations.values()].filter(({ read }) => read);
  const flags = new Map(reads.map((operation) => [operation, saysUnavailable(operation.method.output)]));
  // Only the JSON format needs this registry, to convert `Any` messages.
  const registry = createRegistry(...services.map(({ service }) => service.file));
  const jsonOptions = wellFormedJson({ alwaysEmitImplicit: true, registry });
  const serve = connectNodeAdapter({
    acceptCompression: [lenientGzip],
    routes: (router) => {
      const described = services.map(({ service }) => service);
      router.service(Health, healthService(described, parts.notReady));
      const listed = [...described, Health, ServerReflection, ServerReflectionAlpha];
      router.service(ServerReflection, reflectionService(listed));
      router.service(ServerReflectionAlpha, reflectionAlphaService(listed));
      for (const each of services) {
        router.service(each.service, each.implementation);
        for (const { operation, implementation } of implementationsOf(each))
          if (!operation.queried)
            router.rpc(operation.method, implementation as never, { jsonOptions: strictJson(operation, jsonOptions) });
      }
    },
    contextValues: (request) => {
      const exchange = exchanges.get(request);
      const values = createContextValues();
      if (!exchange) return values;
      const [address, edge] = [exchange.address(), exchange.edge()];
      const caller = { address, requestId: exchange.id, ...(edge ? { edge } : {}) };
      return values.set(exchangeKey, exchange).set(callerKey, caller);
    },
    requestGate: (context) => admit(context, parts),
    interceptors: [translate, check, inTurn],
    readMaxBytes: maxRequestBytes,
    maxTimeoutMs,
    jsonOptions,
    shutdownSignal: parts.shutdown,
  });
  return (exchange) => {
    const { request, response } = exchange;
    const host = "authority" in request ? request.authority : request.headers.host;
    if (!host || !URL.canParse(`http://${host}`)) throw invalidField("Host", "value must be a host name or an address");
    // Responses must not be cached: they may depend on the key, and some caches ignore it.
    response.setHeader("Cache-Control", "no-store");
    // This error is sent here, because that of the RPC library would not list the allowed encodings.
    if (parts.operations.get(exchange.path)?.read && !saysForm(exchange)) {
      const message = "encoding: value must be one of json, proto";
      parts.malformed(exchange.id, "connect", message);
      return sendJson(exchange, 400, { code: "invalid_argument", message }, helpOn("invalid-request"));
    }
    // This response is sent here, because that of the RPC library would have no body.
    if (!hasKnownType(exchange)) throw new MediaTypeRefused("application/json or application/proto");
    dropRest(request, response);
    exchanges.set(request, exchange);
    return serve(request, response);
  };
}

/** Closes the stream or connection if a rejected body is still arriving after the response. */
function dropRest(request: Request, response: Response): void {
  const isGivenUp = () => request.destroyed && !request.complete;
  if ("stream" in response) {
    const { stream } = response;
    stream.once("wantTrailers", () => setImmediate(() => isGivenUp() && stream.destroy()));
  } else {
    const { socket } = request;
    // The head of the response must announce the end of the connection, or the next request of the peer would be cut.
    // `close` would be too late, because it comes only after the head.
    request.once("aborted", () => {
      response.shouldKeepAlive = false;
    });
    response.once("finish", () => isGivenUp() && socket.destroySoon());
  }
}

async function admit(context: HandlerContext, parts: RpcParts): Promise<void> {
  const operation = parts.operations.get(`/${context.service.typeName}/${context.method.name}`);
  const exchange = context.values.get(exchangeKey);
  if (exchange && openRpc.has(exchange.path)) return void (await counted(exchange, context, parts));
  if (!operation || !exchange) throw new ConnectError("Unknown operation", Code.Unimplemented);
  const { now } = exchange;
  const client: ClientInfo = { head: exchange.head, now, address: () => exchange.address() };
  try {
    const { principal: own, allowance, payer } = await parts.accessControl.admit(operation, client);
    const principal = own ?? payer;
    requireCaller(exchange);
    blameUnreadable(context, (reason) => parts.malformed(exchange.id, context.protocolName, reason));
    requireBase64(context);
    if (!principal) return;
    context.values.set(callerKey, { ...context.values.get(callerKey), principal });
    const headers: string[] = [];
    if (allowance && own) addLimits(headers, allowance, now);
    for (let index = 0; index + 1 < headers.length; index += 2)
      context.responseHeader.set(headers[index] ?? "", headers[index + 1] ?? "");
  } catch (error) {
    throw translated(error, exchange, operation.name, parts);
  } finally {
    charge(exchange, client);
  }
}

/** Counts a request by address. Health checks are exempt, because they are frequent. */
async function counted(exchange: Exchange, { service }: HandlerContext, parts: RpcParts): Promise<void> {
  if (service.typeName === Health.typeName) return;
  try {
    await parts.meter(exchange);
  } catch (error) {
    throw translated(error, exchange, service.name, parts);
  }
}

function requireCaller(exchange: Exchange): void {
  if (exchange.isGone()) throw new RequestAborted("The caller has gone");
}

/** Converts an error for the client, which sees only its code. Logs a fault of the service with its cause. */
function translated(
  error: unknown,
  exchange: Exchange | undefined,
  operation: string,
  { clock, failed }: RpcParts,
): ConnectError {
  const now = clock().getTime();
  const failure = toConnectError(error, now);
  if (exchange) exchange.cause ??= causeOf(error);
  const isFault =
    error instanceof ConnectError
      ? failure.code === Code.Internal || failure.code === Code.Unavailable
      : toFailure(error, now).fault;
  if (isFault) failed(exchange?.id ?? "", operation, error);
  return failure;
}

function pathOf({ method }: AnyOperation): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/**
 * Serves gRPC health checks: the result of `/readyz` for the whole service (an empty name) and each of its services.
 */
function healthService(
  services: readonly DescService[],
  notReady: () => string | undefined,
): ServiceImpl<typeof Health> {
  const known = new Set(["", ...services.map(({ typeName }) => typeName)]);
  return {
    check({ service }) {
      if (!known.has(service)) throw new ConnectError("Unknown service", Code.NotFound);
      return { status: notReady() === undefined ? Status.SERVING : Status.NOT_SERVING };
    },
    // By the protocol, clients take `Unimplemented` as "serving", so no stream is held open for each client.
    // biome-ignore lint/correctness/useYield: it refuses before anything could be told.
    async *watch() {
      throw new ConnectError("Watch is not supported: call Check again", Code.Unimplemented);
    },
  };
}
