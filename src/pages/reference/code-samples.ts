import type { Operation } from "../../contract/catalog.ts";
import type { Code } from "./blocks.ts";
import { type ExampleRequest, type ExampleValue, exampleAddress } from "./example-request.ts";
import { goSample } from "./go-sample.ts";

/** The same request in every language that is shown. `origin` is where the service is, as its caller sees it. */
export function codeSamples(operation: Operation, request: ExampleRequest, origin: string): Code[] {
  return [
    { kind: "code", label: "curl", language: "sh", text: curl(operation, request, origin) },
    { kind: "code", label: "TypeScript", language: "ts", text: typescript(operation, request, origin) },
    { kind: "code", label: "Go", language: "go", text: goSample(operation, request, origin) },
    { kind: "code", label: "Python", language: "python", text: python(operation, request, origin) },
  ];
}

/** Members of a JSON object, by their names in the body or in the query. */
export function membersOf(values: readonly ExampleValue[], name: "jsonName" | "name"): Record<string, unknown> {
  return Object.fromEntries(values.map(({ field, value }) => [field[name], value]));
}

function curl(operation: Operation, request: ExampleRequest, origin: string): string {
  const { verb, access, read } = operation;
  const body = JSON.stringify(membersOf(request.inBody, "jsonName"), null, 2);
  return [
    "curl",
    ...(verb === "GET" || (verb === "POST" && request.inBody.length > 0) ? [] : [`-X ${verb}`]),
    `${shellWord(origin + exampleAddress(operation, request))}`,
    ...(access.anonymous ? [] : ['-H "X-Service-Key: $IDS_API_KEY"']),
    ...(read ? [] : ['-H "Idempotency-Key: $(uuidgen)"']),
    ...(request.inBody.length > 0 ? [`--json ${shellWord(body)}`] : []),
  ]
    .join(" \\\n  ")
    .replace("curl \\\n  ", "curl ");
}

/** A word of a shell. */
export function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function typescript(operation: Operation, request: ExampleRequest, origin: string): string {
  const { path, verb, queried, access } = operation;
  const given = {
    ...membersOf(request.inPath, queried ? "name" : "jsonName"),
    ...membersOf(request.inQuery, "name"),
    ...membersOf(request.inBody, "jsonName"),
  };
  const key = access.anonymous ? "" : ", apiKey: env.IDS_API_KEY";
  const values = Object.keys(given).length === 0 ? (queried ? "" : ", {}") : `, ${typescriptValue(given)}`;
  return `${access.anonymous ? "" : 'import { env } from "node:process";\n'}import { createPlainClient } from "intelligence-data-service/plain";

const ids = createPlainClient({ baseUrl: ${JSON.stringify(origin)}${key} });
const answer = await ids.${verb.toLowerCase()}(${JSON.stringify(path)}${values});
console.log(answer);
`;
}

function typescriptValue(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");
  // One line where it fits.
  const line = text.replace(/\n\s*/g, " ");
  return line.length <= 60 ? line : text;
}

function python(operation: Operation, request: ExampleRequest, origin: string): string {
  const { verb, access } = operation;
  const address = exampleAddress(operation, { ...request, inQuery: [] });
  const query = membersOf(request.inQuery, "name");
  const body = membersOf(request.inBody, "jsonName");
  const given = [
    JSON.stringify(origin + address),
    ...(Object.keys(query).length > 0 ? [`params=${pythonValue(query, "    ")}`] : []),
    ...(access.anonymous ? [] : ['headers={"X-Service-Key": os.environ["IDS_API_KEY"]}']),
    ...(Object.keys(body).length > 0 ? [`json=${pythonValue(body, "    ")}`] : []),
    "timeout=30",
  ];
  return `${access.anonymous ? "" : "import os\n\n"}import requests

answer = requests.${verb.toLowerCase()}(
${given.map((each) => `    ${each},`).join("\n")}
)
answer.raise_for_status()
${operation.successStatus === 204 ? "print(answer.status_code)" : "print(answer.json())"}
`;
}

/** A value of JSON as Python writes it. */
function pythonValue(value: unknown, indent: string): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (typeof value !== "object") return JSON.stringify(value);
  const deeper = `${indent}    `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each) => pythonValue(each, deeper))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each, deeper)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const line = `${open}${parts.join(", ")}${close}`;
  return line.length <= 60 ? line : `${open}\n${parts.map((part) => `${deeper}${part},\n`).join("")}${indent}${close}`;
}
