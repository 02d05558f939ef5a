import { create, type DescMessage, isMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { createContextValues, type HandlerContext } from "@connectrpc/connect";
import { PartAvailability } from "../../gen/es/ids/country/v1/brief_parts_pb.ts";
import { callerKey, principalOf } from "../access/caller.ts";
import { asOfParameter } from "../contract/as-of.ts";
import { saysUnavailable } from "../contract/availability.ts";
import { type Operation, requiredTier } from "../contract/catalog.ts";
import { type Implemented, implementationsOf } from "../contract/implementation.ts";
import { asOfKey, dataStatusKey, isSampleKey, markSample } from "../contract/request-context.ts";
import type { CallOperation, PartResponse, PartSource } from "../domains/country/part-state.ts";
import { originsOf } from "../domains/index.ts";
import {
  AccessUnconfirmed,
  InvalidRequest,
  NotEntitled,
  RequestAborted,
  SwitchedOff,
  Unavailable,
  UpgradeRequired,
} from "../errors.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import { validate } from "../interceptors/validate.ts";

export interface OperationCallParts {
  readonly entitle: Entitle;
  readonly clock: () => Date;
  readonly warn: (message: string) => void;
}

/** Lets a handler call other operations. Each call has its own response headers and data status. */
export function operationCalls(implemented: readonly Implemented[], parts: OperationCallParts): CallOperation {
  const served = new Map(
    implemented.flatMap(implementationsOf).map((each) => {
      const isUnavailable = saysUnavailable(each.operation.method.output);
      return [each.operation.method, { ...each, isUnavailable, sources: sourcesOf(each.operation) }] as const;
    }),
  );
  return async (method, init, context) => {
    const called = served.get(method);
    if (!called) throw new Error(`${method.name} has no implementation`);
    const { operation, implementation, sources } = called;
    const source = sourceOf(operation, init, sources);
    const inner = innerContext(method, context);
    const known = () => {
      const dataStatus = inner.values.get(dataStatusKey);
      return {
        source,
        isStale: (dataStatus?.staleForMs ?? 0) > 0,
        origin: inner.values.get(isSampleKey) ? "sample" : "live",
        ...(dataStatus?.readAt && { readAt: dataStatus.readAt }),
      } as const;
    };
    try {
      if (!operation.access.anonymous) {
        const principal = principalOf(context.values.get(callerKey));
        await parts.entitle(operation, principal, parts.clock().getTime());
      }
      const request = create(method.input, init);
      validate(operation, request);
      const message = create(operation.method.output, await implementation(request, inner));
      if (!isMessage(message, method.output)) throw new Error(`${method.name} returned another message`);
      const rejection = inner.values.get(dataStatusKey)?.rejection;
      const isUnconfirmed = rejection !== undefined || called.isUnavailable(message);
      if (known().origin === "sample") markSample(context);
      return { ...known(), message, ...(isUnconfirmed && { unconfirmed: { reason: rejection ?? flagged } }) };
    } catch (error) {
      return { ...known(), rejection: rejectionOf(error, operation, parts.warn) };
    }
  };
}

const flagged = "The operation marks its response as incomplete or old";

function rejectionOf(
  error: unknown,
  { name }: Operation,
  warn: (message: string) => void,
): NonNullable<PartResponse<DescMessage>["rejection"]> {
  if (error instanceof RequestAborted) throw error;
  const reason = error instanceof Error ? error.message : "";
  if (error instanceof NotEntitled || error instanceof UpgradeRequired)
    return { availability: PartAvailability.NOT_ENTITLED, reason };
  if (error instanceof InvalidRequest) {
    // If only `as_of` is invalid, past data is missing. Other invalid parameters mean that the country is not covered.
    const isOfPast = error.violations.every(({ field }) => field === asOfParameter);
    return { availability: isOfPast ? PartAvailability.UNAVAILABLE : PartAvailability.NOT_COVERED, reason };
  }
  if (error instanceof Unavailable || error instanceof AccessUnconfirmed || error instanceof SwitchedOff)
    return { availability: PartAvailability.UNAVAILABLE, reason };
  warn(`${name} failed as a part of another operation: ${error}`);
  return { availability: PartAvailability.UNAVAILABLE, reason: "The operation failed" };
}

function sourcesOf({ method }: Operation): readonly string[] {
  const inputs = originsOf(method);
  return [...new Set(inputs?.datasets.flatMap(({ sources }) => sources.map(({ name }) => name)) ?? [])];
}

function sourceOf<I extends DescMessage>(
  operation: Operation,
  init: MessageInitShape<I>,
  sources: readonly string[],
): PartSource {
  const values = new Map(Object.entries(init));
  const given = operation.method.input.fields.flatMap(({ name, localName }): [string, string][] => {
    const value: unknown = values.get(localName);
    return value === undefined ? [] : [[name, String(value)]];
  });
  const query = String(new URLSearchParams(given));
  return {
    operation: operation.name,
    path: query === "" ? operation.path : `${operation.path}?${query}`,
    requiredTier: requiredTier(operation),
    sources,
  };
}

/** Returns a context with the caller and `as_of` time of the outer call, but with its own headers and data status. */
export function innerContext(method: HandlerContext["method"], outer: HandlerContext): HandlerContext {
  return {
    method,
    service: method.parent,
    protocolName: outer.protocolName,
    requestMethod: outer.requestMethod,
    url: outer.url,
    requestHeader: outer.requestHeader,
    responseHeader: new Headers(),
    responseTrailer: new Headers(),
    values: createContextValues().set(callerKey, outer.values.get(callerKey)).set(asOfKey, outer.values.get(asOfKey)),
    signal: outer.signal,
    timeoutMs: () => outer.timeoutMs(),
  };
}
