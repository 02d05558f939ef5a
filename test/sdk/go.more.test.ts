import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import type { TestApp } from "../support/app.ts";
import { type ClientService, startForClients } from "../support/client-service.ts";
import { openOnce } from "../support/databases.ts";
import { go, hasGo, root } from "../support/servers/go.ts";

const timeoutMs = 300_000;
const packages = ["./gen/go/...", "./sdk/go/...", "./examples/go/..."];

describe.skipIf(!hasGo(""))("the Go client", () => {
  let database: Database;
  let app: TestApp;
  let service: ClientService;
  let environment: ClientService["environment"];
  beforeAll(async () => {
    database = await openOnce();
    service = await startForClients(database);
    ({ app, environment } = service);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await database.close();
  });

  test("it is formatted, and vet finds nothing", { timeout: timeoutMs }, async () => {
    expect(await go("gofmt", ["-l", "gen/go", "sdk/go", "examples/go"])).toBe("");
    await go("go", ["vet", ...packages]);
  });

  test("its own tests pass against a started service, none of them skipped", { timeout: timeoutMs }, async () => {
    const output = await go("go", ["test", "-count=1", "-v", "./sdk/go/..."], { environment });
    expect(output).toContain("--- PASS: TestOutagesAreReadWithGET");
    expect(output).toContain("--- PASS: TestEveryPagedReadIsWalkedToItsEndOnceAndInOrder");
    expect(output).not.toContain("--- SKIP");
  });

  test("its example prints what the service answers", { timeout: timeoutMs }, async () => {
    const { outages } = await app.json<{ outages: { title: string }[] }>(
      "/api/infrastructure/v1/list-internet-outages?country=SY",
    );
    expect(outages.length).toBeGreaterThan(0);
    const printed = await go("go", ["run", "./examples/go", "SY"], { environment });
    expect(printed.trim().split("\n")).toEqual(outages.map(({ title }) => expect.stringContaining(title)));
    await expect(go("go", ["run", "./examples/go", "Atlantis"], { environment })).rejects.toThrow(/country: .+/);
  });

  test("it needs protobuf and Connect, and nothing else", async () => {
    const needed = await go("go", ["list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./sdk/go"]);
    const modules = new Set(needed.split("\n").filter((line) => line !== ""));
    expect(modules).toEqual(new Set(["connectrpc.com/connect", "google.golang.org/protobuf", "ids.example.org"]));
  });

  test("it names the version of the contract", () => {
    const { info } = JSON.parse(readFileSync(`${root}gen/openapi/openapi.json`, "utf8"));
    expect(readFileSync(`${root}sdk/go/client.go`, "utf8")).toContain(`const Version = "${info.version}"`);
  });
});
