import { catalog } from "../contract/catalog.ts";
import { exampleAddress, exampleRequest } from "./reference/example-request.ts";

export function openRequest(origin: string): string {
  const first = catalog.find(({ access, verb }) => access.anonymous && verb === "GET");
  return `curl "${origin}${first ? exampleAddress(first, exampleRequest(first)) : "/api/health"}"`;
}
