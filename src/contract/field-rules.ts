import { type DescField, getOption, hasOption } from "@bufbuild/protobuf";
import { type FieldRules, field as ruleOption } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/** What validation asks of a field; undefined where it has no rule. */
export function fieldRules(field: DescField): FieldRules | undefined {
  return hasOption(field, ruleOption) ? getOption(field, ruleOption) : undefined;
}

export function isRequired(field: DescField): boolean {
  return fieldRules(field)?.required ?? false;
}
