// Writes what the TypeScript SDK needs in addition to its messages: services by domain, paged operations, and the types
// of plain JSON.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DescEnum, DescMessage } from "@bufbuild/protobuf";
import { services } from "../gen/es/services.ts";
import { catalog, type Operation } from "../src/contract/catalog.ts";
import { eventBodies } from "../src/contract/event-types.ts";
import { reachable } from "../src/contract/schema.ts";
import { pagingTable } from "./sdk/paging-table.ts";
import { declaration, knownTypes, nameOf, pathEntry, type Sheet } from "./sdk/plain-types.ts";

const [out = "sdk/typescript/src/gen"] = process.argv.slice(2);
const bodies = reachable(catalog.filter(({ queried }) => !queried).map(({ method }) => method.input));
// Requests that are sent as a query have no named type in plain JSON.
const ofOperations = [
  ...catalog.map(({ method }) => method.output),
  ...catalog.filter(({ queried }) => !queried).map(({ method }) => method.input),
];
const spoken = reachable([...ofOperations, ...eventBodies]);
const queries = reachable(catalog.filter(({ queried }) => queried).map(({ method }) => method.input));
const types = [...spoken, ...[...queries].filter((desc) => desc.kind === "enum" && !spoken.has(desc))];
const verbs = {
  GetPaths: ["GET", "Every path that is read, with its query and its answer."],
  PostPaths: ["POST", "Every path that takes a body, with its body and its answer."],
  DeletePaths: ["DELETE", "Every path that something is taken away by, with what the path says and its answer."],
} as const;

const named = new Map<string, DescMessage | DescEnum>();
for (const desc of types) {
  const known = named.get(nameOf(desc));
  if (known) throw new Error(`${known.typeName} and ${desc.typeName} share a name`);
  named.set(nameOf(desc), desc);
}
await writePlainTypes();
await write("paging.ts", pagingTable(domainOf));
await write("services.ts", [
  ...Object.values(services).map(({ name, file }) => `import { ${name} } from "./${file.name}_pb.ts";`),
  "",
  "/** Every service by its domain. */",
  "export const services: {",
  ...Object.entries(services).map(([domain, { name }]) => `  readonly ${domain}: typeof ${name};`),
  "} = {",
  ...Object.entries(services).map(([domain, { name }]) => `  ${domain}: ${name},`),
  "};",
]);
await write("known.ts", knownTypes());
const exchanged = reachable(ofOperations);
const queried = new Set<DescMessage | DescEnum>(queries);
await write("messages.ts", [
  "// Every message and enum of the operations; of enums the values as well.",
  ...byFile(types.filter((desc) => exchanged.has(desc) || queried.has(desc))).map(
    ([file, descs]) => `export { ${sorted(descs.map(exported)).join(", ")} } from "./${file}_pb.ts";`,
  ),
]);

/**
 * Writes one file per file of the contract, next to its messages. A package compresses well if equal comments are
 * close.
 */
async function writePlainTypes(): Promise<void> {
  const paths = Object.groupBy(catalog, ({ method }) => method.input.file.name);
  const declared = new Map(byFile(types));
  const files = sorted([...new Set([...declared.keys(), ...Object.keys(paths)])]);
  for (const file of files) await writeFileTypes(file, paths[file] ?? [], declared.get(file) ?? []);
  await write("plain.ts", [
    ...files
      .filter((file) => paths[file])
      .map((file) => `import type * as ${moduleOf(file)} from "./${file}_plain.ts";`),
    "",
    ...Object.entries(verbs).flatMap(([name, [verb, comment]]) => [
      `/** ${comment} */`,
      `export interface ${name} extends ${files
        .filter((file) => paths[file]?.some((operation) => operation.verb === verb))
        .map((file) => `${moduleOf(file)}.${name}`)
        .join(", ")} {}`,
      "",
    ]),
    'export type * from "./known.ts";',
    ...[...declared].map(
      ([file, descs]) => `export type { ${sorted(descs.map(nameOf)).join(", ")} } from "./${file}_plain.ts";`,
    ),
  ]);
}

async function writeFileTypes(
  file: string,
  operations: readonly Operation[],
  descs: readonly (DescMessage | DescEnum)[],
): Promise<void> {
  const sheet: Sheet = { bodies, uses: new Set(), knownUses: new Set() };
  const lines = [
    ...descs.flatMap((desc) => declaration(desc, sheet)),
    ...Object.entries(verbs).flatMap(([name, [verb]]) => {
      const entries = operations.filter((operation) => operation.verb === verb);
      if (entries.length === 0) return [];
      return [`export interface ${name} {`, ...entries.flatMap((each) => pathEntry(each, sheet)), "}", ""];
    }),
  ];
  const depth = "../".repeat(file.split("/").length - 1);
  const imports = byFile([...sheet.uses])
    .filter(([other]) => other !== file)
    .map(([other, used]) => `import type { ${sorted(used.map(nameOf)).join(", ")} } from "${depth}${other}_plain.ts";`);
  const known = sorted([...sheet.knownUses]);
  if (known.length > 0) imports.push(`import type { ${known.join(", ")} } from "${depth}known.ts";`);
  await write(`${file}_plain.ts`, [...imports, ...lines]);
}

function byFile(descs: readonly (DescMessage | DescEnum)[]): [file: string, descs: (DescMessage | DescEnum)[]][] {
  return Object.entries(Object.groupBy(descs, ({ file }) => file.name)).map(([file, some = []]) => [file, some]);
}

function sorted(names: readonly string[]): string[] {
  return names.toSorted((one, other) => (one < other ? -1 : 1));
}

function moduleOf(file: string): string {
  return file.replace(/^ids\//, "").replaceAll("/", "_");
}

function exported(desc: DescMessage | DescEnum): string {
  const name = desc.typeName.slice(desc.file.proto.package.length + 1).replaceAll(".", "_");
  return desc.kind === "enum" ? name : `type ${name}`;
}

function domainOf(typeName: string): string {
  const [domain] = Object.entries(services).find(([, service]) => service.typeName === typeName) ?? [];
  if (domain === undefined) throw new Error(`${typeName} has no domain`);
  return domain;
}

async function write(name: string, lines: readonly string[]): Promise<void> {
  const file = join(out, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${["// Written by `make generate`.", ...lines].join("\n")}\n`);
}
