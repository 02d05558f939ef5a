import { create, toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ErrorSchema } from "../../gen/es/ids/common/v1/common_pb.ts";
import {
  InternetOutageSchema,
  type ListInternetOutagesResponse,
  ListInternetOutagesResponseSchema,
} from "../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { jsonWriter } from "../../src/contract/json.ts";

const writeBytes = jsonWriter(ListInternetOutagesResponseSchema);
const write = (message: ListInternetOutagesResponse) => Buffer.from(writeBytes(message), "latin1").toString("utf8");

const text = fc.string({ unit: "binary" }).map((value) => value.toWellFormed());
const outage = fc.record({
  id: text,
  title: text,
  description: text,
  detectedAt: fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }),
  severity: fc.constantFrom(0, 1, 2, 3),
  categories: fc.array(text),
  location: fc.option(
    fc.record({ latitude: fc.double({ noNaN: true, noDefaultInfinity: true }), longitude: fc.double() }),
    { nil: undefined },
  ),
});

test("what is written equals protobuf's own JSON, with int64 as numbers where the contract says so", () => {
  fc.assert(
    fc.property(fc.array(outage, { maxLength: 4 }), (rows) => {
      const outages = rows.map(({ location, ...row }) =>
        create(InternetOutageSchema, location ? { ...row, location } : row),
      );
      const message = create(ListInternetOutagesResponseSchema, { outages });
      const expected = JSON.parse(
        JSON.stringify(toJson(ListInternetOutagesResponseSchema, message, { alwaysEmitImplicit: true })),
        (key, value) => (key === "detectedAt" || key === "endedAt" ? Number(value) : value),
      );
      expect(JSON.parse(write(message))).toEqual(expected);
    }),
  );
});

test("every implicit default is written, and no absent message", () => {
  expect(write(create(ListInternetOutagesResponseSchema))).toBe(
    '{"outages":[],"isPartial":false,"unavailableReason":""}',
  );
  expect(JSON.parse(jsonWriter(InternetOutageSchema)(create(InternetOutageSchema)))).toEqual({
    id: "",
    title: "",
    link: "",
    description: "",
    detectedAt: 0,
    country: "",
    region: "",
    severity: "OUTAGE_SEVERITY_UNSPECIFIED",
    categories: [],
    cause: "",
    outageType: "",
    endedAt: 0,
  });
});

test("an optional scalar is left out when unset and written when it is zero", () => {
  const writeError = jsonWriter(ErrorSchema);
  expect(writeError(create(ErrorSchema, { message: "no" }))).toBe('{"message":"no"}');
  expect(writeError(create(ErrorSchema, { message: "no", retryAfter: 0 }))).toBe('{"message":"no","retryAfter":0}');
});
