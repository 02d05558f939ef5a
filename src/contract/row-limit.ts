import type { DescField } from "@bufbuild/protobuf";
import { field as fieldOption, operation as operationOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "./catalog.ts";
import { getOption } from "./option.ts";
import { fieldRules } from "./rules/field-rules.ts";
import { described } from "./schema.ts";

export const limitNames: ReadonlySet<string> = new Set(["limit", "page_size"]);

/** The parameter that limits the rows of a read without pages. */
export interface RowLimit {
  readonly field: DescField;
  /** Value of the parameter for the most rows; undefined if the default already is the maximum. */
  readonly widest: number | undefined;
  readonly max: number;
}

const known = new Map<Operation, RowLimit | undefined>();

/** Returns the limit of an unpaged read; undefined if it has none. */
export function rowLimitOf(operation: Operation): RowLimit | undefined {
  if (!known.has(operation)) known.set(operation, findRowLimit(operation));
  return known.get(operation);
}

function findRowLimit({ method }: Operation): RowLimit | undefined {
  if (getOption(method, operationOption).page) return undefined;
  const field = method.input.fields.find(({ name }) => limitNames.has(name));
  if (!field || field.deprecated || getOption(field, fieldOption).ignored) return undefined;
  const text = (described(`${field.parent.typeName}.${field.name}`).description ?? "").replaceAll(/\s+/g, " ");
  const [, capped] = /\bat most ([\d,]+) rows are returned\b/.exec(text) ?? [];
  if (capped !== undefined) return { field, widest: undefined, max: numberIn(capped) };
  if (/\b0 means all\b/.test(text)) return { field, widest: 0, max: Number.POSITIVE_INFINITY };
  const max = greatestOf(field);
  return { field, widest: Number.isFinite(max) ? max : undefined, max };
}

/** Returns the greatest value of a parameter; infinite if the contract does not limit it. */
export function greatestOf(field: DescField): number {
  const { clamp } = getOption(field, fieldOption);
  const rules = fieldRules(field)?.type;
  const { lessThan } = rules?.case === "int32" ? rules.value : {};
  if (clamp) return clamp.max;
  if (lessThan?.case === "lte") return lessThan.value;
  return lessThan?.case === "lt" ? lessThan.value - 1 : Number.POSITIVE_INFINITY;
}

export function numberIn(text: string): number {
  return Number(text.replaceAll(",", ""));
}

/** Returns the parameter that requests the most rows. Empty for a paged read, or if the default is the maximum. */
export function widestRows(operation: Operation): Readonly<Record<string, string>> {
  const limit = rowLimitOf(operation);
  return limit?.widest === undefined ? {} : { [limit.field.name]: String(limit.widest) };
}
