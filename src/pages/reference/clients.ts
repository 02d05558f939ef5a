import { type Block, heading, text } from "./blocks.ts";

export const clientsHeading = "Clients";

/** How to get what the samples import. */
export const clientsBlocks: readonly Block[] = [
  heading(clientsHeading),
  text(
    "The clients are in no package registry: they come with a checkout of the service's repository, where these commands run in a terminal. Ask its operator for one, or let a generator make a client from [openapi.json](/openapi.json).",
  ),
  {
    kind: "list",
    items: [
      "curl: 7.82 or newer, for `--json`.",
      "TypeScript: `cd sdk/typescript && npm pack` in the checkout, then `npm install ./intelligence-data-service-1.0.0.tgz` in your program's folder, with the path of that file.",
      "Go: `go mod edit -require=ids.example.org@v1.0.0 -replace=ids.example.org=../intelligence-data-service` in your module, with the path of the checkout, then `go mod tidy`.",
      "Python: the samples take `pip install requests`; the typed client `ids_client` is `pip install ./sdk/python` in the checkout.",
    ],
  },
];
