import { type ClientPackage, clientsPath } from "../clients.ts";
import { type Block, heading, text } from "./blocks.ts";

export const clientsHeading = "Clients";

export function clientsBlocks(clients: readonly ClientPackage[], origin: string): Block[] {
  return [
    heading(clientsHeading),
    text(
      `Install a typed client from this service. [Clients](${clientsPath}) has the requirements and checksums. Or generate a client from [openapi.json](/openapi.json).`,
    ),
    ...clients.map(({ language, install }) => {
      const kind = language === "R" ? "r" : "sh";
      return { kind: "code", label: `Install for ${language}`, language: kind, text: install(origin) } as const;
    }),
    text(
      "The samples for curl need version 7.82 or later for `--json`, and those for Python need `pip install requests`.",
    ),
  ];
}
