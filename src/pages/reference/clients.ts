import { type ClientPackage, clientsPath } from "../clients.ts";
import { type Block, code, heading, text } from "./blocks.ts";

export const clientsHeading = "Clients";

export function clientsBlocks(clients: readonly ClientPackage[], origin: string): Block[] {
  return [
    heading(clientsHeading),
    text(
      `Install a typed client from this service. [Clients](${clientsPath}) has the requirements and checksums. Or generate a client from [openapi.json](/openapi.json).`,
    ),
    ...clients.map(({ language, install }) =>
      code(`Install for ${language}`, language === "R" ? "r" : "sh", install(origin)),
    ),
    text(
      "The samples for curl need version 7.82 or later for `--json`, and those for Python need `pip install requests`.",
    ),
  ];
}
