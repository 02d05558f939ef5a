import { type RefuseUnknown, wantsStrict } from "../../contract/request/strict.ts";
import type { ReadRequest } from "../read-request.ts";

/** Refuses unknown names for a request that prefers strict handling, and says that it was followed. Throws `InvalidRequest`. */
export function handleStrictly(
  { head, headers }: Pick<ReadRequest, "head" | "headers">,
  refuse: RefuseUnknown,
  names: () => Iterable<string>,
): void {
  if (head.prefer === undefined || !wantsStrict(head.prefer)) return;
  refuse(names());
  headers.push("Preference-Applied", "handling=strict");
}
