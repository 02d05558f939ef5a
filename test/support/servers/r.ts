import { execFile, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { promisify } from "node:util";
import { clientPackages } from "../../../src/pages/clients.ts";

const call = promisify(execFile);

/** Whether this machine has R with the packages that the client needs; said aloud where it has not. */
export function hasR(): boolean {
  const check = "for (name in c('httr2', 'jsonlite', 'tibble', 'testthat')) loadNamespace(name)";
  if (spawnSync("Rscript", ["-e", check]).status === 0) return true;
  console.warn("No R with httr2, jsonlite, tibble and testthat on this machine: TESTS OF THE R CLIENT ARE SKIPPED");
  return false;
}

/** Runs R and returns its output, on either stream. Fails with all of it if R fails. */
export async function rscript(
  parameters: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd: string,
  program = "Rscript",
): Promise<string> {
  const env = { ...process.env, ...environment };
  const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout, stderr } = await call(program, parameters, options).catch(
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${program} ${parameters.join(" ")}: ${error.stdout}${error.stderr}`);
    },
  );
  return stdout + stderr;
}

/** Installs the client from a service with the line that its page shows; returns the folder with the package. */
export async function installR(url: string, library: string): Promise<string> {
  mkdirSync(library, { recursive: true });
  const line =
    clientPackages("1.0.0")
      .find(({ language }) => language === "R")
      ?.install(url) ?? "";
  await rscript(["-e", line], { R_LIBS: library }, library);
  return library;
}
