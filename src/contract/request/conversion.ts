import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type JsonValue,
  type MessageShape,
  type ScalarType,
  toJson,
} from "@bufbuild/protobuf";

export type Convert<Out> = (value: unknown) => Out;

/** A member of a message, with functions that read it (undefined if it is absent) and convert its value. */
export interface Member<Out> {
  readonly name: string;
  readonly read: (message: Readonly<Record<string, unknown>>) => unknown;
  readonly convert: Convert<Out>;
}

export interface Conversion<Out extends JsonValue> {
  readonly name: (jsonName: string) => string;
  readonly members: (message: Readonly<Record<string, unknown>>, members: readonly Member<Out>[]) => Out;
  readonly list: (values: readonly unknown[], convert: Convert<Out>) => Out;
  readonly map: (values: Readonly<Record<string, unknown>>, convert: Convert<Out>) => Out;
  readonly enumeration: (desc: DescEnum) => (value: number) => Out;
  readonly scalar: (field: DescField, scalar: ScalarType) => (value: never) => Out;
  readonly json: (value: JsonValue) => Out;
}

export function converter<Out extends JsonValue>(
  conversion: Conversion<Out>,
): <D extends DescMessage>(desc: D) => (message: MessageShape<D>) => Out {
  const planned = new Map<DescMessage, Convert<Out>>();

  const ofMessage = (desc: DescMessage): Convert<Out> => {
    const known = planned.get(desc);
    if (known) return known;
    if (desc.typeName.startsWith("google.protobuf."))
      return typed((message: MessageShape<typeof desc>) => conversion.json(toJson(desc, message)));
    let members: Member<Out>[] | undefined;
    const convert = typed((message: Readonly<Record<string, unknown>>) => {
      // The members are compiled at first use, because a message can contain itself.
      members ??= desc.fields.map(memberOf);
      return conversion.members(message, members);
    });
    planned.set(desc, convert);
    return convert;
  };

  const memberOf = (field: DescField): Member<Out> => ({
    name: conversion.name(field.jsonName),
    read: readerOf(field),
    convert: ofField(field),
  });

  const ofField = (field: DescField): Convert<Out> => {
    switch (field.fieldKind) {
      case "message":
        // The field of a `Struct` contains a plain JSON object.
        if (field.message.typeName === "google.protobuf.Struct") return typed(conversion.json);
        return ofMessage(field.message);
      case "list": {
        const convert = field.message ? remembering(ofMessage(field.message)) : ofValue(field);
        return typed((values: readonly unknown[]) => conversion.list(values, convert));
      }
      case "map": {
        const convert = field.message ? ofMessage(field.message) : ofValue(field);
        return typed((values: Readonly<Record<string, unknown>>) => conversion.map(values, convert));
      }
      default:
        return ofValue(field);
    }
  };

  const ofValue = (field: DescField): Convert<Out> => {
    if (field.enum) return typed(conversion.enumeration(field.enum));
    if (field.scalar === undefined) throw new TypeError(`${field.name} is neither a scalar nor an enum`);
    return typed(conversion.scalar(field, field.scalar));
  };

  return ofMessage;
}

/** The descriptor ensures the type of the value, which TypeScript cannot check. */
function typed<Out>(convert: (value: never) => Out): Convert<Out> {
  return convert as Convert<Out>;
}

function readerOf({ localName, oneof }: DescField): Member<never>["read"] {
  if (oneof)
    return (message) => {
      const selected = Object(message[oneof.localName]);
      return selected.case === localName ? selected.value : undefined;
    };
  return (message) => message[localName];
}

/** Caches conversions of frozen messages, because many responses share them. */
function remembering<Out>(convert: Convert<Out>): Convert<Out> {
  const converted = new WeakMap<object, Out>();
  return typed((message: object) => {
    if (!Object.isFrozen(message)) return convert(message);
    const known = converted.get(message);
    if (known !== undefined) return known;
    const made = convert(message);
    converted.set(message, made);
    return made;
  });
}
