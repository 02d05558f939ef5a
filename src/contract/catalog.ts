import {
  type DescField,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescService,
  hasOption,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { http } from "../../gen/es/google/api/annotations_pb.ts";
import type { HttpRule } from "../../gen/es/google/api/http_pb.ts";
import {
  type Access,
  CacheTier,
  operation as operationOption,
  service as serviceOption,
  type Tool,
} from "../../gen/es/ids/options/v1/options_pb.ts";
import { services } from "../../gen/es/services.ts";
import { getOption } from "./option.ts";
import { type RequestRules, requestRules } from "./rules/rules.ts";

/** One operation of the contract, read from its descriptor. */
export interface Operation extends OperationTerms {
  readonly method: DescMethodUnary;
}

/** One whose answer goes on: a server stream, over REST server-sent events. */
export interface StreamOperation extends OperationTerms {
  readonly method: DescMethodServerStreaming;
}

/** What access and limits go by. */
export type AnyOperation = Operation | StreamOperation;

interface OperationTerms {
  /** Method name, unique in the contract: `ListInternetOutages`. */
  readonly name: string;
  readonly verb: "GET" | "POST" | "DELETE";
  /** Its parameters come in the query, not as a JSON body. */
  readonly queried: boolean;
  /** Canonical path, with `{field}` where the contract has a template. */
  readonly path: string;
  /** Names of the request's fields that the path carries. */
  readonly inPath: readonly string[];
  /** Older names of the path that stay live. */
  readonly aliases: readonly string[];
  /** Free of side effects: may be sent as Connect GET. */
  readonly read: boolean;
  readonly access: Pick<Access, "anonymous" | "minTier" | "activePro" | "scope" | "operator" | "proGated">;
  readonly cache: CacheTier;
  /** 0 where only the plan's quota counts. */
  readonly quotaPerMinute: number;
  /** For an account without a paid subscription; 0 where only the plan's quota counts. */
  readonly freeCallsPerDay: number;
  /** Not counted against the account's own quotas. */
  readonly freeOfCharge: boolean;
  readonly successStatus: number;
  /** Statuses of failures beside those that every operation of its kind has. */
  readonly failureStatuses: readonly number[];
  /** The answer depends on the caller or the instant. */
  readonly live: boolean;
  /** How it is offered to language-model agents. */
  readonly tool: Pick<Tool, "alone" | "whole"> & { readonly area: string };
  readonly rules: RequestRules<never>;
}

const described = new Map<DescMethodUnary, Operation>();

/** Every operation of the contract. */
export const catalog: readonly Operation[] = Object.values(services).flatMap((service) => operationsOf(service));

/** The operations of one service. */
export function operationsOf(service: DescService): readonly Operation[] {
  return service.methods.filter(isUnary).map((method) => {
    const operation = described.get(method) ?? describe(method);
    described.set(method, operation);
    return operation;
  });
}

/** Every stream of the contract. */
export const streams: readonly StreamOperation[] = Object.values(services).flatMap((service) =>
  service.methods.filter(isStream).map(describe),
);

/** The lowest tier whose accounts may call it. */
export function requiredTier({ access }: Pick<OperationTerms, "access">): number {
  return Math.max(access.minTier, access.activePro || access.proGated ? 1 : 0);
}

/** The fields of a request that its body carries, where it has one: all but the path's. */
export function bodyFields({ method, inPath }: Pick<Operation, "method" | "inPath">): readonly DescField[] {
  return method.input.fields.filter(({ name }) => !inPath.includes(name));
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

function isStream(method: DescMethod): method is DescMethodServerStreaming {
  return method.methodKind === "server_streaming";
}

function describe<M extends DescMethodUnary | DescMethodServerStreaming>(
  method: M,
): OperationTerms & { readonly method: M } {
  const options = getOption(method, operationOption);
  const read = method.idempotency === Idempotency.NO_SIDE_EFFECTS;
  const rule = hasOption(method, http) ? bindingOf(getOption(method, http)) : undefined;
  const verb = rule?.verb ?? (read || isStream(method) ? "GET" : "POST");
  const queried = verb === "GET";
  const path = rule?.path ?? `/api/${domainOf(method)}/v1/${kebab(method.name)}`;
  return {
    name: method.name,
    method,
    verb,
    queried,
    path,
    inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    aliases: hasOption(method, http)
      ? getOption(method, http).additionalBindings.map((alias) => bindingOf(alias).path)
      : [],
    read,
    access: options.access ?? {
      anonymous: false,
      minTier: 0,
      activePro: false,
      scope: "",
      operator: false,
      proGated: false,
    },
    cache: options.cache === CacheTier.UNSPECIFIED ? CacheTier.NO_STORE : options.cache,
    quotaPerMinute: options.quotaPerMinute,
    freeCallsPerDay: options.freeCallsPerDay,
    successStatus: options.successStatus || 200,
    failureStatuses: options.failureStatuses,
    live: options.live,
    freeOfCharge: options.freeOfCharge,
    tool: {
      alone: options.tool?.alone ?? false,
      whole: options.tool?.whole ?? false,
      area: getOption(method.parent, serviceOption).toolArea || domainOf(method).replaceAll("-", "_"),
    },
    rules: requestRules(method.input, !queried),
  };
}

function bindingOf(rule: HttpRule): Pick<Operation, "verb" | "path"> {
  const { case: kind, value: path } = rule.pattern;
  if (kind === "get" || kind === "post" || kind === "delete")
    return { verb: kind.toUpperCase() as Operation["verb"], path };
  throw new Error(`The contract binds an operation to the verb ${kind}, which is not served`);
}

/** `ids.supply_chain.v1` is the domain `supply-chain`. */
function domainOf(method: DescMethod): string {
  return (method.parent.typeName.split(".").at(-3) ?? "").replaceAll("_", "-");
}

/** `ListInternetOutages` as `list-internet-outages`. */
export function kebab(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}
