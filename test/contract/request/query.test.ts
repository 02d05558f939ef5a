import { BytesValueSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ListInternetOutagesRequestSchema,
  ReverseGeocodeRequestSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { queryDecoder } from "../../../src/contract/request/query.ts";
import { boundOf } from "../../../src/contract/request/request-time.ts";
import { InvalidRequest } from "../../../src/errors.ts";

const outages = queryDecoder(ListInternetOutagesRequestSchema);
const bytes = queryDecoder(BytesValueSchema);
const geocode = queryDecoder(ReverseGeocodeRequestSchema);

function violationsOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (error instanceof InvalidRequest) return error.violations;
    throw error;
  }
  return [];
}

test("every number a double can hold is read as itself", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(geocode(new URLSearchParams({ lat: String(number) })).lat).toBe(Number(String(number)));
    }),
  );
});

test("bytes are read as base64, of either alphabet and with its padding or without; anything else is refused", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.constantFrom("base64", "base64url"), (value, encoding) => {
      expect(bytes(new URLSearchParams({ value: Buffer.from(value).toString(encoding) })).value).toEqual(value);
    }),
  );
  expect(violationsOf(() => bytes(new URLSearchParams({ value: "a*b" })))).toEqual([
    { field: "value", description: "value must be base64" },
  ]);
});

test("text that is not a number is refused with the parameter's name, whatever it is", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }).filter((text) => !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)),
      (text) => {
        expect(violationsOf(() => geocode(new URLSearchParams({ lat: text })))).toEqual([
          { field: "lat", description: "value must be a finite number" },
        ]);
      },
    ),
  );
});

test("every int64 is read exactly, and one beyond is refused", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), (integer) => {
      const fits = integer >= -(2n ** 63n) && integer < 2n ** 63n;
      const read = () => outages(new URLSearchParams({ start: String(integer) }));
      // 0 in a field without presence would be the default.
      if (fits) expect(read().start === integer || boundOf(read().start) === integer).toBe(true);
      else expect(violationsOf(read).map(({ field }) => field)).toEqual(["start"]);
    }),
  );
});

test("the lowerCamel twin of a parameter is read, and an empty value counts as absent", () => {
  expect(outages(new URLSearchParams("country=&country=SY")).country).toBe("SY");
  expect(geocode(new URLSearchParams("lat=")).lat).toBeUndefined();
});

test("of a repeated scalar the first one wins", () => {
  expect(outages(new URLSearchParams("country=SY&country=US")).country).toBe("SY");
});

test("a parameter that is accepted and ignored is not even read", () => {
  expect(outages(new URLSearchParams("page_size=abc&cursor=zzz"))).toMatchObject({ pageSize: 0, cursor: "" });
});

test("every broken parameter is named, not only the first", () => {
  expect(violationsOf(() => outages(new URLSearchParams("start=abc&end=1.5"))).map(({ field }) => field)).toEqual([
    "start",
    "end",
  ]);
});
