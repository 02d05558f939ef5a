import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { type AnyOperation, catalog, requiredTier, streams } from "../contract/catalog.ts";
import { parametersOf } from "../contract/openapi/parameters.ts";
import { getOption } from "../contract/option.ts";
import { countryParameter, twinOfCountry } from "../contract/request/country-parameter.ts";
import { isNeeded } from "../contract/rules/field-rules.ts";
import { sentenceOf } from "./operation-sentence.ts";
import { slugOf } from "./reference/contents.ts";

export function llmsText(): string {
  return `# Intelligence Data Service

> Public world-event data from one typed API. Reads are GET requests with snake_case query parameters and return JSON in lowerCamelCase.

- Send your API key in the header \`X-Service-Key\`. Operations marked "no key" work without one; "tier" is the least tier of the account's plan.
- A malformed parameter returns 400 with \`violations\`, which lists each parameter and its rule.
- A zero never proves a measured value: check the availability fields of the response.
- \`X-Data-Origin: sample\` means that the values are invented. \`X-Data-Stale: true\` means that the data is older than it should be; \`X-Data-Age\` is its age in seconds.
- Agents can call every read as a Model Context Protocol tool at \`/mcp\`.
- After a 429 or 503, wait for the number of seconds in \`Retry-After\`.

## Parameters of many reads

${sharedParameters().join("\n")}

## Documentation

- [API documentation](/docs.md): keys, errors, limits and all operations
- [Errors](/docs/errors.md): what each failure means and what to do
- [Clients](/clients): packages for Python, TypeScript, Go and R, each installed with one line
- [Plans](/plans): what each plan covers
- [Methodology](/methodology): how scores are computed
- [About](/about): who runs this service, how to get a key, what is kept of visitors
- [Places](/places): which areas are disputed, and how they are counted

## Contract

- [OpenAPI 3.1](/openapi.json): all operations, parameters, limits and errors
- [OGC API - Features](/ogc): lists with places as collections, for QGIS, GDAL and other map programs
- [Protobuf](/contract.binpb): descriptors for Connect, gRPC and gRPC-Web
- [Datasets](/api/catalog/v1/list-datasets): subject, state, age, sources and terms of all datasets
- [Catalog](/catalog.jsonld): all datasets, files and licenses in DCAT-AP
- [API catalog](/.well-known/api-catalog): links to all APIs and their descriptions
- [Health](/api/health): state of the service
- [Versions](/versions): what may change and how it is announced
- [Changelog](/changelog): what changed, release by release

## Operations

${catalog.map((operation) => lineOf(operation, operation.verb)).join("\n")}

## Streams

${streams.map((stream) => lineOf(stream, `${stream.verb}, server-sent events`)).join("\n")}
`;
}

function lineOf(operation: AnyOperation, manner: string): string {
  const parameters = ownParameters(operation).join(", ");
  const notes = [...accessOf(operation), ...(parameters === "" ? [] : [`parameters: ${parameters}`])];
  const remarks = notes.map((note) => ` (${note})`);
  return `- [${operation.name}](${operation.path}): ${manner}. ${sentenceOf(operation)}${remarks.join("")} [Documentation](/docs/${slugOf(operation)}.md)`;
}

function accessOf(operation: AnyOperation): string[] {
  const { anonymous, operator, scope } = operation.access;
  if (anonymous) return ["no key"];
  if (operator) return ["operator only"];
  const tier = requiredTier(operation);
  return [...(tier > 0 ? [`tier ${tier}`] : []), ...(scope === "" ? [] : [`scope ${scope}`])];
}

function ownParameters({ method: { input, methodKind }, queried }: AnyOperation): string[] {
  const twin = queried && methodKind === "unary" ? twinOfCountry(input) : undefined;
  return input.fields
    .filter((field) => !getOption(field, fieldOption).ignored)
    .map((field) => {
      const name = queried ? field.name : field.jsonName;
      return `${name}${field === twin ? ` or ${countryParameter}` : ""}${isNeeded(field) ? " required" : ""}`;
    });
}

/** Describes the parameters that operations share. `rows` and countries are described per operation instead. */
function sharedParameters(): string[] {
  const found = new Map<string, string>();
  for (const operation of catalog)
    for (const { name, description } of parametersOf(operation, { hasPast: true, hasUpdates: true })) {
      const isOwn = name === countryParameter || operation.method.input.fields.some((field) => field.name === name);
      if (!isOwn) found.set(String(name), String(description));
    }
  return [...found].map(([name, description]) => `- \`${name}\`: ${description}`);
}
