import fc from "fast-check";
import { expect, test } from "vitest";
import { CreateApiKeyRequestSchema } from "../../gen/es/ids/account/v1/account_pb.ts";
import { bodyDecoder, jsonObject } from "../../src/contract/body.ts";
import { InvalidBody, InvalidRequest } from "../../src/errors.ts";

const decoder = bodyDecoder(CreateApiKeyRequestSchema);
const decode = (text: string) => decoder(jsonObject(text));

test("whatever JSON comes is read, or refused by name: nothing else is thrown", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      try {
        decode(text);
      } catch (error) {
        expect(error instanceof InvalidBody || error instanceof InvalidRequest).toBe(true);
      }
    }),
  );
});

test("members of the wrong type are named, whatever stands beside them", () => {
  const wrong = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.object(),
    fc.array(fc.integer(), { minLength: 1 }),
  );
  fc.assert(
    fc.property(wrong, fc.string(), (name, account) => {
      expect(() => decode(JSON.stringify({ name, account, other: [] }))).toThrow(/^name: value must be a string$/);
    }),
  );
});

test("a member that is given under both of its names is refused by name", () => {
  expect(() => decode('{"name":"a","expiresAt":1,"expires_at":2}')).toThrow(
    /^expiresAt: value must not be given again as expires_at$/,
  );
});

test("a member is read by its documented name or its proto name, and unknown ones are left alone", () => {
  expect(decode('{"name":"a","expires_at":5,"unknown":{"x":[1]}}')).toMatchObject({ name: "a", expiresAt: 5n });
  expect(decode('{"name":"a","expiresAt":"9007199254740993"}').expiresAt).toBe(9_007_199_254_740_993n);
  expect(Object.getPrototypeOf(decode('{"__proto__":{"name":"b"}}').scopes)).toBe(Array.prototype);
});
