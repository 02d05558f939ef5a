import { type DescEnum, type DescField, type DescFile, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { kebab, type Operation } from "../../contract/catalog.ts";
import { type Code, code } from "./blocks.ts";
import { type ExampleRequest, type ExampleValue, exampleAddress } from "./example-request.ts";

function goSample(operation: Operation, request: ExampleRequest, origin: string): string {
  const { method, access } = operation;
  const imports = new Map<string, string>();
  const values = [...request.inPath, ...request.inQuery, ...request.inBody];
  const message = structOf(method.input, values, { imports, indent: "\t\t" });
  const key = access.anonymous ? "" : ', ids.WithAPIKey(os.Getenv("IDS_API_KEY"))';
  const isEmpty = operation.successStatus === 204;
  const own = [...imports].map(([path, alias]) => `\t${alias === "" ? "" : `${alias} `}${JSON.stringify(path)}`);
  return `package main

import (
	"context"
${isEmpty ? "" : '\t"fmt"\n'}	"log"
${access.anonymous ? "" : '\t"os"\n'}
${[...own, '\tids "ids.example.org/sdk/go"'].sort((a, b) => (pathIn(a) < pathIn(b) ? -1 : 1)).join("\n")}
)

func main() {
	client, err := ids.New(${JSON.stringify(origin)}${key})
	if err != nil {
		log.Fatal(err)
	}
	${isEmpty ? "_" : "answer"}, err ${isEmpty ? "=" : ":="} client.${goName(domainOf(method.parent.file))}.${method.name}(
		context.Background(),
		&${message},
	)
	if err != nil {
		log.Fatal(err)
	}
${isEmpty ? "" : "\tfmt.Println(answer)\n"}}
`;
}

interface Writer {
  /** Names of imported packages, by path. */
  readonly imports: Map<string, string>;
  readonly indent: string;
}

/** Returns the Go code for a message: a composite literal without the leading `&`. */
function structOf(desc: DescMessage, values: readonly ExampleValue[], { imports, indent }: Writer): string {
  const type = `${packageOf(desc.file, imports)}.${nameOf(desc)}`;
  if (values.length === 0) return `${type}{}`;
  const deeper = `${indent}\t`;
  const members = values.map(
    ({ field, value }) => [`${goName(field.name)}:`, fieldValue(field, value, { imports, indent: deeper })] as const,
  );
  const line = `${type}{${members.map(([name, value]) => `${name} ${value}`).join(", ")}}`;
  if (line.length <= 90 && !line.includes("\n")) return line;
  return `${type}{\n${inColumns(members)
    .map((member) => `${deeper}${member},\n`)
    .join("")}${indent}}`;
}

/** Aligns the values of adjacent one-line fields in a column, as gofmt does. */
function inColumns(members: readonly (readonly [name: string, value: string])[]): string[] {
  const isTall = (index: number) => members[index]?.[1].includes("\n") ?? true;
  return members.map(([name, value], index) => {
    if (isTall(index)) return `${name} ${value}`;
    let [from, to] = [index, index];
    while (!isTall(from - 1)) from -= 1;
    while (!isTall(to + 1)) to += 1;
    const width = Math.max(...members.slice(from, to + 1).map(([adjacent]) => adjacent.length));
    return `${name.padEnd(width)} ${value}`;
  });
}

function fieldValue(field: DescField, value: unknown, writer: Writer): string {
  if (field.fieldKind === "list") {
    const items = (Array.isArray(value) ? value : []).map((item) => singleValue(field, item, writer));
    return `[]${typeName(field, writer)}{${items.join(", ")}}`;
  }
  if (field.fieldKind === "map") {
    const entries = Object.entries(value ?? {}).map(
      ([name, each]) => `${JSON.stringify(name)}: ${singleValue(field, each, writer)}`,
    );
    return `map[string]${typeName(field, writer)}{${entries.join(", ")}}`;
  }
  const single = singleValue(field, value, writer);
  if (field.presence !== FeatureSet_FieldPresence.EXPLICIT || field.message) return single;
  if (field.enum) return `${single}.Enum()`;
  writer.imports.set("google.golang.org/protobuf/proto", "");
  return `proto.${goName(scalarNames[field.scalar ?? ScalarType.STRING] ?? "string")}(${single})`;
}

function singleValue(field: DescField, value: unknown, writer: Writer): string {
  if (field.message) {
    const { message } = field;
    const given = Object.entries(value ?? {}).flatMap(([name, each]) => {
      const member = message.fields.find(({ jsonName }) => jsonName === name);
      return member ? [{ field: member, value: each }] : [];
    });
    return `&${structOf(message, given, writer)}`;
  }
  if (field.enum) return `${packageOf(field.enum.file, writer.imports)}.${nameOf(field.enum)}_${value}`;
  return field.scalar === ScalarType.STRING || typeof value !== "string" ? JSON.stringify(value) : value;
}

function typeName(field: DescField, { imports }: Writer): string {
  if (field.message) return `*${packageOf(field.message.file, imports)}.${nameOf(field.message)}`;
  if (field.enum) return `${packageOf(field.enum.file, imports)}.${nameOf(field.enum)}`;
  return scalarNames[field.scalar ?? ScalarType.STRING] ?? "string";
}

const scalarNames: Readonly<Partial<Record<ScalarType, string>>> = {
  [ScalarType.STRING]: "string",
  [ScalarType.BOOL]: "bool",
  [ScalarType.DOUBLE]: "float64",
  [ScalarType.FLOAT]: "float32",
  [ScalarType.INT32]: "int32",
  [ScalarType.INT64]: "int64",
  [ScalarType.UINT32]: "uint32",
  [ScalarType.UINT64]: "uint64",
};

/** Imports the Go package of a proto file and returns the package's name in the program. */
function packageOf(file: DescFile, imports: Map<string, string>): string {
  const [, domain = "", version = ""] = file.proto.package.split(".");
  const alias = domain.replaceAll("_", "") + version;
  imports.set(`ids.example.org/gen/go/ids/${domain}/${version}`, alias);
  return alias;
}

function domainOf(file: DescFile): string {
  return file.proto.package.split(".")[1] ?? "";
}

/** Returns the Go name of a message or enum. The name of a nested type starts with its parent. */
function nameOf(desc: DescMessage | DescEnum): string {
  return desc.parent ? `${nameOf(desc.parent)}_${goName(desc.name)}` : goName(desc.name);
}

/** Names a Go field like protoc-gen-go does: `ne_lat` becomes `NeLat`. */
function goName(name: string): string {
  return name.replace(/(?:^|_|(?<=\d))([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function pathIn(line: string): string {
  return /"(.*)"/.exec(line)?.[1] ?? "";
}

/** Returns code samples for a request. `origin` is the URL with which the client reaches the service. */
export function codeSamples(operation: Operation, request: ExampleRequest, origin: string): Code[] {
  // The client for R has functions only for reads.
  const isInR = operation.read && operation.verb === "GET";
  return [
    code("curl", "sh", curl(operation, request, origin)),
    code("TypeScript", "ts", typescript(operation, request, origin)),
    code("Go", "go", goSample(operation, request, origin)),
    code("Python", "python", python(operation, request, origin)),
    ...(isInR ? [code("R", "r", rSample(operation, request, origin))] : []),
  ];
}

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
  // If the JSON is short, it is written on one line.
  const line = text.replace(/\n\s*/g, " ");
  return line.length <= 60 ? line : text;
}

function python(operation: Operation, request: ExampleRequest, origin: string): string {
  const { verb, access } = operation;
  const address = exampleAddress(operation, { ...request, inQuery: [] });
  const query = { ...membersOf(request.inQuery, "name"), ...Object.fromEntries(request.common ?? []) };
  const body = membersOf(request.inBody, "jsonName");
  const isText = "format" in query && query.format !== "json";
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
print(answer.${operation.successStatus === 204 ? "status_code" : isText ? "text" : "json()"})
`;
}

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

function rSample({ name, access }: Operation, request: ExampleRequest, origin: string): string {
  const key = access.anonymous ? "" : ', key = Sys.getenv("IDS_API_KEY")';
  const given = [...request.inPath, ...request.inQuery].map(({ field, value }) => `${field.name} = ${rValue(value)}`);
  return `library(idsclient)

client <- ids_client(${JSON.stringify(origin)}${key})
answer <- ${kebab(name).replaceAll("-", "_")}(${["client", ...given].join(", ")})
print(answer)
`;
}

function rValue(value: unknown): string {
  if (Array.isArray(value)) return `c(${value.map(rValue).join(", ")})`;
  return typeof value === "boolean" ? String(value).toUpperCase() : JSON.stringify(value);
}
