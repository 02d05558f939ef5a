// The program that the runner of the protovalidate suite starts: it validates messages as the service does.
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { create, createFileRegistry, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { type Any, anyUnpack, type FileDescriptorSet, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { createValidator, violationsToProto } from "@bufbuild/protovalidate";
import { validatorOptions } from "../../src/contract/rules/validator.ts";

interface Request extends Message {
  readonly fdset: FileDescriptorSet;
  readonly cases: Readonly<Record<string, Any>>;
}

const [, , image = ""] = process.argv;
const suite = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(image)));
const harness = (name: string) => {
  const found = suite.getMessage(`buf.validate.conformance.harness.${name}`);
  if (!found) throw new Error(`The suite has no message ${name}`);
  return found;
};

const request = fromBinary(harness("TestConformanceRequest"), await buffer(process.stdin)) as Request;
const registry = createFileRegistry(request.fdset);
const validator = createValidator({ ...validatorOptions, registry });

const results = Object.fromEntries(
  Object.entries(request.cases).map(([name, packed]) => [name, { result: resultOf(packed) }]),
);
const response = harness("TestConformanceResponse");
process.stdout.write(toBinary(response, create(response, { results } as never)));

function resultOf(packed: Any) {
  const message = anyUnpack(packed, registry);
  const schema = message && registry.getMessage(message.$typeName);
  if (!message || !schema) return { case: "unexpectedError", value: `Unknown type ${packed.typeUrl}` };
  const { kind, error, violations } = validator.validate(schema, message);
  if (kind === "valid") return { case: "success", value: true };
  if (kind === "invalid") return { case: "validationError", value: violationsToProto(violations)[0] };
  return { case: error.name === "CompilationError" ? "compilationError" : "runtimeError", value: error.message };
}
