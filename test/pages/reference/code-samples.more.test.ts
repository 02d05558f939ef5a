import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog, kebab } from "../../../src/contract/catalog.ts";
import type { Database } from "../../../src/store/database.ts";
import { type BuiltPackage, buildPackage } from "../../sdk/built-package.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";
import { go, hasGo, root } from "../../support/servers/go.ts";
import { hasR, installR, rscript } from "../../support/servers/r.ts";

const run = promisify(execFile);
const timeoutMs = 300_000;
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const hasPython = spawnSync("python3", ["-c", "import requests"]).status === 0;
if (!hasPython) console.warn("No Python with requests on this machine: ITS CODE SAMPLES ARE SKIPPED");

/** Their examples name a thing that the caller does not have. */
const needsOwn = new Set(["GetScenarioStatus", "GetWebhook", "ListWebhookDeliveries", "ListCompanyEventChanges"]);
const reads = catalog.filter(({ read, name }) => read && !needsOwn.has(name));

let database: Database;
let app: TestApp;
let folder: string;
let environment: NodeJS.ProcessEnv;
/** The code of a language by operation, from the pages' Markdown twins. */
const samples = new Map<string, ReadonlyMap<string, string>>();
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  folder = mkdtempSync(join(tmpdir(), "ids-samples-"));
  environment = { ...process.env, IDS_API_KEY: await app.key("operator") };
  for (const { name } of catalog) {
    const markdown = await (await app.get(`/docs/${kebab(name)}.md`, { key: null })).text();
    const fences = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)];
    samples.set(name, new Map(fences.map(([, language = "", code = ""]) => [language, code])));
  }
}, timeoutMs);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await app[Symbol.asyncDispose]();
  await database.close();
});

const sampleOf = (name: string, language: string): string => {
  const code = samples.get(name)?.get(language);
  if (code === undefined) throw new Error(`${name} has no sample in ${language}`);
  return code;
};

test("the TypeScript of every operation compiles against the client's package", { timeout: timeoutMs }, async () => {
  using built: BuiltPackage = await buildPackage();
  writeFileSync(join(built.folder, "package.json"), '{ "type": "module" }');
  const files = catalog.map(({ name }) => {
    writeFileSync(join(built.folder, `${name}.ts`), sampleOf(name, "ts"));
    return `${name}.ts`;
  });
  writeFileSync(
    join(built.folder, "node.d.ts"),
    'declare module "node:process" { export const env: Record<string, string | undefined>; }\n',
  );
  expect(await built.tsc("node.d.ts", ...files)).toBe("");
});

test.skipIf(!hasGo(""))("the Go of every operation is formatted and compiles", { timeout: timeoutMs }, async () => {
  const here = join(folder, "go");
  for (const { name } of catalog) {
    mkdirSync(join(here, kebab(name)), { recursive: true });
    writeFileSync(join(here, kebab(name), "main.go"), `${sampleOf(name, "go")}\n`);
  }
  copyFileSync(`${root}go.sum`, join(here, "go.sum"));
  writeFileSync(
    join(here, "go.mod"),
    `module samples\n\ngo 1.26.0\n\nrequire ids.example.org v1.0.0\n\nreplace ids.example.org => ${root}\n`,
  );
  const there = { folder: relative(root, here) };
  await go("go", ["mod", "tidy"], there);
  await go("go", ["vet", "./..."], there);
  expect(await go("gofmt", ["-l", "."], there)).toBe("");
});

test.skipIf(!hasPython)(
  "the Python of every read prints an answer, that of every write compiles",
  { timeout: timeoutMs },
  async () => {
    const runner = `
import io, contextlib, json, sys
printed = {}
for name, code in json.load(sys.stdin).items():
    program = compile(code["text"], name, "exec")
    if code["run"]:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(program, {})
        printed[name] = len(out.getvalue())
print(json.dumps(printed))
`;
    const given = catalog.map(({ name }) => {
      const isRun = reads.some((read) => read.name === name);
      return [name, { text: sampleOf(name, "python"), run: isRun }] as const;
    });
    const requested = run("python3", ["-c", runner], { env: environment });
    requested.child.stdin?.end(JSON.stringify(Object.fromEntries(given)));
    const printed: Record<string, number> = JSON.parse((await requested).stdout);
    expect(Object.keys(printed)).toEqual(reads.map(({ name }) => name));
    for (const { name } of reads) expect(printed[name], name).toBeGreaterThan(2);
  },
);

test.skipIf(!hasCurl)("the curl of every read gets an answer", { timeout: timeoutMs }, async () => {
  for (const { name } of reads) {
    const command = sampleOf(name, "sh").replace(/^curl/, "curl -sS --fail-with-body");
    const { stdout } = await run("bash", ["-c", command], { env: environment, maxBuffer: 64 * 1024 * 1024 });
    expect(JSON.parse(stdout), name).toBeTypeOf("object");
  }
});

test.skipIf(!hasR())("the R of every read prints an answer", { timeout: timeoutMs }, async () => {
  const library = await installR(app.url, join(folder, "r"));
  const inR = reads.filter(({ verb }) => verb === "GET");
  const programs = inR.map(({ name }) => {
    writeFileSync(join(folder, `${name}.R`), sampleOf(name, "r"));
    return `cat("${name}", length(capture.output(source("${name}.R", local = new.env()))) > 0, "\\n")`;
  });
  writeFileSync(join(folder, "all.R"), programs.join("\n"));
  const printed = await rscript(["all.R"], { ...environment, R_LIBS: library }, folder);
  expect(printed.trim().split(/ *\n/)).toEqual(inR.map(({ name }) => `${name} TRUE`));
});
