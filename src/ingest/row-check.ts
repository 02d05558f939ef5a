import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import type { Rejection } from "./source.ts";

const validator = createValidator();

/** Checks rows against their message's rules: our own output is held to the contract that callers read. */
export function checkRows<D extends DescMessage>(
  schema: D,
  rows: readonly MessageInitShape<D>[],
): { rows: MessageShape<D>[]; rejected: Rejection[] } {
  const good: MessageShape<D>[] = [];
  const rejected: Rejection[] = [];
  rows.forEach((init, index) => {
    const row = create(schema, init);
    const verdict = validator.validate(schema, row);
    if (verdict.kind === "valid") good.push(row);
    else if (verdict.kind === "error") throw verdict.error;
    else rejected.push({ row: nameOf(row, index), reason: verdict.error.message });
  });
  return { rows: good, rejected };
}

function nameOf(row: object, index: number): string {
  return "id" in row && typeof row.id === "string" && row.id !== "" ? row.id : `#${index}`;
}
