import type { DescField } from "@bufbuild/protobuf";
import { field as fieldOption, operation as operationOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "./catalog.ts";
import { getOption } from "./option.ts";
import { fieldRules } from "./rules/field-rules.ts";
import { described } from "./schema.ts";

const corners = { ne_lat: 90, ne_lon: 180, sw_lat: -90, sw_lon: -180 };
/** The closest zoom level of web maps. */
const nearZoom = 22;

/** Returns parameters for a box around the world. At a low zoom, the response leaves out minor events. */
export function wholeWorld(operation: Operation, zoom = nearZoom): Readonly<Record<string, number>> {
  return isZoomed(operation) ? { ...corners, zoom } : {};
}

export function isZoomed({ method }: Operation): boolean {
  const names = new Set(method.input.fields.map(({ name }) => name));
  return names.has("zoom") && names.has("ne_lat");
}

export const limitNames: ReadonlySet<string> = new Set(["limit", "page_size"]);

interface RowLimit {
  readonly field: DescField;
  /** Value that requests the most rows; undefined if the default is the maximum. */
  readonly widest: number | undefined;
  readonly max: number;
}

const known = new Map<Operation, RowLimit | undefined>();

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
  const max = getOption(field, fieldOption).clamp?.max ?? greatestOf(field);
  return { field, widest: max, max: max ?? Number.POSITIVE_INFINITY };
}

function greatestOf(field: DescField): number | undefined {
  const rules = fieldRules(field)?.type;
  if (rules?.case !== "int32") return undefined;
  const { lessThan } = rules.value;
  return lessThan.case === "lte" ? lessThan.value : lessThan.case === "lt" ? lessThan.value - 1 : undefined;
}

export function numberIn(text: string): number {
  return Number(text.replaceAll(",", ""));
}

/** Returns the parameter that requests the most rows. Empty for a paged read, or if the default is the maximum. */
export function widestRows(operation: Operation): Readonly<Record<string, string>> {
  const limit = rowLimitOf(operation);
  return limit?.widest === undefined ? {} : { [limit.field.name]: String(limit.widest) };
}
