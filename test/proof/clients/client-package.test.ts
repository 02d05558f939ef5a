import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

const run = promisify(execFile);
const source = fileURLToPath(new URL("../../../sdk/typescript", import.meta.url));
const quietly = ["--no-audit", "--no-fund", "--loglevel=error"];

const reads = `
  const options = { baseUrl: process.env.URL, apiKey: process.env.KEY };
  const { outages } = await createClient(options).infrastructure.listInternetOutages({});
  const plain = await createPlainClient(options).get("/api/infrastructure/v1/list-internet-outages");
  const severities = outages.map(({ severity }) => "OUTAGE_SEVERITY_" + enumName(OutageSeverity, severity));
  if (outages.length === 0 || String(severities) !== String(plain.outages.map(({ severity }) => severity)))
    throw new Error("the modes differ");
  const refused = await createPlainClient({ baseUrl: options.baseUrl }).get("/api/infrastructure/v1/get-ip-geo").catch((error) => error);
  const forged = await unwrapWebhook("{}", {}, "whsec_AA==").catch((error) => error);
  console.log([outages.length > 0, refused.name, forged.name].join(" "));`;
const printed = "true UnauthorizedError WebhookVerificationError\n";
const esm = `import { createClient, enumName, OutageSeverity } from "intelligence-data-service";
  import { createPlainClient, unwrapWebhook } from "intelligence-data-service/plain";${reads}`;
const cjs = `const { createClient, enumName, OutageSeverity } = require("intelligence-data-service");
  const { createPlainClient, unwrapWebhook } = require("intelligence-data-service/plain");
  (async () => {${reads}})();`;

describe("The client's archive, packed in a clean checkout and installed in an empty folder", () => {
  const home = mkdtempSync(join(tmpdir(), "ids-client-"));
  const folder = join(home, "project");
  let archive: string;
  let database: Database;
  let app: TestApp;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    const checkout = join(home, "checkout");
    cpSync(source, checkout, { recursive: true, filter: (path) => !/\/(dist|node_modules)$|\.tgz$/.test(path) });
    await run("npm", ["pack", "--silent"], { cwd: checkout });
    archive = join(checkout, readdirSync(checkout).find((name) => name.endsWith(".tgz")) ?? "");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(join(folder, "program.mjs"), esm);
    writeFileSync(join(folder, "program.cjs"), cjs);
    await run("npm", ["install", ...quietly, archive], { cwd: folder });
    database = await openOnce();
    app = await startApp(database);
    await app.refresh("internet-outages");
    env = { PATH: process.env.PATH, HOME: home, URL: app.url, KEY: await app.key("enterprise") };
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
    rmSync(home, { recursive: true, force: true });
  });

  test("has 200 kB at most, and types that every kind of resolution finds", async () => {
    const kilobytes = statSync(archive).size / 1_000;
    expect(kilobytes).toBeLessThanOrEqual(200);
    const checker = ["--yes", "@arethetypeswrong/cli@0.18.5", archive, "--format", "ascii"];
    const { stdout } = await run("npx", checker, { cwd: home });
    console.log(`${kilobytes.toFixed(0)} kB packed\n${stdout}`);
    expect(stdout).toContain("No problems found");
  });

  test.each(["program.mjs", "program.cjs"])("runs in Node: %s", async (program) => {
    expect((await run(process.execPath, [program], { cwd: folder, env })).stdout).toBe(printed);
  });

  test.for([
    ["bun", ["program.mjs"]],
    ["bun", ["program.cjs"]],
    ["deno", ["run", "--allow-net", "--allow-env", "--node-modules-dir=manual", "program.mjs"]],
  ] as const)("runs in %s, where that installs: %j", async ([runtime, options], { skip }) => {
    const isInstalled = await run("npm", ["install", ...quietly, runtime], { cwd: folder }).then(
      () => true,
      () => false,
    );
    skip(!isInstalled, `${runtime} does not install on this machine`);
    const { stdout } = await run(join(folder, "node_modules/.bin", runtime), options, { cwd: folder, env });
    expect(stdout).toBe(printed);
  });

  test("is bundled for browsers, the plain mode without protobuf", async () => {
    const bundled = async (contents: string) => {
      const stdin = { contents, resolveDir: folder };
      const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: "esm", write: false });
      return outputFiles[0]?.contents.length ?? 0;
    };
    const whole = await bundled(`export * from "intelligence-data-service";`);
    const plain = await bundled(`export * from "intelligence-data-service/plain";`);
    console.log(`${Math.round(whole / 1_000)} kB over Connect, ${Math.round(plain / 1_000)} kB plain JSON, minified`);
    expect(whole).toBeGreaterThan(plain);
    expect(plain).toBeLessThan(20_000);
  });
});
