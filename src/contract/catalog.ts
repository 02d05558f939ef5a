import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescService,
  hasOption,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence, MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import type { Violation as RuleViolation } from "@bufbuild/protovalidate";
import { message as messageRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { http } from "../../gen/es/google/api/annotations_pb.ts";
import type { HttpRule } from "../../gen/es/google/api/http_pb.ts";
import {
  type Access,
  CacheTier,
  field as fieldOption,
  LetterCase,
  operation as operationOption,
  service as serviceOption,
  type Tool,
} from "../../gen/es/ids/options/v1/options_pb.ts";
import { services } from "../../gen/es/services.ts";
import { InvalidRequest, type Violation } from "../errors.ts";
import { getOption } from "./option.ts";
import { countryNormalizer } from "./request/country-parameter.ts";
import { longLists } from "./request/request-size.ts";
import { oneOfValues } from "./rules/field-rules.ts";
import { patternWords } from "./rules/pattern-words.ts";
import { validator } from "./rules/validator.ts";

export interface Operation extends OperationTerms {
  readonly method: DescMethodUnary;
}

/** An operation that streams its response. Over REST, the stream consists of server-sent events. */
export interface StreamOperation extends OperationTerms {
  readonly method: DescMethodServerStreaming;
}

/** Operations to which access rules and limits apply. */
export type AnyOperation = Operation | StreamOperation;

interface OperationTerms {
  /** Method name, unique in the contract: `ListInternetOutages`. */
  readonly name: string;
  readonly verb: "GET" | "POST" | "DELETE";
  /** True if plain HTTP sends the parameters in the query instead of a JSON body. */
  readonly queried: boolean;
  /** Canonical path, with `{field}` for each path parameter. */
  readonly path: string;
  readonly inPath: readonly string[];
  readonly aliases: readonly string[];
  /** True if the operation only reads, so that Connect clients may send it as GET. */
  readonly read: boolean;
  readonly access: Pick<Access, "anonymous" | "minTier" | "activePro" | "scope" | "operator" | "proGated">;
  readonly cache: CacheTier;
  /** Requests per minute for this operation; 0 means that only the quota of the plan applies. */
  readonly quotaPerMinute: number;
  /** Calls per day for an account without a paid subscription; 0 means that only the quota of the plan applies. */
  readonly freeCallsPerDay: number;
  readonly freeOfCharge: boolean;
  readonly successStatus: number;
  /** Error statuses that are specific to this operation. */
  readonly failureStatuses: readonly number[];
  /** True if the response depends on the caller or the current time, so that it cannot be cached. */
  readonly live: boolean;
  readonly tool: Pick<Tool, "alone" | "whole"> & { readonly area: string };
  readonly rules: RequestRules;
}

const described = new Map<DescMethodUnary, Operation>();

export const catalog: readonly Operation[] = Object.values(services).flatMap((service) => operationsOf(service));

export function operationsOf(service: DescService): readonly Operation[] {
  return service.methods.filter(isUnary).map((method) => {
    const operation = described.get(method) ?? describe(method);
    described.set(method, operation);
    return operation;
  });
}

export const streams: readonly StreamOperation[] = Object.values(services).flatMap((service) =>
  service.methods.filter(isStream).map(describe),
);

export function requiredTier({ access }: Pick<OperationTerms, "access">): number {
  return Math.max(access.minTier, access.activePro || access.proGated ? 1 : 0);
}

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

/** Returns the domain of a method: `supply-chain` for `ids.supply_chain.v1`. */
function domainOf(method: DescMethod): string {
  return (method.parent.typeName.split(".").at(-3) ?? "").replaceAll("_", "-");
}

/** Returns a name in kebab case: `list-internet-outages` for `ListInternetOutages`. */
export function kebab(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** Normalizes a request message and validates it. Throws `InvalidRequest`. */
type RequestRules = (message: Message) => void;

/** Compiles the validation of a request. If `body` is true, errors name JSON members instead of query parameters. */
function requestRules(desc: DescMessage, body: boolean): RequestRules {
  const steps = desc.fields.flatMap((field) => stepsOf(field, body));
  const tooLong = longLists(desc, body);
  const normalizeCountries = countryNormalizer(desc, body);
  const choices = desc.fields.filter(({ name }) =>
    getOption(desc, messageRules).oneof.some(({ fields }) => fields.includes(name)),
  );
  return (message) => {
    const values: Record<string, unknown> = message;
    // The length of lists is checked first, because the validator takes long for a list with many items.
    const long = tooLong(values);
    if (long.length > 0) throw new InvalidRequest(long);
    const malformed = steps.flatMap((step) => step(values) ?? []);
    const broken = malformed.length > 0 ? malformed : (normalizeCountries?.(values, "") ?? []);
    if (broken.length > 0) throw new InvalidRequest(broken);
    const verdict = validator.validate(desc, message);
    if (verdict.kind === "invalid")
      throw new InvalidRequest(verdict.violations.flatMap((violation) => toViolations(violation, choices, body)));
    if (verdict.kind === "error") throw verdict.error;
  };
}

type Step = (values: Record<string, unknown>) => Violation | readonly Violation[] | undefined;

function stepsOf(field: DescField, body: boolean): Step[] {
  const { clamp, ignored, letterCase } = getOption(field, fieldOption);
  const { localName } = field;
  const steps: Step[] = [];
  if (ignored && field.fieldKind === "scalar")
    steps.push((values) => {
      values[localName] = field.getDefaultValue() ?? (field.scalar === ScalarType.STRING ? "" : 0);
      return undefined;
    });
  if (field.scalar === ScalarType.STRING || field.message)
    steps.push((values) =>
      withNul(field, values[localName], body).map((path) => ({
        field: path,
        description: "value must not contain the character U+0000",
      })),
    );
  if (letterCase !== LetterCase.UNSPECIFIED)
    steps.push((values) => {
      const value = values[localName];
      const folded = (text: unknown) => fold(String(text), letterCase);
      values[localName] = Array.isArray(value) ? value.map(folded) : value === undefined ? value : folded(value);
      return undefined;
    });
  if (field.fieldKind === "scalar" && (field.scalar === ScalarType.DOUBLE || field.scalar === ScalarType.FLOAT))
    steps.push((values) => {
      const value = values[localName];
      if (value === undefined || Number.isFinite(value)) return undefined;
      return { field: body ? field.jsonName : field.name, description: "value must be a finite number" };
    });
  if (clamp)
    steps.push((values) => {
      const given = values[localName];
      const isDropped = (clamp.lenient || clamp.belowIsAbsent) && typeof given === "number" && given < clamp.min;
      const value = (isDropped ? undefined : given) ?? clamp.default;
      if (typeof value === "number") values[localName] = Math.min(Math.max(value, clamp.min), clamp.max);
      // A number that is too small is ignored. If the field cannot be absent, it becomes 0.
      else if (isDropped) values[localName] = field.presence === FeatureSet_FieldPresence.IMPLICIT ? 0 : undefined;
      return undefined;
    });
  return steps;
}

/** Returns the paths of texts with the character U+0000, which Postgres cannot store. */
function withNul(field: DescField, value: unknown, body: boolean, before = ""): string[] {
  const path = before + (body ? field.jsonName : field.name);
  if (field.scalar === ScalarType.STRING)
    return [value].flat().some((text) => typeof text === "string" && text.includes("\0")) ? [path] : [];
  const inside = (message: unknown, place: string) =>
    (field.message?.fields ?? []).flatMap((member) =>
      withNul(member, Object(message)[member.localName], body, `${place}.`),
    );
  return Array.isArray(value)
    ? value.flatMap((message, index) => inside(message, `${path}[${index}]`))
    : value === undefined
      ? []
      : inside(value, path);
}

/** Changes only ASCII letters. The upper case of others can be ASCII, such as `SS` for `ß`, and pass validation. */
function fold(text: string, letterCase: LetterCase): string {
  return letterCase === LetterCase.UPPER
    ? text.trim().replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    : text.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** If a request must contain one of several fields, the violation is reported for each of them. */
function toViolations(violation: RuleViolation, choices: readonly DescField[], body: boolean): Violation[] {
  const reported = toViolation(violation, body);
  if (reported.field !== "") return [reported];
  return choices.map(({ jsonName, name }) => ({ ...reported, field: body ? jsonName : name }));
}

function toViolation(violation: RuleViolation, body: boolean): Violation {
  let path = "";
  for (const step of violation.field) {
    if (step.kind === "list_sub" || step.kind === "map_sub")
      path += `[${"index" in step ? step.index : String(step.key)}]`;
    else path += `${path === "" ? "" : "."}${"jsonName" in step && body ? step.jsonName : step.name}`;
  }
  return { field: path, description: descriptionOf(violation) };
}

/** Replaces messages of the validator that contain only a pattern or the number of an enum value. */
function descriptionOf({ ruleId, message, field }: RuleViolation): string {
  const desc = field.findLast((step) => step.kind === "field")?.enum;
  if (ruleId.startsWith("enum.") && desc) return oneOfValues(desc);
  if (ruleId !== "string.pattern") return message;
  const words = patternWords.get(message.slice(message.indexOf("`") + 1, -1));
  return words === undefined ? "value does not have the documented format" : `value must be ${words}`;
}
