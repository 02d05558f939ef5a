import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Violation } from "../../errors.ts";
import { getOption } from "../option.ts";
import { commentOf } from "../schema.ts";
import { timeWarner } from "./request-time.ts";

/** A value that is accepted and is probably a mistake, or has no effect. */
export interface ParameterWarning extends Violation {
  /** True if the contract accepts and ignores the parameter, so that strict handling does not reject it either. */
  readonly isIgnored?: true;
}

/** Returns a function that warns about accepted values that are probably mistakes or have no effect. */
export function parameterWarner(fields: readonly DescField[]) {
  const warningsOfTimes = timeWarner(fields);
  const limited = fields.flatMap((field) => {
    const { only } = getOption(field, fieldOption);
    return only ? [{ field, ...only }] : [];
  });
  const ignored = fields.filter((field) => getOption(field, fieldOption).ignored);
  return (givenIn: (field: DescField) => string | bigint | null): readonly ParameterWarning[] => {
    const isGiven = (field: DescField, absent: string) => !["", absent].includes(String(givenIn(field) ?? ""));
    const warning = ({ name }: DescField, reason: string) => ({
      field: name,
      description: `value has no effect: ${reason}`,
    });
    return [
      ...warningsOfTimes(givenIn),
      ...limited.flatMap(({ field, value, reason }) => (isGiven(field, value) ? warning(field, reason) : [])),
      ...ignored.flatMap((field) =>
        isGiven(field, "0") ? { ...warning(field, reasonOf(field)), isIgnored: true as const } : [],
      ),
    ];
  };
}

/** Returns the hint `use after` of the comment "Accepted and ignored: use `after`." Loads comments at first use. */
function reasonOf(field: DescField): string {
  const [, reason = "it is ignored"] = /^[^:]*: (.*)\.$/.exec(commentOf(field)) ?? [];
  return reason.replaceAll("`", "");
}

export function messageWarnings({ fields }: DescMessage, message: object): readonly ParameterWarning[] {
  return parameterWarner(fields)(({ localName }) => Object(message)[localName] || "");
}

export function warningHeader(warnings: readonly Violation[]): [name: string, value: string] {
  const texts = warnings.map(({ field, description }) => description.replace("value", field));
  return ["X-Parameter-Warnings", texts.join(", ")];
}
