import { create, type DescMessage, type MessageInitShape, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import { validator } from "../contract/rules/validator.ts";
import type { Rejection } from "./source.ts";

/** Escapes of NUL and of half a surrogate pair: Postgres keeps neither. An even number of backslashes before one is text. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Checks rows against their message's rules: our own output is held to the contract that callers read. One that comes again is left out. */
export function checkRows<D extends DescMessage>(
  schema: D,
  rows: readonly MessageInitShape<D>[],
): { rows: MessageShape<D>[]; rejected: Rejection[] } {
  const good: MessageShape<D>[] = [];
  const rejected: Rejection[] = [];
  const known = new Set<string>();
  rows.forEach((init, index) => {
    const row = create(schema, init);
    const result = validator.validate(schema, row);
    if (result.kind === "error") throw result.error;
    const reason = result.kind === "valid" ? reasonAgainst(schema, row, known) : result.error.message;
    if (reason === undefined) good.push(row);
    else rejected.push({ row: nameOf(row, index), reason });
  });
  return { rows: good, rejected };
}

/** Why a row cannot be kept: a number its type cannot hold, a text the store cannot, or nothing that is not known. */
function reasonAgainst<D extends DescMessage>(schema: D, row: MessageShape<D>, known: Set<string>): string | undefined {
  try {
    const text = toJsonString(schema, row);
    if (unstorable.test(text)) return "a text that cannot be stored";
    return known.size === known.add(text).size ? "the same row again" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A row by its id, or else its place. */
export function nameOf(row: object, index: number): string {
  return "id" in row && typeof row.id === "string" && row.id !== "" ? row.id : `#${index}`;
}

/** A row that was accepted, as its source gave it. */
export function asGiven<D extends DescMessage>(row: MessageShape<D>): MessageInitShape<D> {
  return row as MessageInitShape<D>;
}
