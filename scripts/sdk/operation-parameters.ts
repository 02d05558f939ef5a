import { type DescField, getOption } from "@bufbuild/protobuf";
import { comments } from "../../gen/es/comments.ts";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../src/contract/catalog.ts";
import { countryParameter, describeCountry, twinOfCountry } from "../../src/contract/request/country-parameter.ts";
import { isNeeded } from "../../src/contract/rules/field-rules.ts";

/** A parameter of a client's function. */
export interface OperationParameter {
  readonly name: string;
  /** Undefined for the country in any form, which has no field of its own. */
  readonly field?: DescField;
  readonly isNeeded: boolean;
  readonly text: string;
}

/** Returns the parameters of an operation, required ones first. */
export function operationParameters({ method: { input }, queried }: Operation): OperationParameter[] {
  const twin = queried ? twinOfCountry(input) : undefined;
  const own = input.fields
    .filter((field) => !getOption(field, fieldOption).ignored)
    .map((field): OperationParameter => {
      const text = comments[`${input.typeName}.${field.name}`] ?? "";
      return { name: field.name, field, isNeeded: field !== twin && isNeeded(field), text };
    });
  const country = twin && { name: countryParameter, isNeeded: false, text: describeCountry(twin) };
  return [...own, ...(country ? [country] : [])].sort((a, b) => Number(b.isNeeded) - Number(a.isNeeded));
}
