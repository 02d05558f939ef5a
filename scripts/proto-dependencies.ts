// Lays the third-party protos that ours import into .deps/proto, from npm packages: no network, nothing copied into the repository.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

const out = ".deps/proto";

copyGoogleApi();
printValidate();

function copyGoogleApi(): void {
  const from = dirname(createRequire(import.meta.url).resolve("protobufjs/package.json"));
  mkdirSync(join(out, "google/api"), { recursive: true });
  for (const name of ["annotations.proto", "http.proto"])
    copyFileSync(join(from, "google/api", name), join(out, "google/api", name));
}

/** Enough of `buf/validate/validate.proto` to compile files that import it: its shape, without its own options. */
function printValidate(): void {
  const { proto } = file_buf_validate_validate;
  const lines = [
    'syntax = "proto2";',
    `package ${proto.package};`,
    ...proto.dependency.map((path) => `import "${path}";`),
    ...proto.extension.flatMap((field) => [`extend ${field.extendee} {`, fieldLine(field, false), "}"]),
    ...proto.enumType.flatMap(enumLines),
    ...proto.messageType.flatMap(messageLines),
  ];
  mkdirSync(join(out, "buf/validate"), { recursive: true });
  writeFileSync(join(out, "buf/validate/validate.proto"), `${lines.join("\n")}\n`);
}

function messageLines(message: DescriptorProto): string[] {
  const free = message.field.filter((field) => !Object.hasOwn(field, "oneofIndex"));
  return [
    `message ${message.name} {`,
    ...message.enumType.flatMap(enumLines),
    ...message.nestedType.flatMap(messageLines),
    ...message.oneofDecl.flatMap((oneof, index) => [
      `oneof ${oneof.name} {`,
      ...message.field
        .filter((field) => Object.hasOwn(field, "oneofIndex") && field.oneofIndex === index)
        .map((field) => fieldLine(field, true)),
      "}",
    ]),
    ...free.map((field) => fieldLine(field, false)),
    ...message.extensionRange.map(({ start, end }) => `extensions ${start} to ${end >= 536870912 ? "max" : end - 1};`),
    "}",
  ];
}

function enumLines(desc: EnumDescriptorProto): string[] {
  return [
    `enum ${desc.name} {`,
    ...(desc.options?.allowAlias ? ["option allow_alias = true;"] : []),
    ...desc.value.map((value) => `${value.name} = ${value.number};`),
    ...desc.reservedRange.map(({ start }) => `reserved ${start};`),
    "}",
  ];
}

function fieldLine(field: FieldDescriptorProto, inOneof: boolean): string {
  const type = field.typeName || Type[field.type].toLowerCase();
  const label = field.label === Label.REPEATED ? "repeated " : "optional ";
  return `${inOneof ? "" : label}${type} ${field.name} = ${field.number};`;
}
