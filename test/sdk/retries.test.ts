import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { IdsError, NetworkError, RateLimitError, TimeoutError } from "../../sdk/typescript/src/errors.ts";
import type { ClientOptions } from "../../sdk/typescript/src/options.ts";
import { failureOf, modes } from "./both-modes.ts";
import { type Script, startScriptedServer } from "./scripted-server.ts";

const ok: Script = { status: 200 };
const limited = (retryAfter?: string): Script => failing(429, retryAfter);
const now = Date.parse("2026-11-18T12:00:00Z");

function failing(status: number, retryAfter?: string): Script {
  return {
    status,
    body: { error: "x" },
    ...(retryAfter === undefined ? {} : { headers: { "Retry-After": retryAfter } }),
  };
}

/** A failure of which the service says whether to ask again. */
function saying(shouldRetry: string, status: number, retryAfter?: string): Script {
  const headers = { "X-Should-Retry": shouldRetry, ...(retryAfter === undefined ? {} : { "Retry-After": retryAfter }) };
  return { status, body: { error: "x" }, headers };
}

describe.each(Object.entries(modes))("%s", (_name, mode) => {
  /** A client of a server that answers by this script; it notes its waits in place of waiting. */
  async function scripted(scripts: readonly Script[], options: Partial<ClientOptions> = {}, random = 0.5) {
    const server = await startScriptedServer(...scripts);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const waits: number[] = [];
    const surroundings = {
      now: () => now,
      random: () => random,
      sleep: async (milliseconds: number) => void waits.push(milliseconds),
    };
    return { server, waits, client: mode({ baseUrl: server.url, ...options }, surroundings) };
  }

  test.each([429, 503])("a %d that says when to come back is asked again then", async (status) => {
    const { client, waits, server } = await scripted([failing(status, "7"), failing(status, "60"), ok]);
    await client.read();
    expect(waits).toEqual([7_000, 60_000]);
    expect(server.requests.length).toBe(3);
    expect(new Set(server.requests.map(({ headers }) => headers["x-request-id"])).size).toBe(1);
  });

  test("a date to come back at counts as well", async () => {
    const { client, waits } = await scripted([limited("Wed, 18 Nov 2026 12:00:09 GMT"), ok]);
    await client.read();
    expect(waits).toEqual([9_000]);
  });

  test("the failure is reported after the second retry", async () => {
    const { client, waits, server } = await scripted([limited("1")]);
    expect(await failureOf(client.read())).toMatchObject({ status: 429, retryAfterSeconds: 1 });
    expect([waits.length, server.requests.length]).toEqual([2, 3]);
    const patient = await scripted([limited("1")], { maxRetries: 1 });
    expect(await failureOf(patient.client.read())).toBeInstanceOf(RateLimitError);
    expect(patient.server.requests.length).toBe(2);
  });

  test("longer than a minute is not waited", async () => {
    const { client, waits } = await scripted([limited("61"), ok]);
    expect(await failureOf(client.read())).toMatchObject({ retryAfterSeconds: 61 });
    expect(waits).toEqual([]);
  });

  test.each([
    ["400, whatever it carries", failing(400, "1")],
    ["401, whatever it carries", failing(401, "1")],
    ["403, whatever it carries", failing(403, "1")],
    ["404, whatever it carries", failing(404, "1")],
    ["409, whatever it carries", failing(409, "2")],
    ["501, whatever it carries", failing(501, "1")],
    ["a 503 of which the service says that it stays", saying("false", 503)],
    ["a 429 with a time of which it says so", saying("false", 429, "1")],
  ])("%s is reported at once", async (_what, script) => {
    const { client, server } = await scripted([script, ok]);
    expect(await failureOf(client.read())).toBeInstanceOf(IdsError);
    expect(server.requests.length).toBe(1);
  });

  test.each([408, 429, 500, 502, 503, 504])(
    "a read that ends in a %d without a time is asked again",
    async (status) => {
      const { client, waits } = await scripted([failing(status), failing(status, "-1"), ok]);
      await client.read();
      expect(waits).toEqual([250, 500]);
    },
  );

  test.each([500, 502, 504])("a read waits for what a %d says", async (status) => {
    const { client, waits } = await scripted([failing(status, "3"), ok]);
    await client.read();
    expect(waits).toEqual([3_000]);
  });

  test.each([
    ["429", limited()],
    ["500", failing(500)],
    ["500 with a time", failing(500, "1")],
    ["502", failing(502)],
    ["503", failing(503)],
    ["504", failing(504)],
  ])("a change that ends in a %s is not sent again", async (_what, script) => {
    const { client, server } = await scripted([script, ok]);
    expect(await failureOf(client.change("x"))).toBeInstanceOf(IdsError);
    expect(server.requests.length).toBe(1);
  });

  test("what the service says should be asked again is, a change as well, with the same key", async () => {
    const { client, waits, server } = await scripted([saying("true", 409, "2"), saying("true", 500), ok]);
    await client.change("x");
    expect(waits).toEqual([2_000, 500]);
    expect(new Set(server.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    const read = await scripted([saying("true", 404), ok]);
    await read.client.read();
    expect(read.waits).toEqual([250]);
    const odd = await scripted([saying("perhaps", 404), ok]);
    expect(await failureOf(odd.client.read())).toMatchObject({ status: 404, shouldRetry: undefined });
  });

  test("a call may say for itself how often it is asked again", async () => {
    const { client, server, waits } = await scripted([failing(500)], { maxRetries: 1 });
    expect(await failureOf(client.read({ maxRetries: 6 }))).toMatchObject({ status: 500 });
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
    expect(await failureOf(client.read({ maxRetries: 0 }))).toMatchObject({ status: 500 });
    expect(server.requests.length).toBe(8);
    expect(await failureOf(client.read())).toMatchObject({ status: 500 });
    expect(server.requests.length).toBe(10);
    expect(await failureOf(client.read({ maxRetries: 1.5 }))).toBeInstanceOf(RangeError);
  });

  test("a read whose connection breaks off is asked again, after 0.5 s and 1 s at most", async () => {
    const first = await scripted(["breaks off", "breaks off", ok], {}, 1);
    await first.client.read();
    expect(first.waits).toEqual([500, 1_000]);
    const gone = await scripted(["breaks off"]);
    expect(await failureOf(gone.client.read())).toBeInstanceOf(NetworkError);
    expect(gone.server.requests.length).toBe(3);
  });

  test("the wait after a broken connection is anywhere between nothing and its longest", async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (random) => {
        const { client, waits } = await scripted(["breaks off", ok], {}, random);
        await client.read();
        expect(waits).toEqual([random * 500]);
      }),
      { numRuns: 10 },
    );
  });

  test("a change whose connection breaks off is not sent again", async () => {
    const { client, server } = await scripted(["breaks off", ok]);
    expect(await failureOf(client.change("x"))).toBeInstanceOf(NetworkError);
    expect(server.requests.length).toBe(1);
  });

  test("a change that is to come back later comes with the same idempotency key", async () => {
    const { client, server } = await scripted([failing(503, "2"), limited("1"), ok]);
    await client.change("x");
    const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0], keys[0]]);
    expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1);
  });

  test.each(["hangs", "stalls"] as const)(
    "a service that %s ends in a TimeoutError, not asked again",
    async (script) => {
      const { client, server } = await scripted([script], { timeoutMs: 1_000 });
      const error = await failureOf(client.read());
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toMatchObject({ message: "No response within 1000 ms", status: 0, requestId: expect.any(String) });
      expect(await failureOf(client.read({ timeoutMs: 500 }))).toMatchObject({ message: "No response within 500 ms" });
      expect(server.requests.length).toBe(2);
    },
  );

  test.each(["hangs", "stalls"] as const)(
    "a signal ends a call to a service that %s with its reason",
    async (script) => {
      const { client, server } = await scripted([script]);
      const stop = new AbortController();
      const call = failureOf(client.read({ signal: stop.signal }));
      await expect.poll(() => server.requests.length).toBe(1);
      const reason = new Error("enough");
      stop.abort(reason);
      expect(await call).toBe(reason);
      // Aborted before, nothing is sent.
      expect(await failureOf(client.read({ signal: stop.signal }))).toBe(reason);
      expect(await failureOf(client.change("x", { signal: AbortSignal.abort() }))).toMatchObject({
        name: "AbortError",
      });
      expect(server.requests.length).toBe(1);
    },
  );

  test("a signal ends the wait between two attempts", async () => {
    await using server = await startScriptedServer(limited("60"));
    const stop = new AbortController();
    const call = failureOf(mode({ baseUrl: server.url }).read({ signal: stop.signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    const reason = new Error("enough");
    stop.abort(reason);
    expect(await call).toBe(reason);
    expect(server.requests.length).toBe(1);
  });
});
