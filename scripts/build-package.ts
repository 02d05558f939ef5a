// Writes build/, the compiled program with all files that it reads, because Node strips no types below node_modules.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const out = "build";

rmSync(out, { recursive: true, force: true });
run("tsc", "--project", "scripts/tsconfig.package.json", "--outDir", out);
// The compiler does not rewrite the paths of programs that start in a process or thread of their own.
for (const file of globSync(`${out}/src/**/*.js`)) {
  const code = readFileSync(file, "utf8");
  writeFileSync(file, code.replace(/"(\.{1,2}\/[\w./-]+)\.ts"/g, '"$1.js"'));
}
const assets = globSync("src/**/*", { exclude: (name) => name.endsWith(".md") }).filter((name) =>
  /\.(?:csv|css|js|svg|ico|png)$/.test(name),
);
run("node", "scripts/write-samples.ts");
// A checkout that only builds the package does not have the messages of the TypeScript client yet.
run("node", "scripts/proto-dependencies.ts");
run("buf", "generate", "--template", "sdk/typescript/buf.gen.yaml");
run("node", "scripts/write-sdk.ts");
run("node", "scripts/write-clients.ts");
run("node", "scripts/write-clients.ts", "typescript");
for (const name of [
  ...assets,
  ...globSync("sdk/*/README.md"),
  "sample",
  "clients",
  "proto",
  "gen/openapi/openapi.json",
  "gen/examples.json",
  "gen/console",
  "package.json",
  "docs",
  "CHANGELOG.md",
])
  cpSync(name, `${out}/${name}`, { recursive: true });
// A first start would otherwise create these files again. Each build writes the same bytes.
run("node", "--import", "./scripts/fixed-conditions.ts", `${out}/scripts/prepare.js`);

function run(program: string, ...parameters: string[]): void {
  execFileSync(program, parameters, { stdio: "inherit" });
}
