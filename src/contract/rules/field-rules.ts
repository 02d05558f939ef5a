import { type DescEnum, type DescField, type DescMessage, hasOption } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import {
  type FieldRules,
  message as messageOption,
  field as ruleOption,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { getOption } from "../option.ts";

/** Returns the validation rules of a field; undefined if it has none. */
export function fieldRules(field: DescField): FieldRules | undefined {
  return hasOption(field, ruleOption) ? getOption(field, ruleOption) : undefined;
}

/** Returns the fields of which a message must have exactly one; empty if it has no such rule. */
export function alternatives(desc: DescMessage): readonly string[] {
  const rules = hasOption(desc, messageOption) ? getOption(desc, messageOption).oneof : [];
  return rules.find(({ required }) => required)?.fields ?? [];
}

export function isRequired(field: DescField): boolean {
  return fieldRules(field)?.required ?? false;
}

/** Returns whether a field must be set: it is required, or its rule rejects the 0 of an absent number. */
export function isNeeded(field: DescField): boolean {
  if (isRequired(field) || isSetList(field)) return true;
  const type = fieldRules(field)?.type;
  if (type?.case !== "double" && type?.case !== "int32") return false;
  const { greaterThan } = type.value;
  const isAboveZero = (greaterThan.case === "gte" && greaterThan.value > 0) || greaterThan.case === "gt";
  return isAboveZero && field.presence === FeatureSet_FieldPresence.IMPLICIT;
}

/** Returns whether the field is the list of a `Set…` request. Without the list, all items would be deleted. */
export function isSetList({ fieldKind, parent }: DescField): boolean {
  return fieldKind === "list" && /^Set\w+Request$/.test(parent.name);
}

/** Every error message about an enum ends with this text, which leaves out the unspecified value. */
export function oneOfValues({ values }: DescEnum): string {
  const names = values.filter(({ number }) => number !== 0).map(({ name }) => name);
  return `value must be one of ${names.join(", ")}`;
}

/** Returns whether a request must not contain the unspecified value of an enum. */
export function isEnumChoice(field: DescField): boolean {
  const rules = fieldRules(field);
  const own = rules?.type.case === "repeated" ? rules.type.value.items : rules;
  const isRejected = own?.type.case === "enum" && own.type.value.notIn.includes(0);
  return isRejected || (field.fieldKind === "enum" && isRequired(field));
}
