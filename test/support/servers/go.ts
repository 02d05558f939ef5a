import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Where the repository begins. */
export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Where what Go builds for us is kept. */
const tools = `${root}.deps/go/bin`;

const environment = { ...process.env, GOBIN: tools, PATH: `${tools}:${process.env.PATH}:/usr/local/go/bin` };
const call = promisify(execFile);

/** Whether this machine has Go and the modules that a folder's go.mod asks for; said aloud where it has not. */
export function hasGo(folder: string): boolean {
  const { status, error, stderr } = spawnSync("go", ["mod", "download"], {
    ...{ cwd: `${root}${folder}`, env: environment, encoding: "utf8", timeout: 120_000 },
  });
  if (status === 0) return true;
  const reason = error ? "Go is not installed" : `Go cannot have its modules (${stderr.trim().split("\n").at(-1)})`;
  console.warn(`${reason}: TESTS OF ${folder || "THE GO CLIENT"} ARE SKIPPED`);
  return false;
}

/** Runs a program of Go's in a folder and returns what it prints; fails with all of it when the program does. */
export async function go(
  program: string,
  parameters: readonly string[],
  options: { readonly folder?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const { stdout } = await call(program, parameters, {
    ...{ cwd: `${root}${options.folder ?? ""}`, env: { ...environment, ...options.environment } },
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${program} ${parameters.join(" ")}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}
