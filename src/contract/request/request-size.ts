import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { Violation } from "../../errors.ts";
import { fieldRules } from "../rules/field-rules.ts";

/** Maximum size of a body, which limits memory. Every valid request is much smaller. */
export const maxBodyBytes = 256 * 1024;

/**
 * Maximum number of members and items in a JSON text. It limits the time of `JSON.parse`, which takes microseconds for
 * each new name. No valid request has nearly as many.
 */
export const maxJsonItems = 10_000;

/** Maximum length of a JMESPath expression, in bytes and in characters. */
export const maxExpressionBytes = 1_024;

/** Maximum length of a search text in an expression, because it may be compared at each position of a text. */
export const maxSearchCharacters = 256;

/** Returns whether a JSON text has more members and items than any valid request. */
export function hasTooManyItems(text: string): boolean {
  // Each item needs at least one character, so a short text cannot have too many.
  if (text.length <= maxJsonItems) return false;
  let items = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === quote) quoted = !quoted;
    else if (quoted) {
      if (unit === backslash) index += 1;
    } else if (unit === comma || unit === brace || unit === bracket) {
      items += 1;
      if (items > maxJsonItems) return true;
    }
  }
  return false;
}

const [quote, backslash, comma, brace, bracket] = [34, 92, 44, 123, 91];

const defaultMaxItems = 200;

/** Returns the maximum length of a list, which is checked before slower rules that compare items. */
export function maxItems(field: DescField): number {
  const rules = fieldRules(field)?.type;
  const stated = rules?.case === "repeated" ? Number(rules.value.maxItems) : 0;
  return stated > 0 ? stated : defaultMaxItems;
}

export function tooManyItems(field: DescField): string {
  return `must contain no more than ${maxItems(field)} item(s)`;
}

/** Returns a violation for each list that is too long. */
export type LongLists = (message: Record<string, unknown>) => Violation[];

export function longLists(desc: DescMessage, body: boolean): LongLists {
  const checks = desc.fields.flatMap((field) => checkOf(field, body));
  return (message) => checks.flatMap((check) => check(message));
}

function checkOf(field: DescField, body: boolean): LongLists[] {
  const name = body ? field.jsonName : field.name;
  const { localName, message: inner } = field;
  const inside = inner && !inner.typeName.startsWith("google.protobuf.") ? longLists(inner, body) : undefined;
  const below = (path: string, value: unknown) =>
    (inside?.(Object(value)) ?? []).map((violation) => ({
      ...violation,
      field: `${path}.${violation.field}`,
    }));
  if (field.fieldKind === "list") {
    const max = maxItems(field);
    return [
      (message) => {
        const items = message[localName];
        if (!Array.isArray(items)) return [];
        if (items.length > max) return [{ field: name, description: tooManyItems(field) }];
        return inside ? items.flatMap((item, index) => below(`${name}[${index}]`, item)) : [];
      },
    ];
  }
  if (field.fieldKind !== "message" || !inside || field.oneof) return [];
  return [(message) => (message[localName] === undefined ? [] : below(name, message[localName]))];
}
