import { createRequire } from "node:module";
import { type DescEnum, type DescField, type DescMessage, type DescMethod, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { field as fieldOption, type KnownValues, LetterCase } from "../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "./option.ts";
import { namesCountries } from "./request/country-parameter.ts";
import { epochTimeForm, isEpochTime, isTimeParameter, requestTimeForm } from "./request/request-time.ts";
import { alternatives, fieldRules, isEnumChoice, isNeeded, isRequired } from "./rules/field-rules.ts";
import { itemChoices, listBounds, listRules, valueBounds } from "./rules/value-bounds.ts";

const require = createRequire(import.meta.url);

import type { JsonSchema } from "./rules/json-schema.ts";

/** A list of allowed values that the service defines instead of the contract. */
export interface KnownList {
  /** Name of the shared schema; undefined if the values are listed in each field. */
  readonly name?: string;
  readonly values: readonly string[];
}

export type KnownLists = ReadonlyMap<KnownValues, KnownList>;

export function knownList(field: DescField, lists: KnownLists | undefined): KnownList | undefined {
  return lists?.get(getOption(field, fieldOption).known);
}

/** Returns the allowed values of a request field that the service defines. */
export function knownBound(field: DescField, lists: KnownLists | undefined): JsonSchema {
  const list = knownList(field, lists);
  if (list) return { enum: list.values };
  return lists && isTimeParameter(field) ? { pattern: requestTimeForm.source } : {};
}

export interface SchemaPlace {
  /** Prefix of references to schemas, such as `#/components/schemas/`. */
  readonly base: string;
  /** True in requests: only fields that validation requires are required, and enums have no unspecified value. */
  readonly isRequest: boolean;
  /** Messages of responses. If a request also uses one, the request's schema gets another name. */
  readonly responded?: ReadonlySet<DescMessage | DescEnum>;
  /** Lists of allowed values that the service and not the contract defines, for requests. */
  readonly known?: KnownLists;
  /** Messages of which the service rejects unknown members. */
  readonly closed?: ReadonlySet<DescMessage | DescEnum>;
}

type NamedSchema = readonly [name: string, desc: DescMessage | DescEnum, isChoice: boolean];

/** Returns a name that differs from `<Operation>Response` and `<Operation>Result`, which client generators use. */
export function schemaName({ typeName }: DescMessage | DescEnum): string {
  return typeName
    .replace(/^(?:[a-z]\w*\.)+/, "")
    .replace(/Response(?=\.|$)/, "Payload")
    .replaceAll(".", "");
}

/** Returns the schema of a message, or of some of its fields. Nested messages and enums are references. */
export function messageSchema(
  desc: DescMessage,
  place: SchemaPlace,
  fields: readonly DescField[] = desc.fields,
): JsonSchema {
  const properties = Object.fromEntries(fields.map((field) => [field.jsonName, fieldSchema(field, place)]));
  const required = fields.filter(place.isRequest ? isNeeded : alwaysWritten).map(({ jsonName }) => jsonName);
  return {
    type: "object",
    ...described(desc.typeName),
    properties,
    // Generators detect a free-form object only by `additionalProperties`.
    ...(fields.length === 0 && !place.isRequest ? { additionalProperties: true } : {}),
    // The schema of a body without its path parameters allows other members, because a body may repeat these
    // parameters, which are ignored.
    ...(place.closed?.has(desc) && fields === desc.fields ? { additionalProperties: false } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(isChoiceOf(desc, fields) ? { minProperties: 1, maxProperties: 1 } : {}),
  };
}

/** Returns whether exactly one field must be set. Generators handle a limited number of members better than `oneOf`. */
function isChoiceOf(desc: DescMessage, fields: readonly DescField[]): boolean {
  const names = alternatives(desc);
  return names.length > 0 && fields.every(({ name }) => names.includes(name));
}

/** Returns the schema of a field's value, with its description and the enforced limits. */
export function fieldSchema(field: DescField, place: SchemaPlace): JsonSchema {
  return { ...valueSchema(field, place), ...described(`${field.parent.typeName}.${field.name}`) };
}

/** Returns the schemas of messages and of all types that they use, by name. Throws if two have the same name. */
export function schemasOf(roots: readonly DescMessage[], place: SchemaPlace): Record<string, JsonSchema> {
  const found = new Map<string, NamedSchema>();
  const pending = roots.map((desc): NamedSchema => [nameIn(desc, place, false), desc, false]);
  for (const named of pending) {
    const [name, desc] = named;
    const known = found.get(name);
    if (known && known[1] !== desc) throw new Error(`${known[1].typeName} and ${desc.typeName} would both be ${name}`);
    if (known) continue;
    found.set(name, named);
    if (desc.kind === "message") pending.push(...desc.fields.flatMap((field) => referredBy(field, place)));
  }
  return Object.fromEntries(
    [...found].map(([name, [, desc, isChoice]]) => [
      name,
      desc.kind === "message" ? messageSchema(desc, place) : enumSchema(desc, isChoice),
    ]),
  );
}

/** Lists the names of an enum's values. Leaves out the unspecified one if a value is required. */
function enumSchema(desc: DescEnum, isChoice: boolean): JsonSchema {
  const values = desc.values.filter(({ number }) => !isChoice || number !== 0);
  return { type: "string", ...described(desc.typeName), enum: values.map(({ name }) => name) };
}

function referredBy(field: DescField, place: SchemaPlace): NamedSchema[] {
  const desc = field.message ?? field.enum;
  if (!desc || isAnyJson(field.message)) return [];
  const isChoice = place.isRequest && isEnumChoice(field);
  return [[nameIn(desc, place, isChoice), desc, isChoice]];
}

function nameIn(desc: DescMessage | DescEnum, { responded }: SchemaPlace, isChoice: boolean): string {
  const isOther = isChoice || (desc.kind === "message" && responded?.has(desc));
  return `${schemaName(desc)}${isOther ? "Input" : ""}`;
}

/** Returns the given messages, and every message and enum that they use. */
export function reachable(roots: readonly DescMessage[]): ReadonlySet<DescMessage | DescEnum> {
  const found = new Set<DescMessage | DescEnum>(roots);
  for (const desc of found) {
    if (desc.kind !== "message") continue;
    for (const field of desc.fields) {
      if (field.message && !isAnyJson(field.message)) found.add(field.message);
      if (field.enum) found.add(field.enum);
    }
  }
  return found;
}

export function isAnyJson(desc: DescMessage | undefined): boolean {
  return desc?.typeName === "google.protobuf.Value" || isAnyObject(desc);
}

export function isAnyObject(desc: DescMessage | undefined): boolean {
  return desc?.typeName === "google.protobuf.Struct";
}

/** Loads the comments of the proto files at first use, because they are large. */
function comments(): Readonly<Record<string, string>> {
  const { comments: all }: typeof import("../../gen/es/comments.ts") = require("../../gen/es/comments.ts");
  return all;
}

export function described(name: string): { description?: string } {
  const text = comments()[name];
  return text === undefined ? {} : { description: text };
}

/** Returns the comment of a field or a method; empty if it has none. */
export function commentOf({ parent, name }: DescField | DescMethod): string {
  return described(`${parent.typeName}.${name}`).description ?? "";
}

export function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}

export function alwaysWritten(field: DescField): boolean {
  if (field.oneof) return false;
  if (field.fieldKind === "list" || field.fieldKind === "map") return true;
  return field.presence === FeatureSet_FieldPresence.IMPLICIT || isRequired(field);
}

function valueSchema(field: DescField, place: SchemaPlace): JsonSchema {
  const rules = fieldRules(field);
  // A required text or list must not be empty.
  const isFilled = place.isRequest && isRequired(field);
  if (field.fieldKind === "list")
    return {
      type: "array",
      items: { ...singleSchema(field, place, listRules(rules)?.items), ...itemChoices(rules) },
      ...(isFilled ? { minItems: 1 } : {}),
      ...listBounds(rules),
    };
  if (field.fieldKind === "map") return { type: "object", additionalProperties: singleSchema(field, place, undefined) };
  const schema = singleSchema(field, place, rules);
  const saysMore = schema.pattern !== undefined || schema.enum !== undefined;
  return isFilled && schema.type === "string" && !saysMore ? { minLength: 1, ...schema } : schema;
}

function singleSchema(field: DescField, place: SchemaPlace, rules: FieldRules | undefined): JsonSchema {
  if (isAnyObject(field.message)) return { type: "object", additionalProperties: true };
  if (isAnyJson(field.message)) return {};
  const known = place.isRequest ? knownList(field, place.known) : undefined;
  if (known?.name !== undefined) return { $ref: `${place.base}${known.name}` };
  const [referred] = referredBy(field, place);
  if (referred) return { $ref: `${place.base}${referred[0]}` };
  const { clamp, ignored, int64AsNumber, letterCase } = getOption(field, fieldOption);
  const fallback = clamp?.default === undefined ? {} : { default: clamp.default };
  const bounds = ignored ? {} : valueBounds(rules);
  // The service converts the letter case before validation, so the pattern allows both cases.
  if (letterCase !== LetterCase.UNSPECIFIED && typeof bounds.pattern === "string")
    bounds.pattern = bounds.pattern.replace(/[a-z]-[a-z]/gi, (range) => range.toUpperCase() + range.toLowerCase());
  switch (field.scalar) {
    case ScalarType.STRING:
      if (place.isRequest && namesCountries(field)) return { type: "string", maxLength: 100 };
      return { type: "string", ...bounds, ...(place.isRequest && knownBound(field, place.known)) };
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.BYTES:
      return { type: "string", contentEncoding: "base64" };
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { type: "number", format: "double", ...bounds, ...fallback };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      if (place.isRequest && isEpochTime(field)) return { type: "string", pattern: epochTimeForm.source };
      return int64AsNumber
        ? { type: "integer", format: "int64", ...bounds, ...fallback }
        : { type: "string", format: "int64", pattern: "^-?[0-9]+$" };
    default:
      return { type: "integer", format: "int32", ...bounds, ...fallback };
  }
}
