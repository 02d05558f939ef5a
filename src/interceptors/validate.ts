import type { Message } from "@bufbuild/protobuf";
import { catalog, type Operation } from "../contract/catalog.ts";
import { type RequestRules, requestRules } from "../contract/rules.ts";

const rules: ReadonlyMap<Operation, RequestRules<never>> = new Map(
  catalog.map((operation) => [operation, requestRules(operation.method.input, !operation.read)]),
);

/** Fourth step: brings the request into its normal form and checks it. Throws `InvalidRequest`. */
export function validate(operation: Operation, message: Message): void {
  rules.get(operation)?.(message as never);
}
