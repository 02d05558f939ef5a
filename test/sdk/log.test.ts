import { describe, expect, onTestFinished, test } from "vitest";
import type { ClientOptions } from "../../sdk/typescript/src/options.ts";
import { failureOf, modes } from "./both-modes.ts";
import { type Script, startScriptedServer } from "./scripted-server.ts";

const ok: Script = { status: 200 };
const surroundings = { now: () => 1_000, random: () => 0.5, sleep: async () => undefined };

describe.each(Object.entries(modes))("the log of the client over %s", (_name, mode) => {
  async function reported(scripts: readonly Script[], options: Partial<ClientOptions>) {
    const server = await startScriptedServer(...scripts);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const lines: (readonly [level: string, message: string, metadata: object])[] = [];
    const logger = {
      debug: (message: string, metadata: object) => void lines.push(["debug", message, metadata]),
      warn: (message: string, metadata: object) => void lines.push(["warn", message, metadata]),
    };
    const url = server.url.replace("//", "//user:password@");
    const client = mode(
      { baseUrl: options.fetch ? url : server.url, apiKey: "ids_secret", logger, ...options },
      surroundings,
    );
    return { client, lines };
  }

  test("contains each retry by default", async () => {
    const { client, lines } = await reported([{ status: 500, body: { error: "x" } }, ok], {});
    await client.read({ headers: { "X-Request-Id": "mine" } });
    expect(lines).toEqual([
      ["warn", expect.stringMatching(/^\w+Error: .*; retry 1 of 2 in 250 ms$/), { requestId: "mine" }],
    ]);
  });

  test("contains each request and response at `debug`, without the key", async () => {
    const { client, lines } = await reported([ok], { logLevel: "debug" });
    await client.change("x", { headers: { "X-Request-Id": "mine", Authorization: "Bearer ids_secret" } });
    expect(lines).toEqual([
      [
        "debug",
        expect.stringMatching(/^POST http:\/\/127\.0\.0\.1:\d+\/(api|ids\.account\.v1)/),
        {
          requestId: "mine",
          headers: expect.objectContaining({ "x-service-key": "***", authorization: "***", "x-request-id": "mine" }),
        },
      ],
      ["debug", "200 after 0 ms", { requestId: "mine", headers: expect.any(Object) }],
    ]);
    expect(JSON.stringify(lines)).not.toContain("ids_secret");
  });

  test("contains the lack of a response at `debug`, and no password of an address", async () => {
    const rejecting: typeof fetch = () => Promise.reject(new TypeError("refused"));
    const { client, lines } = await reported([ok], { logLevel: "debug", fetch: rejecting, maxRetries: 0 });
    await failureOf(client.read());
    expect(lines.map(([, message]) => message)).toEqual([expect.stringMatching(/^GET /), "no response after 0 ms"]);
    expect(JSON.stringify(lines)).not.toContain("password");
  });
});
