import { type RefuseUnknown, wantsStrict } from "../../contract/strict.ts";
import type { Exchange } from "../exchange.ts";

/** Refuses unknown names for a request that prefers strict handling, and says that it was followed. Throws `InvalidRequest`. */
export function handleStrictly(
  { head, headers }: Exchange,
  refuse: RefuseUnknown,
  names: () => Iterable<string>,
): void {
  if (head.prefer === undefined || !wantsStrict(head.prefer)) return;
  refuse(names());
  headers.push("Preference-Applied", "handling=strict");
}
