import { beforeAll, describe, expect, test } from "vitest";
import { go, hasGo } from "../support/servers/go.ts";

const folder = "test/conformance";
const image = ".deps/conformance.binpb";
const rulesImage = ".deps/protovalidate.binpb";
const specification = "github.com/bufbuild/protovalidate";
/** Only for building the runner, which is cached. */
const buildingMs = 300_000;

describe.skipIf(!hasGo(folder))("the conformance suites of Connect and protovalidate", () => {
  beforeAll(async () => {
    await go("go", ["install", "tool"], { folder });
    // The module of the runner has no proto files. They are in the module of the specification.
    const rules = JSON.parse(await go("go", ["mod", "download", "-json", `${specification}@v1.2.2`], { folder }));
    await go("buf", ["build", rules.Dir, "-o", rulesImage]);
    const suite = await go("go", ["list", "-m", "-f", "{{.Dir}}", "connectrpc.com/conformance"], { folder });
    await go("buf", ["build", `${suite.trim()}/proto`, "-o", image]);
  }, buildingMs);

  test("the server passes for unary Connect, gRPC-Web and gRPC over HTTP/1.1 and HTTP/2", {
    timeout: 180_000,
  }, async () => {
    // One server at a time, its compiled code kept: the runner waits ten seconds for each to start.
    const settings = ["--mode", "server", "--conf", `${folder}/config.yaml`, "--max-servers", "1", "--parallel", "4"];
    const stored = "NODE_COMPILE_CACHE=node_modules/.cache/conformance";
    const server = ["--", "env", stored, process.execPath, `${folder}/server.ts`, image];
    const output = await go("connectconformance", [...settings, ...server]);
    const [, passed, failed] = /(\d+) passed, (\d+) failed/.exec(output) ?? [];
    expect(failed).toBe("0");
    expect(Number(passed)).toBeGreaterThan(500);
  });

  test("the rules of messages pass for every case, with the same messages", { timeout: 120_000 }, async () => {
    // The limit is per group of cases, and each starts the program. The runner reports to the standard error stream.
    const runner = "protovalidate-conformance --timeout 60s --strict_message";
    const executor = `${process.execPath} test/conformance/protovalidate.ts ${rulesImage}`;
    const output = await go("sh", ["-c", `${runner} ${executor} 2>&1`]);
    const [, failed, skipped, passed] = /failed: (\d+), skipped: (\d+), passed: (\d+), total/.exec(output) ?? [];
    expect([failed, skipped]).toEqual(["0", "0"]);
    expect(Number(passed)).toBeGreaterThan(2_800);
  });
});
