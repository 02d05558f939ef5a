import { catalog } from "../contract/catalog.ts";
import { sentenceOf } from "./operation-sentence.ts";
import { slugOf } from "./reference/contents.ts";

/** `/llms.txt`: what a language model should know before it asks. */
export function llmsText(): string {
  const operations = catalog.map((operation) => {
    const { name, verb, path, access, method, queried } = operation;
    const parameters = method.input.fields.map((field) => (queried ? field.name : field.jsonName)).join(", ");
    const notes = [access.anonymous ? "no key" : "", parameters === "" ? "" : `parameters: ${parameters}`];
    const remarks = notes.filter(Boolean).map((note) => ` (${note})`);
    return `- [${name}](${path}): ${verb}. ${sentenceOf(operation)}${remarks.join("")} [Documentation](/docs/${slugOf(operation)}.md)`;
  });
  return `# Intelligence Data Service

> Public world-event data from one typed API. Reads are GET requests with snake_case query parameters and return JSON in lowerCamelCase.

- Send your API key in the header \`X-Service-Key\`. Operations marked "no key" work without one.
- A malformed parameter returns 400 with \`violations\`, which lists each parameter and its rule.
- A zero alone never proves a measured value: check the availability fields of the response.
- \`X-Data-Origin: sample\` means that the values are invented. \`X-Data-Stale: true\` means that the data is older than it should be; \`X-Data-Age\` is its age in seconds.
- \`jmespath\` on any read returns only the part of the response that it selects.
- Agents can call every read as a Model Context Protocol tool at \`/mcp\`.
- After a 429 or 503, wait for the number of seconds in \`Retry-After\`.

## Documentation

- [API documentation](/docs.md): keys, errors, limits and all operations

## Contract

- [OpenAPI 3.1](/openapi.json): all operations, parameters, limits and errors
- [Datasets](/api/catalog/v1/list-datasets): subject, state, age, sources and terms of all datasets
- [Health](/api/health): state of the service
- [Versions](/versions): what may change and how it is announced
- [Changelog](/changelog): what changed, release by release ([Atom](/changelog.atom))

## Operations

${operations.join("\n")}
`;
}
