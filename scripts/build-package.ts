// Writes build/, the compiled program with all files that it reads, because Node strips no types below node_modules.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const out = "build";

rmSync(out, { recursive: true, force: true });
execFileSync("tsc", ["--project", "scripts/tsconfig.package.json", "--outDir", out], { stdio: "inherit" });
// The compiler does not rewrite the paths of programs that start in a process or thread of their own.
for (const file of globSync(`${out}/src/**/*.js`)) {
  const code = readFileSync(file, "utf8");
  writeFileSync(file, code.replace(/"(\.{1,2}\/[\w./-]+)\.ts"/g, '"$1.js"'));
}
const assets = globSync("src/**/*", { exclude: (name) => name.endsWith(".md") }).filter((name) =>
  /\.(?:csv|css|js|svg|ico|png)$/.test(name),
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
// A first start would otherwise create these files again.
execFileSync("node", [`${out}/scripts/prepare.js`], { stdio: "inherit" });
