import type { DescField } from "@bufbuild/protobuf";
import { field as rules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { ListMilitaryBasesRequestSchema } from "../../../../../gen/es/ids/military/v1/military_pb.ts";
import { getOption } from "../../../../contract/option.ts";

export const types: ReadonlySet<string> = allowed(ListMilitaryBasesRequestSchema.field.type);

export const kinds: ReadonlySet<string> = allowed(ListMilitaryBasesRequestSchema.field.kind);

export const statuses = ["active", "planned", "controversial", "closed", "caretaker", "excess", "semi-active"] as const;

function allowed(field: DescField): ReadonlySet<string> {
  const { type } = getOption(field, rules);
  return new Set(type.case === "string" ? type.value.in : []);
}
