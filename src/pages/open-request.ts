import { catalog } from "../contract/catalog.ts";
import { exampleAddress, exampleRequest } from "./reference/example-request.ts";

/** A request that needs no key, with the values that the contract gives as examples. */
export function openRequest(origin: string): string {
  const first = catalog.find(({ access, verb }) => access.anonymous && verb === "GET");
  return `curl "${origin}${first ? exampleAddress(first, exampleRequest(first)) : "/api/health"}"`;
}
