import { catalog } from "../contract/catalog.ts";
import { sentenceOf } from "./landing.ts";

/** `/llms.txt`: what a language model should know before it asks. */
export function llmsText(): string {
  const operations = catalog.map((operation) => {
    const { name, verb, path, access, method, read } = operation;
    const parameters = method.input.fields.map((field) => (read ? field.name : field.jsonName)).join(", ");
    const notes = [access.anonymous ? "no key" : "", parameters === "" ? "" : `parameters: ${parameters}`];
    return `- [${name}](${path}): ${verb}. ${sentenceOf(operation)}${notes
      .filter(Boolean)
      .map((note) => ` (${note})`)
      .join("")}`;
  });
  return `# Intelligence Data Service

> Public world-event data behind one typed API. Reads are GET with snake_case query parameters and answer JSON in lowerCamelCase.

- A key goes into the header \`X-Service-Key\`. Without one only operations marked "no key" answer.
- A malformed parameter is a 400 with \`violations\`; the list names each parameter and its rule.
- A zero alone is never proof of a measured value: look at the availability members of the answer.
- \`X-Data-Origin: sample\` says that the values are invented, \`X-Data-Stale: true\` that they are older than they should be, \`X-Data-Age\` seconds.
- \`jmespath\` on any read returns only the part of the answer it names.
- Agents find every read as a tool of the Model Context Protocol at \`/mcp\`.
- After a 429 or 503 wait for the seconds in \`Retry-After\`.

## Contract

- [OpenAPI 3.1](/openapi.json): every operation, parameter, bound and error
- [Health](/api/health): state and age of every dataset
- [Versions](/versions): what may change and how it is announced

## Operations

${operations.join("\n")}
`;
}
