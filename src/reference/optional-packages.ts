import { readFileSync } from "node:fs";

/** Returns whether an import failed because an optional package is missing. `name` is the package or its scope. */
export function isMissingPackage(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND" &&
    error.message.includes(`package '${name}`)
  );
}

export function installCommand(name: string): string {
  const { peerDependencies } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const packages = Object.entries(peerDependencies).filter(([known]) => known.startsWith(name));
  return ["npm install", ...packages.map(([known, version]) => `${known}@${version}`)].join(" ");
}
