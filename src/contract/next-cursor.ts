import { type DescMessage, getOption, type Message } from "@bufbuild/protobuf";
import { operation as operationOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { AnyOperation } from "./catalog.ts";

/** Says what a format without a place for it cannot: where the next page begins. Absent from the last page. */
export const nextCursorHeader = "X-Next-Cursor";

/** Reads from a response where its next page begins; empty after the last, and always of a read without pages. */
export function nextCursorReader({ method }: Pick<AnyOperation, "method">): (response: Message) => string {
  const { page } = getOption(method, operationOption);
  if (!page) return () => "";
  const path = localNames(method.output, page.nextCursor);
  return (response) => {
    const cursor = path.reduce<unknown>((value, name) => Object(value)[name], response);
    return typeof cursor === "string" ? cursor : "";
  };
}

/** Names of the members that lead to a field. */
function localNames(response: DescMessage, path: string): string[] {
  let at: DescMessage | undefined = response;
  return path.split(".").map((name) => {
    const field = at?.fields.find((each) => each.name === name);
    if (!field) throw new Error(`${path} is no field of ${response.typeName}`);
    at = field.message;
    return field.localName;
  });
}
