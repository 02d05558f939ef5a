// Writes build/: the program compiled (Node strips no types below node_modules), with all that it reads, laid out as here.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const out = "build";

rmSync(out, { recursive: true, force: true });
execFileSync("tsc", ["--project", "scripts/tsconfig.package.json", "--outDir", out], { stdio: "inherit" });
// The compiler leaves names of programs of their own as they are.
for (const file of globSync(`${out}/src/**/*.js`)) {
  const code = readFileSync(file, "utf8");
  writeFileSync(file, code.replace(/"(\.{1,2}\/[\w./-]+)\.ts"/g, '"$1.js"'));
}
const assets = globSync("src/**/*", { exclude: (name) => name.endsWith(".md") }).filter((name) =>
  /\.(?:csv|css|js)$/.test(name),
);
execFileSync("node", ["scripts/write-samples.ts"], { stdio: "inherit" });
for (const name of [
  ...assets,
  "sample",
  "proto",
  "gen/openapi/openapi.json",
  "gen/examples.json",
  "gen/console",
  "package.json",
  "CHANGELOG.md",
])
  cpSync(name, `${out}/${name}`, { recursive: true });
// What first starts would make anew.
execFileSync("node", [`${out}/scripts/prepare.js`], { stdio: "inherit" });
