import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = join(root, "node_modules");

/** The client's package as it would be published, installed in a folder outside the repository. */
export interface BuiltPackage extends Disposable {
  /** Name and bytes of each file in it. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Bytes of the archive. */
  readonly size: number;
  readonly manifest: Manifest;
  /** A folder whose programs find the package by its name. */
  readonly folder: string;
  /** Runs a program of the folder with nothing but these variables; what it printed. */
  readonly node: (program: string, environment?: Readonly<Record<string, string>>) => Promise<string>;
  /** Checks the folder's types; what the compiler printed, empty when nothing is wrong. */
  readonly tsc: (...files: string[]) => Promise<string>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Packs what a clean checkout holds, which builds it, and unpacks; what it depends on is linked from the repository's own modules. */
export async function buildPackage(): Promise<BuiltPackage> {
  const folder = mkdtempSync(join(tmpdir(), "ids-sdk-"));
  const source = join(folder, "source");
  cpSync(join(root, "sdk/typescript"), source, {
    recursive: true,
    filter: (path) => !/\/(dist|node_modules)$/.test(path),
  });
  symlinkSync(modules, join(source, "node_modules"));
  const path = `${join(modules, ".bin")}:${process.env.PATH}`;
  const inSource = { cwd: source, env: { ...process.env, PATH: path } };
  const { stdout } = await run("npm", ["pack", "--json"], inSource);
  const [packed] = Object.values(JSON.parse(stdout)) as {
    filename: string;
    size: number;
    files: BuiltPackage["files"];
  }[];
  if (!packed) throw new Error(`npm pack said ${stdout}`);
  const manifest: Manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const installed = join(folder, "node_modules", manifest.name);
  mkdirSync(installed, { recursive: true });
  await run("tar", ["-xzf", join(source, packed.filename), "--strip-components=1", "-C", installed]);
  for (const scope of new Set(Object.keys(manifest.dependencies).map((name) => name.split("/")[0] ?? "")))
    symlinkSync(join(modules, scope), join(folder, "node_modules", scope));
  rmSync(source, { recursive: true });
  return {
    files: packed.files,
    size: packed.size,
    manifest,
    folder,
    async node(program, environment = {}) {
      return (await run(join(modules, ".bin/node"), [program], { cwd: folder, env: { ...environment } })).stdout;
    },
    async tsc(...files) {
      const strict = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"];
      const target = ["--target", "es2022", "--module", "nodenext", "--types", "", "--lib", "es2023,dom"];
      return run(join(modules, ".bin/tsc"), [...strict, ...target, ...files], { cwd: folder }).then(
        ({ stdout: printed }) => printed,
        ({ stdout: printed }: { stdout: string }) => printed,
      );
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
