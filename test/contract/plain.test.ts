import { create, type DescField, type DescMessage, fromJson, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import { jsonWriter } from "../../src/contract/json.ts";
import { errorBodies } from "../../src/contract/openapi/failures.ts";
import { plainMaker } from "../../src/contract/plain.ts";
import { deepFreeze } from "../../src/store/served/stored-dataset.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }).map((value) => value.toWellFormed()),
  fc.constant("__proto__"),
);

/** Any value of a field, with some members left out. */
function memberOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  switch (field.fieldKind) {
    case "message":
      if (field.message.typeName === ValueSchema.typeName)
        return fc.jsonValue().map((value) => fromJson(ValueSchema, value as JsonValue));
      return messageOf(field.message, depth + 1);
    case "enum":
      return fc.constantFrom(...field.enum.values.map(({ number }) => number), 99);
    case "scalar":
      return scalarOf(field.scalar);
    case "list":
      return fc.array(field.message ? messageOf(field.message, depth + 1) : elementOf(field), { maxLength: 3 });
    case "map":
      return fc.dictionary(text, field.message ? messageOf(field.message, depth + 1) : elementOf(field));
  }
}

function elementOf(field: DescField & { fieldKind: "list" | "map" }): fc.Arbitrary<unknown> {
  return field.enum ? fc.constantFrom(...field.enum.values.map(({ number }) => number)) : scalarOf(field.scalar!);
}

function scalarOf(scalar: ScalarType): fc.Arbitrary<unknown> {
  switch (scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return fc.double();
    case ScalarType.BYTES:
      return fc.uint8Array();
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    default:
      return fc.nat(2 ** 31 - 1);
  }
}

function messageOf(desc: DescMessage, depth = 0): fc.Arbitrary<object> {
  const fields = depth > 3 ? [] : desc.fields.filter(({ oneof }) => !oneof);
  const members = Object.fromEntries(fields.map((field) => [field.localName, memberOf(field, depth)]));
  return fc.record(members, { requiredKeys: [] }).map((init) => create(desc, init));
}

const responses = [...catalog.map(({ method }) => method.output), ...errorBodies];

test.each(responses.map((desc) => [desc.name, desc] as const))(
  "the plain %s is what its JSON stands for",
  (_, desc) => {
    const write = jsonWriter(desc);
    const plain = plainMaker(desc);
    fc.assert(
      fc.property(messageOf(desc), fc.boolean(), (message, frozen) => {
        if (frozen) deepFreeze(message);
        const parsed = JSON.parse(Buffer.from(write(message as never), "latin1").toString());
        // As text, so that the order of members counts; twice, since what is frozen is made once.
        for (let time = 0; time < 2; time++)
          expect(JSON.stringify(plain(message as never))).toBe(JSON.stringify(parsed));
      }),
    );
  },
);
