import { type DescField, getOption } from "@bufbuild/protobuf";
import { comments } from "../../gen/es/comments.ts";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { asOfParameter } from "../../src/contract/as-of.ts";
import type { Operation } from "../../src/contract/catalog.ts";
import { countryParameter, describeCountry, twinOfCountry } from "../../src/contract/request/country-parameter.ts";
import { isNeeded } from "../../src/contract/rules/field-rules.ts";
import { updatedAfterParameter } from "../../src/contract/updated-after.ts";
import { hasPast } from "../../src/runtime/past-reads.ts";
import { hasUpdates } from "../../src/runtime/updates/followed-reads.ts";

/** A parameter of a client's function. */
export interface OperationParameter {
  readonly name: string;
  /** Undefined for parameters of the transport: the country in any form, and times that many reads accept. */
  readonly field?: DescField;
  readonly isNeeded: boolean;
  /** True for a time that has no field. */
  readonly isTime?: true;
  readonly text: string;
}

const asOf: OperationParameter = {
  name: asOfParameter,
  isNeeded: false,
  isTime: true,
  text: "Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.",
};

const updatedAfter: OperationParameter = {
  name: updatedAfterParameter,
  isNeeded: false,
  isTime: true,
  text: "Only rows that appeared or changed after this day or time, at most 7 days ago.",
};

export const timeParameters: readonly OperationParameter[] = [asOf, updatedAfter];

/** Returns the parameters of an operation, required ones first. */
export function operationParameters(operation: Operation): OperationParameter[] {
  const { queried } = operation;
  const { input } = operation.method;
  const twin = queried ? twinOfCountry(input) : undefined;
  const own = input.fields
    .filter((field) => !getOption(field, fieldOption).ignored)
    .map((field): OperationParameter => {
      const text = comments[`${input.typeName}.${field.name}`] ?? "";
      return { name: field.name, field, isNeeded: field !== twin && isNeeded(field), text };
    });
  const country = twin && { name: countryParameter, isNeeded: false, text: describeCountry(twin) };
  const times = queried
    ? [...(hasPast(operation) ? [asOf] : []), ...(hasUpdates(operation) ? [updatedAfter] : [])]
    : [];
  return [...own, ...(country ? [country] : []), ...times].sort((a, b) => Number(b.isNeeded) - Number(a.isNeeded));
}
