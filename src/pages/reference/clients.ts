import { type Block, heading, text } from "./blocks.ts";

export const clientsHeading = "Clients";

export const clientsBlocks: readonly Block[] = [
  heading(clientsHeading),
  text(
    "The clients are not in a package registry. Run these commands in a checkout of the service's repository, which you get from its operator. Or generate a client from [openapi.json](/openapi.json).",
  ),
  {
    kind: "list",
    items: [
      "curl: 7.82 or newer, for `--json`.",
      "TypeScript: `cd sdk/typescript && npm pack` in the checkout, then `npm install ./intelligence-data-service-1.0.0.tgz` in your program's folder, with the path of that file.",
      "Go: `go mod edit -require=ids.example.org@v1.0.0 -replace=ids.example.org=../intelligence-data-service` in your module, with the path of the checkout, then `go mod tidy`.",
      "Python: `pip install requests` for the samples, and `pip install ./sdk/python` in the checkout for the typed client `ids_client`.",
    ],
  },
];
