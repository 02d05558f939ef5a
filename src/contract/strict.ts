import type { DescField } from "@bufbuild/protobuf";
import { InvalidRequest } from "../errors.ts";

/** Refuses parameters or members that the contract does not know, for callers that ask for it. Throws `InvalidRequest`. */
export type RefuseUnknown = (names: Iterable<string>) => void;

/** Plans the check of a request once; `beside` are names that every request may carry. */
export function unknownRefuser(fields: readonly DescField[], beside: readonly string[] = []): RefuseUnknown {
  const known = new Set([...beside, ...fields.flatMap(({ name, jsonName }) => [name, jsonName])]);
  return (names) => {
    const unknown = [...new Set(names)].filter((name) => !known.has(name));
    if (unknown.length > 0)
      throw new InvalidRequest(unknown.map((field) => ({ field, description: "no such parameter in this operation" })));
  };
}

/** RFC 7240: whether the `Prefer` header asks for strict handling. */
export function wantsStrict(prefer: string): boolean {
  return prefer.split(",").some((part) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(part));
}
