import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { alternatives } from "../../contract/rules/field-rules.ts";
import { alwaysWritten, fieldSchema } from "../../contract/schema.ts";

export interface ExampleResponse {
  readonly body: unknown;
  readonly from: "service" | "contract";
  readonly isSample: boolean;
}

export interface ExampleSize {
  readonly objects: number;
  readonly values: number;
  readonly text: number;
  /** Maximum depth of lists and optional members in an example. Deeper lists are empty. */
  readonly depth: number;
}

/** On pages, lists have two objects to show their structure, and texts are short. */
const onPages: ExampleSize = { objects: 2, values: 5, text: 400, depth: Number.POSITIVE_INFINITY };

/** In the OpenAPI document, examples are small, because users of generated clients need only the schema. */
const inDocument: ExampleSize = { objects: 1, values: 1, text: 24, depth: 1 };
/** If an example in the OpenAPI document is longer than this, its lists are empty. Few operations have so long ones. */
const maxCharacters = 1_200;

export function exampleInDocument(value: unknown, desc: DescMessage): unknown {
  const example = shortened(value, desc, inDocument).value;
  if (JSON.stringify(example).length <= maxCharacters) return example;
  return shortened(value, desc, { ...inDocument, depth: 0 }).value;
}

function isAlternative({ name, parent }: DescField): boolean {
  return alternatives(parent).includes(name);
}

/** Returns whether the text of a field must have a certain format, so that it must not be shortened. */
function isFixedForm(field: DescField | undefined): boolean {
  if (!field) return false;
  const { items, ...own } = fieldSchema(field, { base: "", isRequest: false });
  const schema = { ...own, ...items };
  return field.enum !== undefined || "enum" in schema || "pattern" in schema || "format" in schema;
}

export function shortened(
  value: unknown,
  desc: DescMessage,
  size: ExampleSize = onPages,
): { readonly value: unknown; readonly isCut: boolean } {
  let isCut = false;
  const cut = <T>(items: readonly T[], max: number): readonly T[] => {
    isCut ||= items.length > max;
    return items.slice(0, max);
  };
  const shorten = (given: unknown, of: DescMessage | undefined, depth = 0, isFixed = false): unknown => {
    if (typeof given === "string" && !isFixed) {
      isCut ||= given.length > size.text;
      return given.length > size.text ? `${given.slice(0, size.text)}…` : given;
    }
    if (typeof given !== "object" || given === null) return given;
    if (Array.isArray(given)) {
      const objects = depth > size.depth ? 0 : size.objects;
      const max = typeof given[0] === "object" ? objects : size.values;
      return cut(given, max).map((item) => shorten(item, of, depth + 1, isFixed));
    }
    return Object.fromEntries(
      Object.entries(given).flatMap(([name, member]) => {
        const field = of?.fields.find(({ jsonName }) => jsonName === name);
        if (field && depth > size.depth && !alwaysWritten(field) && !isAlternative(field)) return [];
        if (field?.fieldKind !== "map") return [[name, shorten(member, field?.message, depth + 1, isFixedForm(field))]];
        const members = cut(Object.entries(Object(member)), size.objects);
        return [
          [name, Object.fromEntries(members.map(([key, each]) => [key, shorten(each, field.message, depth + 1)]))],
        ];
      }),
    );
  };
  return { value: shorten(value, desc), isCut };
}
