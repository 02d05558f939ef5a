import { create, type DescMessage, type MessageInitShape, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import { validator } from "../contract/rules/validator.ts";
import type { Rejection } from "./source.ts";

/**
 * Matches escapes of NUL and of half a surrogate pair, which Postgres rejects. An even number of backslashes before an
 * escape makes it plain text.
 */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Our own responses must obey the contract, so its rules apply. Duplicates are removed. */
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

function reasonAgainst<D extends DescMessage>(schema: D, row: MessageShape<D>, known: Set<string>): string | undefined {
  try {
    const text = toJsonString(schema, row);
    if (unstorable.test(text)) return "a text that cannot be stored";
    return known.size === known.add(text).size ? "the same row again" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Names a row by its ID, or by its position if it has none. */
export function nameOf(row: object, index: number): string {
  return "id" in row && typeof row.id === "string" && row.id !== "" ? row.id : `#${index}`;
}

export function asGiven<D extends DescMessage>(row: MessageShape<D>): MessageInitShape<D> {
  return row as MessageInitShape<D>;
}
