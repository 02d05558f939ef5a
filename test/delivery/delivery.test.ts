import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { waitAfter } from "../../src/delivery/attempt.ts";
import { newSecret, signatureHeaders } from "../../src/delivery/signature.ts";

const secret = "whsec_ABEiM0RVZneImaq7zN3u/wARIjNEVWZ3iJmqu8zd7v8=";

test("a known delivery has the known signature", () => {
  const body =
    '{"subscriberId":"wh_000102030405060708090a0b","chokepointId":"suez","score":61,"alertThreshold":60,"triggeredAt":"2026-01-02T03:04:05.000Z","reason":"score_crossed_threshold","details":{"previousScore":45,"trend":"rising","warRiskTier":"WAR_RISK_TIER_HIGH"}}';
  expect(Buffer.byteLength(body)).toBe(258);
  const id = "whd_0123456789abcdef0123456789abcdef";
  expect(signatureHeaders({ id, at: new Date(1_767_323_045_000), body }, [secret])).toEqual({
    "webhook-id": id,
    "webhook-timestamp": "1767323045",
    "webhook-signature": "v1,8w//bPcR6+EoRJbrrMCgDjoA+sXF2ZOrCI+ZgxreEnk=",
  });
});

test("whatever is sent, the standard's own verifier takes it with either secret and with no other", () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((made) => newSecret(() => Buffer.from(made)));
  fc.assert(
    fc.property(fc.string(), fc.uniqueArray(bytes, { minLength: 3, maxLength: 3 }), (text, [one, two, three]) => {
      const body = JSON.stringify({ text });
      const headers = signatureHeaders({ id: "whd_1", at: new Date(), body }, [one!, two!]);
      for (const own of [one!, two!]) expect(new Webhook(own).verify(body, headers)).toEqual({ text });
      expect(() => new Webhook(three!).verify(body, headers)).toThrow("No matching signature");
      expect(() => new Webhook(one!).verify(`${body} `, headers)).toThrow("No matching signature");
    }),
    { numRuns: 50 },
  );
});

const plan = [5_000, 300_000];

test.each([
  ["the first wait after the first failure", 1, { status: 500, error: "status" as const }, 0.5, 5_000],
  ["a tenth less at one end of the spread", 1, { error: "timeout" as const }, 0, 4_500],
  ["a tenth more at the other", 1, { error: "timeout" as const }, 1, 5_500],
  ["the second after the second", 2, { error: "connection" as const }, 0.5, 300_000],
  ["no wait after the last", 3, { error: "connection" as const }, 0.5, undefined],
  ["as long as a 429 asks", 1, { status: 429, error: "status" as const, retryAfterSeconds: 60 }, 0.5, 60_000],
  ["no shorter than the plan", 2, { status: 503, error: "status" as const, retryAfterSeconds: 1 }, 0.5, 300_000],
  ["a day at most", 1, { status: 503, error: "status" as const, retryAfterSeconds: 9e9 }, 0.5, 86_400_000],
  [
    "the plan's own where a 500 asks for more",
    1,
    { status: 500, error: "status" as const, retryAfterSeconds: 60 },
    0.5,
    5_000,
  ],
])("a failed delivery waits %s", (_name, failures, attempted, random, expected) => {
  expect(waitAfter(plan, failures, attempted, random)).toBe(expected);
});
