// Builds dist/esm and dist/cjs, whatever there was; installs what that needs where nobody has. No TypeScript itself, so that
// every Node runs it.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(import.meta.url);
const needed = ["typescript/package.json", "@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-web"];
if (!needed.every(isInstalled))
  run("npm", ["install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]);

rmSync(join(folder, "dist"), { recursive: true, force: true });
// Comments are for editors, which read declarations.
const bare = ["--removeComments", "--declaration", "false"];
const commonjs = ["--module", "commonjs", "--moduleResolution", "bundler", "--verbatimModuleSyntax", "false"];
tsc("--outDir", "dist/esm");
tsc("--outDir", "dist/esm", ...bare);
tsc("--outDir", "dist/cjs", ...commonjs, ...bare);
const isDeclaration = (name) => name.endsWith(".d.ts");
for (const name of readdirSync(join(folder, "dist/esm"), { recursive: true, encoding: "utf8" }).filter(isDeclaration)) {
  const file = join(folder, "dist/esm", name);
  writeFileSync(file, trimmed(readFileSync(file, "utf8")));
  cpSync(file, join(folder, "dist/cjs", name));
}
// Types alone.
for (const name of readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" }))
  if (/gen\/(.*_)?plain\.js$/.test(name)) rmSync(join(folder, "dist", name));
writeFileSync(join(folder, "dist/cjs/package.json"), '{ "type": "commonjs" }\n');

function isInstalled(name) {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

function tsc(...options) {
  const manifest = require.resolve("typescript/package.json");
  run(process.execPath, [join(manifest, "../bin/tsc"), "-p", ".", ...options]);
}

function run(program, options) {
  execFileSync(program, options, { cwd: folder, stdio: ["ignore", 2, 2] });
}

/** Comments with a line a paragraph, without what the generator says of itself; names as every version of TypeScript reads them. */
function trimmed(declarations) {
  return declarations
    .replace(/(from|import)( ?\(?"\.[^"]*)\.ts"/g, '$1$2.js"')
    .replace(/^( *)\/\*\*(.*?)\*\/\n/gms, (_, indent, comment) => {
      const paragraphs = comment
        .replace(/^ *\* ?/gm, "")
        .replace(/^@generated .*$/gm, "")
        .split(/\n\s*\n/)
        .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
        .filter((paragraph) => paragraph !== "");
      const [first = ""] = paragraphs;
      // Of schemas and files the generator has nothing to say but what they are.
      if (first === "" || first.startsWith("Describes the ")) return "";
      return `${indent}/** ${paragraphs.join(`\n${indent} *\n${indent} * `)} */\n`;
    })
    .replace(/^ {4,}/gm, (indent) => " ".repeat(indent.length / 4));
}
