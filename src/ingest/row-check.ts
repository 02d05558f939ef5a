import { create, type DescMessage, type MessageInitShape, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import type { Rejection } from "./source.ts";

const validator = createValidator();
/** Escapes of NUL and of half a surrogate pair: Postgres keeps neither. An even number of backslashes before one is text. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Checks rows against their message's rules: our own output is held to the contract that callers read. */
export function checkRows<D extends DescMessage>(
  schema: D,
  rows: readonly MessageInitShape<D>[],
): { rows: MessageShape<D>[]; rejected: Rejection[] } {
  const good: MessageShape<D>[] = [];
  const rejected: Rejection[] = [];
  rows.forEach((init, index) => {
    const row = create(schema, init);
    const result = validator.validate(schema, row);
    if (result.kind === "error") throw result.error;
    const reason = result.kind === "valid" ? reasonAgainst(schema, row) : result.error.message;
    if (reason === undefined) good.push(row);
    else rejected.push({ row: nameOf(row, index), reason });
  });
  return { rows: good, rejected };
}

/** Why a row cannot be kept: a number its type cannot hold, or a text the store cannot. */
function reasonAgainst<D extends DescMessage>(schema: D, row: MessageShape<D>): string | undefined {
  try {
    return unstorable.test(toJsonString(schema, row)) ? "a text that cannot be stored" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function nameOf(row: object, index: number): string {
  return "id" in row && typeof row.id === "string" && row.id !== "" ? row.id : `#${index}`;
}
