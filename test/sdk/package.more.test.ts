import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { userAgent } from "../../sdk/typescript/src/options.ts";
import { catalog } from "../../src/contract/catalog.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { type BuiltPackage, buildPackage } from "./built-package.ts";

/** The program itself, and what the types and descriptors of one operation take with their comments. */
const maxBytes = 30_000 + 7_200 * catalog.length;
const wrongPrograms = fileURLToPath(new URL("wrong-programs.ts", import.meta.url));
const ourManifest = fileURLToPath(new URL("../../package.json", import.meta.url));

let built: BuiltPackage;
let database: Database;
let app: TestApp;
beforeAll(async () => {
  built = await buildPackage();
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("internet-outages");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
  built[Symbol.dispose]();
});

test("the package holds its programs with their types and its README, and grows with the contract alone", () => {
  const other = built.files.map(({ path }) => path).filter((path) => !/^dist\/[\w/-]+\.(js|d\.ts)$/.test(path));
  expect(other.sort()).toEqual(["README.md", "package.json"]);
  const programs = built.files.map(({ path }) => path).filter((path) => path.endsWith(".js"));
  const types = built.files.map(({ path }) => path).filter((path) => path.endsWith(".d.ts"));
  expect(types.map((path) => path.replace(/\.d\.ts$/, ".js")).sort()).toEqual(programs.sort());
  expect(built.unpackedSize).toBeLessThanOrEqual(maxBytes);
});

test("it needs exactly the versions that the service itself is tested with", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(ourManifest, "utf8"));
  for (const [name, version] of Object.entries(built.manifest.dependencies))
    expect({ ...dependencies, ...devDependencies }, name).toMatchObject({ [name]: version });
});

test("the user agent is the package's version", () => {
  expect(userAgent).toBe(`ids-typescript/${built.manifest.version}`);
});

test("a plain node program imports both modes from the installed package and reads the same outages", async () => {
  writeFileSync(
    join(built.folder, "both.mjs"),
    `import { createClient, UnauthorizedError } from "intelligence-data-service";
     import { createPlainClient, IdsError } from "intelligence-data-service/plain";
     const options = { baseUrl: process.env.URL, apiKey: process.env.KEY };
     const { outages } = await createClient(options).infrastructure.listInternetOutages({});
     const plain = await createPlainClient(options).get("/api/infrastructure/v1/list-internet-outages");
     const refused = await createClient({ baseUrl: process.env.URL }).infrastructure.getIpGeo({}).catch((error) => error);
     console.log(JSON.stringify([outages.map(({ id }) => id), plain.outages.map(({ id }) => id),
       refused instanceof UnauthorizedError && refused instanceof IdsError]));`,
  );
  const printed = await built.node("both.mjs", { URL: app.url, KEY: await app.key("enterprise") });
  const [messages, rows, isTyped] = JSON.parse(printed);
  expect(messages.length).toBeGreaterThan(0);
  expect(rows).toEqual(messages);
  expect(isTyped).toBe(true);
});

test("the plain mode runs where protobuf and Connect are not installed", async () => {
  const text = (path: string) => readFileSync(join(built.folder, "node_modules", built.manifest.name, path), "utf8");
  const seen = new Set(["dist/plain.js"]);
  for (const path of seen)
    for (const [, specifier = ""] of text(path).matchAll(/from "([^"]+)"/g)) {
      expect(specifier, path).toMatch(/^\.\//);
      expect(specifier, path).not.toContain("gen/");
      seen.add(join("dist", specifier));
    }
  expect(seen.size).toBeGreaterThan(5);
});

test("the programs of the README compile as they stand", async () => {
  const readme = readFileSync(join(built.folder, "node_modules", built.manifest.name, "README.md"), "utf8");
  const programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program = ""]) => program);
  expect(programs.length).toBe(4);
  const environment = "declare const process: { env: Record<string, string | undefined> };\n";
  writeFileSync(join(built.folder, "readme.mts"), environment + programs.join(""));
  expect(await built.tsc("readme.mts")).toBe("");
});

test("programs that are wrong do not compile against the installed package", async () => {
  copyFileSync(wrongPrograms, join(built.folder, "wrong-programs.mts"));
  expect(await built.tsc("wrong-programs.mts")).toBe("");
  const right = readFileSync(wrongPrograms, "utf8").replaceAll("@ts-expect-error", "");
  writeFileSync(join(built.folder, "accused.mts"), right);
  const accused = (await built.tsc("accused.mts")).match(/accused\.mts\(\d+,\d+\): error/g) ?? [];
  expect(accused.length).toBeGreaterThanOrEqual(right.match(/^ *\/\/ {2}/gm)?.length ?? Number.NaN);
});
