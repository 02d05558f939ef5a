import { AccountService } from "../../gen/es/ids/account/v1/account_pb.ts";
import { catalog, type Operation, requiredTier } from "../contract/catalog.ts";
import { described, firstSentence } from "../contract/schema.ts";
import { escaped, inline, page, table } from "./layout.ts";
import { slugOf } from "./reference/contents.ts";
import { exampleAddress, exampleRequest } from "./reference/example-request.ts";

/** A request that needs no key, with the values that the contract gives as examples. */
export function openRequest(origin: string): string {
  const first = catalog.find(({ access, verb }) => access.anonymous && verb === "GET");
  return `curl "${origin}${first ? exampleAddress(first, exampleRequest(first)) : "/api/health"}"`;
}

/** The page at `/`: what this is, how to ask it at this address, and every operation. */
export function landingPage(origin: string, demoKey: string | undefined): string {
  const keyed = catalog.find(
    (operation) => operation.verb === "GET" && takesAnyKey(operation) && !isOfAccounts(operation.method),
  );
  const ask = [
    openRequest(origin),
    ...(keyed
      ? [
          `KEY=${demoKey ?? "ids_..."}`,
          `curl -H "X-Service-Key: $KEY" "${origin}${exampleAddress(keyed, exampleRequest(keyed))}"`,
        ]
      : []),
  ];
  const [data, own] = [true, false].map((isData) => catalog.filter(({ method }) => isOfAccounts(method) !== isData));
  const body = `
<h2>Make a request</h2>
<pre>${escaped(ask.join("\n"))}</pre>
${demoKey ? "<p>This service runs on sample data; its values are invented. The key shown is the free demo key.</p>" : ""}
<p>Language-model agents can call every read as a Model Context Protocol tool at <a href="/mcp"><code>/mcp</code></a>.</p>
<h2>Data</h2>
${operationTable(data)}
<h2>Accounts</h2>
${operationTable(own)}`;
  return page(
    "Intelligence Data Service",
    "Public world-event data from one typed API: plain JSON, Connect, gRPC and gRPC-Web at this address.",
    body,
  );
}

function takesAnyKey(operation: Operation): boolean {
  const { anonymous, operator, scope } = operation.access;
  return !anonymous && !operator && scope === "" && requiredTier(operation) === 0;
}

function isOfAccounts({ parent }: Operation["method"]): boolean {
  return parent.typeName === AccountService.typeName;
}

/** Operations with their paths and first sentences. */
function operationTable(listed: readonly Operation[] = []): string {
  return table(
    ["Operation", "Path", "Description"],
    listed.map((operation) => [
      `<a href="/docs/${slugOf(operation)}">${escaped(operation.name)}</a>`,
      `<code>${operation.verb} ${escaped(operation.path)}</code>`,
      inline(sentenceOf(operation)),
    ]),
  );
}

/** The first sentence of an operation's documentation. */
export function sentenceOf({ method }: Operation): string {
  return firstSentence(described(`${method.parent.typeName}.${method.name}`).description ?? "");
}
