import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { comments } from "../../gen/es/comments.ts";
import { userAgent } from "../../sdk/typescript/src/options.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { type BuiltPackage, buildPackage } from "./built-package.ts";

const maxBytes = 220_000;
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

test("packing a clean checkout builds ESM and CommonJS with types for each, in 220 kB at most", () => {
  const paths = built.files.map(({ path }) => path);
  const other = paths.filter((path) => !/^dist\/(esm|cjs)\/[\w/-]+\.(js|d\.ts)$/.test(path));
  expect(other.sort()).toEqual(["README.md", "dist/cjs/package.json", "package.json"]);
  const under = (folder: string) =>
    paths.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
  // Types of plain JSON need no module kind: one copy serves both.
  const typesOnly = /^gen\/(.*_)?plain\.d\.ts$/;
  expect(under("dist/esm/").filter((path) => typesOnly.test(path))).toEqual([]);
  expect(under("dist/cjs/").filter((path) => path !== "package.json" && !typesOnly.test(path))).toEqual(
    under("dist/esm/"),
  );
  for (const path of paths.filter((each) => each.endsWith(".js")))
    expect(paths).toContain(path.replace(/\.js$/, ".d.ts"));
  expect(built.size).toBeLessThanOrEqual(maxBytes);
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

test("a CommonJS program requires both modes, and reads the same outages", async () => {
  writeFileSync(
    join(built.folder, "both.cjs"),
    `const { createClient, UnauthorizedError, OutageSeverity, enumName } = require("intelligence-data-service");
     const { createPlainClient } = require("intelligence-data-service/plain");
     const options = { baseUrl: process.env.URL, apiKey: process.env.KEY };
     (async () => {
       const { outages } = await createClient(options).infrastructure.listInternetOutages({});
       const plain = await createPlainClient(options).get("/api/infrastructure/v1/list-internet-outages");
       const refused = await createClient({ baseUrl: process.env.URL }).infrastructure.getIpGeo({}).catch((error) => error);
       console.log(JSON.stringify([
         outages.map(({ id, severity }) => [id, enumName(OutageSeverity, severity)]),
         plain.outages.map(({ id, severity }) => [id, severity.slice("OUTAGE_SEVERITY_".length)]),
         refused instanceof UnauthorizedError,
       ]));
     })();`,
  );
  const printed = await built.node("both.cjs", { URL: app.url, KEY: await app.key("enterprise") });
  const [messages, rows, isTyped] = JSON.parse(printed);
  expect(messages.length).toBeGreaterThan(0);
  expect(rows).toEqual(messages);
  expect(isTyped).toBe(true);
});

test("the plain mode runs where protobuf and Connect are not installed", async () => {
  const text = (path: string) => readFileSync(join(built.folder, "node_modules", built.manifest.name, path), "utf8");
  const seen = new Set(["dist/esm/plain.js"]);
  for (const path of seen)
    for (const [, specifier = ""] of text(path).matchAll(/from "([^"]+)"/g)) {
      expect(specifier, path).toMatch(/^\.\/(gen\/paging\.js|[\w-]+\.js)$/);
      seen.add(join("dist/esm", specifier));
    }
  expect(seen.size).toBeGreaterThan(5);
});

test("an editor shows whole comments, of either mode and of either kind of module", () => {
  const declarations = (path: string) =>
    readFileSync(join(built.folder, "node_modules", built.manifest.name, "dist", path), "utf8");
  const file = "gen/ids/conflict/v1/conflict";
  const whole = ["ConflictService.ListConflictEvents", "ListConflictEventsRequest.sort"].flatMap(
    (name) => comments[`ids.conflict.v1.${name}`]?.split("\n\n") ?? [],
  );
  expect(whole.length).toBeGreaterThan(2);
  for (const path of [`esm/${file}_pb`, `cjs/${file}_pb`, `cjs/${file}_plain`])
    for (const text of whole) expect(declarations(`${path}.d.ts`)).toContain(text);
});

test("the programs of the README compile as they stand", async () => {
  const readme = readFileSync(join(built.folder, "node_modules", built.manifest.name, "README.md"), "utf8");
  const programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program = ""]) => program);
  expect(programs.length).toBe(7);
  const environment = "declare const process: { env: Record<string, string | undefined> };\n";
  writeFileSync(join(built.folder, "readme.mts"), environment + programs.join(""));
  expect(await built.tsc("readme.mts")).toBe("");
});

test.each(["mts", "cts"])("programs that are wrong do not compile against the installed package: .%s", async (type) => {
  copyFileSync(wrongPrograms, join(built.folder, `wrong-programs.${type}`));
  expect(await built.tsc(`wrong-programs.${type}`)).toBe("");
  const right = readFileSync(wrongPrograms, "utf8").replaceAll("@ts-expect-error", "");
  writeFileSync(join(built.folder, `accused.${type}`), right);
  const accused = new Set(
    [...(await built.tsc(`accused.${type}`)).matchAll(/^accused\.\wts\((\d+),\d+\): error/gm)].map(([, line]) =>
      Number(line),
    ),
  );
  // Each error is on the line below its announcement.
  const announced = right.split("\n").flatMap((line, index) => (/^ *\/\/ {2}/.test(line) ? [index + 2] : []));
  expect(announced.length).toBeGreaterThanOrEqual(40);
  expect([...accused].sort((one, other) => one - other)).toEqual(announced);
});
