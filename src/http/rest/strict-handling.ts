import { wantsStrict } from "../../contract/request/strict.ts";
import type { ReadRequest } from "../read-request.ts";

/** A header confirms the preference. Throws `InvalidRequest`. */
export function handleStrictly({ head, headers }: Pick<ReadRequest, "head" | "headers">, reject: () => void): void {
  if (head.prefer === undefined || !wantsStrict(head.prefer)) return;
  reject();
  headers.push("Preference-Applied", "handling=strict");
}
