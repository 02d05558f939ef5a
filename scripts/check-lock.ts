// Fails if an entry of package-lock.json has no integrity: npm would install it without a check of its bytes. `--write`
// lets npm complete the file, also for packages of other platforms.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

const file = "package-lock.json";
const lockSchema = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ integrity: z.string().optional() })),
});
const lock = lockSchema.parse(JSON.parse(readFileSync(file, "utf8")));
const incomplete = Object.entries(lock.packages).filter(
  ([path, { integrity }]) => path !== "" && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""),
);
if (incomplete.length > 0 && process.argv.includes("--write")) {
  for (const [path] of incomplete) delete lock.packages[path];
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], { stdio: "inherit" });
} else if (incomplete.length > 0) {
  const names = incomplete.map(([path]) => path).join(", ");
  console.error(`${file} has entries without SHA-512 (run node scripts/check-lock.ts --write): ${names}`);
  process.exitCode = 1;
}
