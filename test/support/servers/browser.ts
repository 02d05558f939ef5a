import { spawnSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

const program = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

/** Whether this machine has one; said aloud where it has none. */
export const hasBrowser = program !== undefined;
if (!hasBrowser) console.warn("No Chromium on this machine: TESTS IN A BROWSER ARE SKIPPED");

/** A headless Chromium that is closed after use. */
export async function openBrowser(): Promise<Browser> {
  const path = spawnSync("which", [program ?? "chromium"])
    .stdout.toString()
    .trim();
  // A sandbox cannot be made as root, as tests in a container are run.
  return chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
}
