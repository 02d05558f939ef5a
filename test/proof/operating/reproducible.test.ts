import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { digestsOf } from "../../../scripts/release/statement.ts";
import { root } from "../../support/servers/go.ts";

test("two builds at other times, in other folders, time zones, and languages have the same bytes", {
  timeout: 900_000,
}, () => {
  // Links to installed packages need the same file system.
  const home = mkdtempSync(join(root, ".deps/reproducible-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const [first, second] = [join(home, "a"), join(home, "another/longer/path")];
  copyCheckout(first);
  copyCheckout(second);
  const digests = [
    build(first, { TZ: "UTC", LC_ALL: "C" }),
    build(second, { TZ: "Asia/Tokyo", LC_ALL: "C.UTF-8", LANGUAGE: "de" }),
  ];
  console.log(`SHA-256 of each build: ${digests.join(" ")}`);
  expect(new Set(digests).size).toBe(1);
});

function copyCheckout(folder: string): void {
  for (const file of execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n")) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  execFileSync("cp", ["-al", join(root, "node_modules"), join(folder, "node_modules")]);
}

/** Builds the package and returns its digest. */
function build(folder: string, environment: Readonly<Record<string, string>>): string {
  const PATH = `${join(folder, "node_modules/.bin")}:${process.env.PATH}`;
  execFileSync("npm", ["pack", "--silent"], {
    ...{ cwd: folder, env: { ...process.env, ...environment, PATH }, stdio: ["ignore", "ignore", "inherit"] },
  });
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return digestsOf(readFileSync(join(folder, `${name}-${version}.tgz`))).sha256;
}
