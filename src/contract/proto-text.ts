import type { DescFile } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";

/** Prints a proto file without its custom options, which is enough to compile files that import it. */
export function protoText({ proto }: DescFile): string {
  const lines = [
    'syntax = "proto2";',
    `package ${proto.package};`,
    ...proto.dependency.map((path) => `import "${path}";`),
    ...proto.extension.flatMap((field) => [`extend ${field.extendee} {`, fieldLine(field, false), "}"]),
    ...proto.enumType.flatMap(enumLines),
    ...proto.messageType.flatMap(messageLines),
  ];
  return `${lines.join("\n")}\n`;
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
