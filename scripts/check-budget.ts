// Fails if a folder of src/ has more lines or files than scripts/budget.json allows. A commit that adds code has to
// raise a number, and a commit that removes code lowers it. `--write` sets every number to the current size.
import { globSync, readFileSync, writeFileSync } from "node:fs";

type Size = readonly [lines: number, files: number];

const budgetFile = "scripts/budget.json";
const sizes = sizesByFolder();
if (process.argv.includes("--write")) {
  const rows = Object.entries(sizes).map(([folder, size]) => `  "${folder}": [${size.join(", ")}]`);
  writeFileSync(budgetFile, `{\n${rows.join(",\n")}\n}\n`);
}
const budget: Readonly<Record<string, Size>> = JSON.parse(readFileSync(budgetFile, "utf8"));
for (const [folder, [lines, files]] of Object.entries(sizes)) {
  const [maxLines, maxFiles] = budget[folder] ?? [0, 0];
  if (lines > maxLines || files > maxFiles) {
    console.error(`${folder}: ${lines} lines in ${files} files; ${budgetFile} allows ${maxLines} in ${maxFiles}`);
    process.exitCode = 1;
  }
}

/** Returns the sizes of the folders directly below src/, of the files in src/ itself, and of all of src/. */
function sizesByFolder(): Record<string, Size> {
  const found: Record<string, Size> = {};
  for (const file of globSync("src/**/*.ts").sort()) {
    const lines = readFileSync(file, "utf8").split("\n").length - 1;
    const [, folder = "", ...below] = file.split("/");
    for (const name of ["src", below.length === 0 ? "src/*.ts" : `src/${folder}`]) {
      const [linesBefore, files] = found[name] ?? [0, 0];
      found[name] = [linesBefore + lines, files + 1];
    }
  }
  return found;
}
