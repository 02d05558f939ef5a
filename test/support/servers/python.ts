import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Where the Python package is. */
export const folder = fileURLToPath(new URL("../../../sdk/python/", import.meta.url));

const call = promisify(execFile);

/** Whether this machine has Python 3.10 or later with httpx; said aloud where it has not. */
export function hasPython(): boolean {
  const check = "import sys, httpx; sys.exit(sys.version_info < (3, 10))";
  if (spawnSync("python3", ["-c", check]).status === 0) return true;
  console.warn("No Python 3.10 with httpx on this machine: TESTS OF THE PYTHON CLIENT ARE SKIPPED");
  return false;
}

/**
 * Runs Python with the package in its path and returns its output, on either stream. Fails with all of it if Python
 * fails.
 */
export async function python(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd = folder,
): Promise<string> {
  const env = { ...process.env, PYTHONPATH: `${folder}src`, PYTHONDONTWRITEBYTECODE: "1", ...environment };
  const { stdout, stderr } = await call("python3", parameters, { cwd, env }).catch(
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`python3 ${parameters.join(" ")}: ${error.stdout}${error.stderr}`);
    },
  );
  return stdout + stderr;
}
