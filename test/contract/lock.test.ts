import { readFileSync } from "node:fs";
import {
  create,
  createFileRegistry,
  type DescField,
  type DescMethod,
  fromBinary,
  getOption,
  toJsonString,
} from "@bufbuild/protobuf";
import { type FileDescriptorSet, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import {
  Dimension,
  FieldSchema,
  field,
  KnownValues,
  OperationSchema,
  operation,
  Role,
  TimeEncoding,
} from "../../gen/es/ids/options/v1/options_pb.ts";
import { services } from "../../gen/es/services.ts";
import { reachable } from "../../src/contract/schema.ts";
import { accessOperation } from "../support/servers/access-contract.ts";

const image: FileDescriptorSet = fromBinary(FileDescriptorSetSchema, readFileSync("gen/released.binpb"));
const released = createFileRegistry(image);

/** Options that describe the meaning of a value, and may change at any time. */
const undescribed = {
  role: Role.UNSPECIFIED,
  dimension: Dimension.UNSPECIFIED,
  time: TimeEncoding.UNSPECIFIED,
  known: KnownValues.UNSPECIFIED,
  unit: "",
  unitFrom: "",
  scale: 0,
  measuredBy: "",
  missingIf: "",
  missingValues: [],
  unknown: [],
  // It warns of a value that has no effect.
  only: undefined,
};

/** Returns the options of a method. That calls no longer count, as those of a later contract, takes nothing from clients. */
function methodOptions(method: DescMethod, later = method): string {
  const options = getOption(method, operation);
  const freeOfCharge = options.freeOfCharge || getOption(later, operation).freeOfCharge;
  const served = { ...options, freeOfCharge, rows: [], page: undefined, jsonOnly: "" };
  return toJsonString(OperationSchema, create(OperationSchema, served));
}

function fieldOptions(desc: DescField): string {
  const travel = { ...getOption(desc, field), ...undescribed };
  return toJsonString(FieldSchema, create(FieldSchema, travel));
}

test("no released operation changes who may call it, how it is cached, or what it answers with", () => {
  for (const service of Object.values(services)) {
    const before = released.getService(service.typeName);
    for (const method of before?.methods ?? []) {
      const now = service.methods.find(({ name }) => name === method.name);
      expect(now && methodOptions(now), `${service.typeName}.${method.name}`).toBe(methodOptions(method, now));
    }
  }
});

test("what an account without a paid subscription may ask in a day is held too", () => {
  expect(methodOptions(accessOperation("getAllowed").method)).toBe('{"freeCallsPerDay":2}');
});

test("no released field changes how it travels", () => {
  const roots = Object.values(services).flatMap((service) =>
    service.methods.flatMap(({ input, output }) => [input, output]),
  );
  for (const desc of reachable(roots)) {
    if (desc.kind !== "message") continue;
    for (const before of released.getMessage(desc.typeName)?.fields ?? []) {
      const now = desc.fields.find(({ number }) => number === before.number);
      expect(now && fieldOptions(now), before.toString()).toBe(fieldOptions(before));
    }
  }
});
