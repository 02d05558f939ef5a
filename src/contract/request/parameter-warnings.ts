import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Violation } from "../../errors.ts";
import { getOption } from "../option.ts";
import { timeWarner } from "./request-time.ts";

/** Returns a function that warns about accepted values that are probably mistakes or have no effect. */
export function parameterWarner(fields: readonly DescField[]) {
  const warningsOfTimes = timeWarner(fields);
  const only = fields.flatMap((field) => {
    const option = getOption(field, fieldOption).only;
    return option ? [{ field, ...option }] : [];
  });
  return (givenIn: (field: DescField) => string | bigint | null): readonly Violation[] => {
    const unused = only.filter(({ field, value }) => !["", value].includes(String(givenIn(field) ?? "")));
    const warnings = unused.map(({ field, reason }) => ({
      field: field.name,
      description: `value has no effect: ${reason}`,
    }));
    return [...warningsOfTimes(givenIn), ...warnings];
  };
}

export function messageWarnings({ fields }: DescMessage, message: object): readonly Violation[] {
  return parameterWarner(fields)(({ localName }) => Object(message)[localName] || "");
}

export function warningHeader(warnings: readonly Violation[]): [name: string, value: string] {
  const texts = warnings.map(({ field, description }) => description.replace("value", field));
  return ["X-Parameter-Warnings", texts.join(", ")];
}
