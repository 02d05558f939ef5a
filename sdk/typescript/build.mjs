// Builds dist/esm and dist/cjs again, and installs the packages for it if they are missing. This file is JavaScript, so
// that every version of Node can run it.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(import.meta.url);
if (!existsSync(join(folder, "src/gen"))) throw new Error("src/gen is missing. Run make setup in the checkout first.");
const needed = ["typescript/package.json", "@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-web"];
if (!needed.every(isInstalled))
  run("npm", ["install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]);

rmSync(join(folder, "dist"), { recursive: true, force: true });
// Only declarations retain comments, because editors read them there.
const bare = ["--removeComments", "--declaration", "false"];
const commonjs = ["--module", "commonjs", "--moduleResolution", "bundler", "--verbatimModuleSyntax", "false"];
tsc("--outDir", "dist/esm");
tsc("--outDir", "dist/esm", ...bare);
tsc("--outDir", "dist/cjs", ...commonjs, ...bare);
for (const file of filesOf("dist/esm", ".d.ts")) {
  rewrite(file, trimmed);
  cpSync(file, file.replace(join(folder, "dist/esm"), join(folder, "dist/cjs")));
}
// A file of types needs no script, and both kinds of modules share one copy.
const typesAlone = /[/\\]gen[/\\](.*_)?plain\.(js|d\.ts)$/;
for (const file of [...filesOf("dist/esm", ".ts"), ...filesOf("dist", ".js")]) if (typesAlone.test(file)) rmSync(file);
for (const file of filesOf("dist/esm", ".d.ts")) {
  const toTypes = `${relative(dirname(file), join(folder, "dist/cjs/gen"))}/`.replaceAll("\\", "/");
  rewrite(file, (text) => text.replace(/(?<=")(\.\.?\/)+gen\/(?=([^"]*_)?plain\.js")/g, toTypes));
}
// Compressed bytes of descriptors are half as large as compressed Base64.
for (const file of filesOf("dist", "_pb.js"))
  rewrite(file, (text) =>
    text.replace(/(?<=fileDesc\)?\()"([\w+/=]+)"/, (_, base64) => {
      return `btoa(${JSON.stringify(Buffer.from(base64, "base64").toString("latin1"))})`;
    }),
  );
writeFileSync(join(folder, "dist/cjs/package.json"), '{ "type": "commonjs" }\n');

function filesOf(below, ending) {
  const names = readdirSync(join(folder, below), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, below, name));
}

function rewrite(file, change) {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

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
      // The generator's comments on schemas and files contain no information.
      if (first === "" || first.startsWith("Describes the ")) return "";
      return `${indent}/** ${paragraphs.join(`\n${indent} *\n${indent} * `)} */\n`;
    })
    .replace(/^ {4,}/gm, (indent) => " ".repeat(indent.length / 4));
}
