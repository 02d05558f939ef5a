import { beforeAll, describe, expect, test } from "vitest";
import { go, hasGo } from "../support/servers/go.ts";

const folder = "test/conformance";
const image = ".deps/conformance.binpb";
/** Only for building the runner, which is cached. */
const buildingMs = 300_000;

describe.skipIf(!hasGo(folder))("the Connect conformance suite", () => {
  beforeAll(async () => {
    await go("go", ["install", "tool"], { folder });
    const suite = await go("go", ["list", "-m", "-f", "{{.Dir}}", "connectrpc.com/conformance"], { folder });
    await go("buf", ["build", `${suite.trim()}/proto`, "-o", image]);
  }, buildingMs);

  test("it passes for unary Connect, gRPC-Web and gRPC over HTTP/1.1 and HTTP/2", { timeout: 180_000 }, async () => {
    // One server at a time, its compiled code kept: the runner waits ten seconds for each to start.
    const settings = ["--mode", "server", "--conf", `${folder}/config.yaml`, "--max-servers", "1", "--parallel", "4"];
    const stored = "NODE_COMPILE_CACHE=node_modules/.cache/conformance";
    const server = ["--", "env", stored, process.execPath, `${folder}/server.ts`, image];
    const output = await go("connectconformance", [...settings, ...server]);
    const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(output) ?? [];
    expect(failed).toBe("0");
    expect(Number(passed)).toBeGreaterThan(500);
  });
});
