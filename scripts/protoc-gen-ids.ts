// Writes what descriptors lack at run time: the services by domain, and every comment of the contract.
import { createEcmaScriptPlugin, getComments, runNodeJs, type Schema } from "@bufbuild/protoplugin";

runNodeJs(
  createEcmaScriptPlugin({
    name: "protoc-gen-ids",
    version: "v1",
    generateTs(schema) {
      // buf runs a plugin once per input. The third-party input needs no descriptions.
      if (schema.files.every((file) => !file.proto.package.startsWith("ids."))) return;
      printServices(schema);
      printComments(schema);
    },
  }),
);

type Described = Parameters<typeof getComments>[0];

function printServices(schema: Schema): void {
  const services = schema.files.flatMap((file) => file.services);
  const out = schema.generateFile("services.ts");
  out.print("// Written by `make generate`.");
  for (const service of services) out.print(`import { ${service.name} } from "./${service.file.name}_pb.ts";`);
  out.print();
  out.print("/** Every service of the contract by its domain. */");
  out.print("export const services = {");
  for (const service of services) out.print(`  ${domainName(service.typeName)}: ${service.name},`);
  out.print("} as const;");
}

function printComments(schema: Schema): void {
  const out = schema.generateFile("comments.ts");
  out.print("// Written by `make generate`.");
  out.print("/** The comment of every service, method, message, field, enum and value, by its full name. */");
  out.print("export const comments: Readonly<Record<string, string>> = {");
  for (const file of schema.files)
    for (const desc of described(file)) {
      const text = getComments(desc).leading?.trim();
      if (text) out.print(`  ${JSON.stringify(fullName(desc))}: ${JSON.stringify(unwrapped(text))},`);
    }
  out.print("};");
}

function* described(file: Schema["files"][number]): Iterable<Described> {
  for (const service of file.services) {
    yield service;
    yield* service.methods;
  }
  const messages = [...file.messages];
  for (const message of messages) {
    yield message;
    yield* message.fields;
    messages.push(...message.nestedMessages);
    for (const nested of message.nestedEnums) yield* [nested, ...nested.values];
  }
  for (const desc of file.enums) yield* [desc, ...desc.values];
}

function fullName(desc: Described): string {
  if ("typeName" in desc) return desc.typeName;
  return "parent" in desc && desc.parent ? `${desc.parent.typeName}.${desc.name}` : desc.name;
}

/** Joins the lines of a comment to paragraphs and removes directives for the linter. */
function unwrapped(text: string): string {
  return text
    .replace(/^\s*buf:lint:ignore .*$\n?/gm, "")
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .map((line) => line.trim())
        .join(" "),
    )
    .join("\n\n");
}

/** Returns the domain of a service: `supplyChain` for `ids.supply_chain.v1.SupplyChainService`. */
function domainName(typeName: string): string {
  return (typeName.split(".").at(-3) ?? "").replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
