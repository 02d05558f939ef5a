import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import { type Clamp, field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "../../contract/option.ts";
import { namesCountries } from "../../contract/request/country-parameter.ts";
import { isNeeded } from "../../contract/rules/field-rules.ts";
import type { JsonSchema } from "../../contract/rules/json-schema.ts";
import { patternWords } from "../../contract/rules/pattern-words.ts";
import {
  commentOf,
  described,
  fieldSchema,
  isAnyJson,
  isAnyObject,
  type KnownLists,
  knownBound,
  messageSchema,
  type SchemaPlace,
} from "../../contract/schema.ts";
import type { FieldEntry } from "./blocks.ts";
import type { DescribedParameter } from "./described-operation.ts";

/** How schemas of responses refer to others. The prefix is empty, because only types and limits are used here. */
const responses: SchemaPlace = { base: "", isRequest: false };

/** Returns the parameters of an operation. `input` is its request message, which has more details than OpenAPI. */
export function parameterEntries(
  parameters: readonly DescribedParameter[],
  input: DescMessage,
  known: KnownLists,
): FieldEntry[] {
  return parameters.map(({ name, required, deprecated, description, schema, in: place }) => {
    const field = input.fields.find((known) => known.name === name);
    return {
      ...{ name, before: "", depth: 0, text: description ?? "" },
      type: field ? typeOf(field) : String(schema.type),
      marks: marksOf({
        ...{ required, [place]: place !== "query", deprecated },
        "no effect": field && getOption(field, fieldOption).ignored,
      }),
      metadata: unsaid(field ? metadataOf(field, known) : schemaMetadata(schema), description),
      values: valuesOf(field?.enum, true),
    };
  });
}

function marksOf(marks: Readonly<Record<string, boolean | undefined>>): string[] {
  return Object.keys(marks).filter((name) => marks[name]);
}

/** Returns the members of a request body. Nested members follow their parent. */
export function bodyEntries(fields: readonly DescField[], known: KnownLists): FieldEntry[] {
  return entriesOf(fields, { known, optional: new Set(), before: "", above: [] });
}

export function responseEntries(desc: DescMessage): FieldEntry[] {
  return entriesOf(desc.fields, { optional: optionalOf(desc), before: "", above: [desc] });
}

interface Place {
  readonly known?: KnownLists;
  readonly optional: ReadonlySet<string>;
  readonly before: string;
  readonly above: readonly DescMessage[];
}

function entriesOf(fields: readonly DescField[], place: Place): FieldEntry[] {
  const { known, optional, before, above } = place;
  const isRequest = known !== undefined;
  return fields.flatMap((field): FieldEntry[] => {
    const { jsonName, message } = field;
    const text = commentOf(field);
    const own: FieldEntry = {
      ...{ name: jsonName, before, depth: above.length - (isRequest ? 0 : 1), type: typeOf(field), text },
      marks: marksOf({
        required: isRequest && isNeeded(field),
        optional: !isRequest && optional.has(jsonName),
        deprecated: field.deprecated,
      }),
      metadata: known ? unsaid(metadataOf(field, known), text) : [],
      values: valuesOf(field.enum, isRequest),
    };
    // A message that contains itself is expanded only once.
    if (!message || isAnyJson(message) || above.includes(message)) return [own];
    const inside = `${before}${jsonName}${{ list: "[]", map: ".*", message: "", enum: "", scalar: "" }[field.fieldKind]}.`;
    const next = { ...(known && { known }), optional: optionalOf(message), before: inside, above: [...above, message] };
    return [own, ...entriesOf(message.fields, next)];
  });
}

function optionalOf(desc: DescMessage): ReadonlySet<string> {
  const { required } = messageSchema(desc, responses);
  const always = new Set(Array.isArray(required) ? required : []);
  return new Set(desc.fields.map(({ jsonName }) => jsonName).filter((name) => !always.has(name)));
}

function typeOf(field: DescField): string {
  const schema = fieldSchema(field, responses);
  if (field.fieldKind === "list") return `list of ${singleType(field, schema.items ?? {})}s`;
  if (field.fieldKind === "map") return `map of ${singleType(field, schema.additionalProperties as JsonSchema)}s`;
  return singleType(field, schema);
}

function singleType(field: DescField, { type, format }: JsonSchema): string {
  if (field.message) return isAnyJson(field.message) && !isAnyObject(field.message) ? "any JSON" : "object";
  if (field.enum) return "enum";
  return type === "string" && format === "int64" ? "int64 as string" : String(type);
}

function valuesOf(desc: DescEnum | undefined, isRequest: boolean): FieldEntry["values"] {
  // The unspecified value of an enum is omitted for requests, which must not contain it.
  const values = desc?.values.filter(({ number }) => !isRequest || number !== 0) ?? [];
  return values.map(({ name }) => ({ name, text: described(`${desc?.typeName}.${name}`).description ?? "" }));
}

/** Returns the sentences on a field's limits and default that its comment does not already contain. */
function unsaid(metadata: readonly string[], comment = ""): string[] {
  const isSaid = (property: string) =>
    (property.startsWith("Default: ") && /\bdefault\b/i.test(comment)) ||
    (/ (?:characters|values)\.$/.test(property) &&
      new RegExp(`\\b${/\d+/.exec(property)?.[0]}\\b`).test(comment.replaceAll(",", ""))) ||
    (/nearest bound|above|below/.test(property) && /\bvalues (?:above|below|outside)\b/i.test(comment));
  return metadata.filter((property) => !isSaid(property));
}

function metadataOf(field: DescField, known: KnownLists): string[] {
  const { clamp, ignored } = getOption(field, fieldOption);
  if (ignored) return [];
  const isList = field.fieldKind === "list";
  const { items: ownItems, ...own } = fieldSchema(field, responses);
  const bound = knownBound(field, known);
  const schema: JsonSchema = isList ? own : { ...own, ...bound };
  const items: JsonSchema = isList ? { ...ownItems, ...bound } : {};
  const metadata = [
    ...(clamp ? [clampNote(clamp)] : []),
    ...schemaMetadata(schema),
    ...schemaMetadata(items).map((property) => `Each value: ${property.charAt(0).toLowerCase()}${property.slice(1)}`),
  ];
  // If a field also accepts names of countries, the pattern for country codes is omitted.
  return namesCountries(field) ? metadata.filter((property) => !/\b(?:pattern|format): /i.test(property)) : metadata;
}

function clampNote({ min, max, belowIsAbsent }: Clamp): string {
  const below = belowIsAbsent ? `Values below ${min} mean the default, values above ${max}` : "Values outside";
  return `${range(min, max)}. ${below} are set to the nearest bound.`;
}

function schemaMetadata(schema: JsonSchema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  const { exclusiveMinimum: above, exclusiveMaximum: below, default: fallback, enum: allowed } = schema;
  return [
    ...(fallback === undefined ? [] : [`Default: \`${String(fallback)}\`.`]),
    ...(Array.isArray(allowed)
      ? [`One of ${allowed.map((value) => `\`${value === "" ? '""' : value}\``).join(", ")}.`]
      : []),
    ...(minimum === undefined && maximum === undefined ? [] : [`${range(minimum, maximum)}.`]),
    ...(above === undefined ? [] : [`Greater than ${above}.`]),
    ...(below === undefined ? [] : [`Less than ${below}.`]),
    ...(minLength === undefined && maxLength === undefined ? [] : [`${range(minLength, maxLength)} characters.`]),
    ...(minItems === undefined && maxItems === undefined ? [] : [`${range(minItems, maxItems)} values.`]),
    ...(typeof pattern !== "string" || format === "int64" ? [] : patternText(pattern)),
  ];
}

/** Describes a pattern in words if they are known. A long pattern is in the contract only. */
function patternText(pattern: string): string[] {
  const words = patternWords.get(pattern);
  if (words) return [`Format: ${words}.`];
  return pattern.length > maxPattern ? [] : [`Pattern: \`${pattern}\`.`];
}

const maxPattern = 40;

function range(from: unknown, to: unknown): string {
  if (from === undefined) return `At most ${to}`;
  if (to === undefined) return `At least ${from}`;
  return from === to ? `Exactly ${from}` : `${from} to ${to}`;
}
