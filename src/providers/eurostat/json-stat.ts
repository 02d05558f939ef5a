import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { readAs } from "../../ingest/source.ts";

/** A value of a table, with its code on each dimension: `{ geo: "DE", time: "2024" }`. */
export interface Cell {
  readonly at: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The codes of a dimension: an object from code to index, or a list of codes in their order. */
const indexSchema = z.union([z.record(z.string(), z.int().nonnegative()), z.array(z.string())]);
/** The values of a table by cell number. A cell without a value is absent or null. */
const valuesSchema = z.union([
  z.record(z.string().regex(/^\d+$/), z.number().nullable()),
  z.array(z.number().nullable()).transform((values) => Object.fromEntries(values.entries())),
]);
const responseSchema = z.object({
  class: z.literal("dataset"),
  id: z.array(z.string()).min(1),
  size: z.array(z.int().nonnegative()),
  dimension: z.record(z.string(), z.object({ category: z.object({ index: indexSchema }) })),
  value: valuesSchema,
});

export function cellsOf(source: string, response: unknown): readonly Cell[] {
  const { id, size, dimension, value } = readAs(source, responseSchema, response);
  const codes = id.map((name) => codesOf(dimension[name]?.category.index ?? []));
  const place = codes.findIndex((known, place) => known.length !== size[place]);
  if (place >= 0 || id.length !== size.length)
    throw new UpstreamError(`${source}: dimension ${id[place]} has another size than it says`);
  return Object.entries(value).flatMap(([number, one]) =>
    one === null ? [] : [{ at: placeOf(Number(number), id, codes), value: one }],
  );
}

function codesOf(index: z.output<typeof indexSchema>): readonly string[] {
  if (Array.isArray(index)) return index;
  return Object.entries(index)
    .sort(([, a], [, b]) => a - b)
    .map(([code]) => code);
}

/** Returns a cell's code on each dimension. Between adjacent cells, the code of the last dimension changes first. */
function placeOf(number: number, id: readonly string[], codes: readonly (readonly string[])[]): Record<string, string> {
  let rest = number;
  const at: Record<string, string> = {};
  for (const [place, known] of [...codes.entries()].reverse()) {
    at[id[place] ?? ""] = known[rest % known.length] ?? "";
    rest = Math.floor(rest / known.length);
  }
  return at;
}
