import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClientPackage, clientPackages } from "../../src/pages/clients.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";
import { hasGo, root } from "../support/servers/go.ts";
import { hasR, installR, rscript } from "../support/servers/r.ts";

const run = promisify(execFile);
const timeoutMs = 300_000;
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

let database: Database;
let app: TestApp;
let folder: string;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  folder = mkdtempSync(join(tmpdir(), "ids-install-"));
  environment = { ...process.env, IDS_URL: app.url, IDS_API_KEY: await app.key("enterprise") };
}, timeoutMs);
afterAll(async () => {
  // Go's cache is read-only.
  if (spawnSync("go", ["clean", "-modcache"], { env: { ...environment, GOMODCACHE: join(folder, "modules") } }).error)
    console.warn("Go is not installed");
  rmSync(folder, { recursive: true, force: true });
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** Whether a package registry responds; the clients need packages of others. */
function reaches(registry: string, program: string, ...parameters: string[]): boolean {
  if (spawnSync(program, parameters, { timeout: 60_000 }).status === 0) return true;
  console.warn(`${registry} cannot be reached: ITS CLIENT IS NOT INSTALLED`);
  return false;
}

function lineFor(language: string): string {
  const client: ClientPackage | undefined = clientPackages(version).find((each) => each.language === language);
  if (!client) throw new Error(`There is no client for ${language}`);
  return client.install(app.url);
}

/** Runs commands in a new folder, and returns their output. */
async function shell(name: string, ...commands: string[]): Promise<string> {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  const { stdout } = await run("bash", ["-c", commands.join(" && ")], { cwd, env: environment });
  return stdout.trim();
}

async function outages(): Promise<number> {
  const { outages: listed } = await app.json<{ outages: unknown[] }>("/api/infrastructure/v1/list-internet-outages");
  expect(listed.length).toBeGreaterThan(0);
  return listed.length;
}

test.skipIf(!reaches("PyPI", "python3", "-m", "pip", "download", "--no-deps", "-q", "-d", tmpdir(), "httpx<1"))(
  "pip installs the client from the service, and it reads the sample",
  { timeout: timeoutMs },
  async () => {
    const program = `
import os
from ids_client import Client
print(len(Client(os.environ["IDS_URL"], api_key=os.environ["IDS_API_KEY"]).list_internet_outages()["outages"]))`;
    await shell(
      "pip",
      "python3 -m venv venv",
      "export PATH=$PWD/venv/bin:$PATH",
      `${lineFor("Python")} -q`,
      "pip check",
    );
    writeFileSync(join(folder, "pip", "program.py"), program);
    expect(Number(await shell("pip", "venv/bin/python program.py"))).toBe(await outages());
  },
);

test.skipIf(!reaches("npm", "npm", "view", "@bufbuild/protobuf", "version"))(
  "npm installs the client from the service, and it reads the sample",
  { timeout: timeoutMs },
  async () => {
    const program = `import { createClient } from "intelligence-data-service";
const ids = createClient({ baseUrl: process.env.IDS_URL, apiKey: process.env.IDS_API_KEY });
console.log((await ids.infrastructure.listInternetOutages({})).outages.length);`;
    await shell("npm", "npm init -y", `${lineFor("TypeScript")} --ignore-scripts --loglevel=error`);
    writeFileSync(join(folder, "npm", "program.mjs"), program);
    expect(Number(await shell("npm", "node program.mjs"))).toBe(await outages());
  },
);

test.skipIf(!hasGo(""))(
  "go installs the client from the service, and it reads the sample",
  { timeout: timeoutMs },
  async () => {
    const program = `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	infrastructurev1 "ids.example.org/gen/go/ids/infrastructure/v1"
	ids "ids.example.org/sdk/go"
)

func main() {
	client, err := ids.New(os.Getenv("IDS_URL"), ids.WithAPIKey(os.Getenv("IDS_API_KEY")))
	if err != nil {
		log.Fatal(err)
	}
	answer, err := client.Infrastructure.ListInternetOutages(context.Background(), &infrastructurev1.ListInternetOutagesRequest{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(answer.Outages))
}
`;
    environment.GOMODCACHE = join(folder, "modules");
    await shell("go", "go mod init example.com/program", lineFor("Go"));
    writeFileSync(join(folder, "go", "main.go"), program);
    expect(Number(await shell("go", "go run ."))).toBe(await outages());
  },
);

test.skipIf(!hasR())("R installs the client from the service, and its tests pass", { timeout: timeoutMs }, async () => {
  const library = await installR(app.url, join(folder, "r"));
  const tests = `testthat::test_dir("${root}sdk/r/tests/testthat", package = "idsclient", stop_on_failure = TRUE)`;
  const printed = await rscript(["-e", tests], { ...environment, R_LIBS: library }, folder);
  const readme = readFileSync(`${root}sdk/r/README.md`, "utf8");
  const blocks = [...readme.matchAll(/^```r\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  const programs = blocks.filter((code) => !/^(?:install|testthat)/.test(code));
  expect([blocks.length, programs.length]).toEqual([6, 4]);
  await rscript(["-e", programs.join("\n")], { ...environment, R_LIBS: library }, folder);
  expect(printed).toMatch(/FAIL 0 \| WARN 0 \| SKIP 0 \| PASS \d{3}/);
});

test.skipIf(!hasR())("R CMD check finds no error and no warning", { timeout: timeoutMs }, async () => {
  const response = await app.get(`/clients/idsclient_${version}.tar.gz`, { key: null });
  writeFileSync(join(folder, "idsclient.tar.gz"), Buffer.from(await response.arrayBuffer()));
  // Without a service, the package's own tests are skipped.
  const alone = { IDS_URL: "", _R_CHECK_FORCE_SUGGESTS_: "false" };
  const printed = await rscript(["CMD", "check", "--no-manual", "idsclient.tar.gz"], alone, folder, "R");
  expect(printed).toMatch(/^Status: (?:OK|\d+ NOTEs?)$/m);
});
