import { wantsStrict } from "../../contract/request/strict.ts";
import type { ReadRequest } from "../read-request.ts";

/** Refuses by `refuse` what a request that prefers strict handling may not hold, and says that it was followed. Throws `InvalidRequest`. */
export function handleStrictly({ head, headers }: Pick<ReadRequest, "head" | "headers">, reject: () => void): void {
  if (head.prefer === undefined || !wantsStrict(head.prefer)) return;
  reject();
  headers.push("Preference-Applied", "handling=strict");
}
