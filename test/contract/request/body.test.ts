import fc from "fast-check";
import { expect, test } from "vitest";
import { CreateApiKeyRequestSchema } from "../../../gen/es/ids/account/v1/account_pb.ts";
import { AdmitImpactRequestSchema } from "../../../gen/es/ids/company_monitoring/v1/impact_revisions_pb.ts";
import { bodyDecoder, type JsonObject, jsonObject } from "../../../src/contract/request/body.ts";
import { InvalidBody, InvalidRequest } from "../../../src/errors.ts";

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

test("members of the wrong type are named, whatever the other members are", () => {
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

test("a member is read by its documented name or its proto name, and unknown ones are ignored", () => {
  expect(decode('{"name":"a","expires_at":5,"unknown":{"x":[1]}}')).toMatchObject({ name: "a", expiresAt: 5n });
  expect(decode('{"name":"a","expiresAt":"9007199254740993"}').expiresAt).toBe(9_007_199_254_740_993n);
  expect(Object.getPrototypeOf(decode('{"__proto__":{"name":"b"}}').scopes)).toBe(Array.prototype);
});

test("of what is nested the innermost member is named, with its place in a list", () => {
  const admit = bodyDecoder(AdmitImpactRequestSchema);
  const reported = (assessment: unknown) => () => admit(jsonObject(JSON.stringify({ account: "acme", assessment })));
  const directions = ["POSITIVE", "NEGATIVE", "MIXED"].map((value) => `MATERIAL_IMPACT_DIRECTION_${value}`).join(", ");
  expect(reported({ direction: "negative", rationale: 1 })).toThrow(
    `assessment.direction: value must be one of ${directions}; assessment.rationale: value must be a string`,
  );
  expect(reported({ evidence: [{}, { url: 1 }, 5] })).toThrow(
    "assessment.evidence[1].url: value must be a string; assessment.evidence[2]: value must be an object",
  );
  expect(reported({ channels: ["REPUTATION"] })).toThrow(
    /^assessment\.channels: value must be an array whose items are one of /,
  );
  expect(reported({ occurredAt: "a", occurred_at: "b" })).toThrow(
    /^assessment\.occurredAt: value must not be given again as occurred_at$/,
  );
  for (const value of ["text", 5]) expect(reported(value)).toThrow(/^assessment: value must be an object$/);
  expect(reported({ evidence: {} })).toThrow(/^assessment\.evidence: value must be an array$/);
});

test("whatever is nested is read, or refused by name: nothing else is thrown", () => {
  const admit = bodyDecoder(AdmitImpactRequestSchema);
  const members = fc.constantFrom(
    "direction",
    "channels",
    "confidence",
    "evidence",
    "occurredAt",
    "$unknown",
    "__proto__",
  );
  fc.assert(
    fc.property(fc.dictionary(members, fc.jsonValue()), (assessment) => {
      try {
        admit({ assessment } as JsonObject);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidRequest);
      }
    }),
  );
});
