import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** Why no root can be made and run here; undefined where it can. */
export function noRootHere(): string | undefined {
  if (process.getuid?.() !== 0) return "only root may make one";
  if (spawnSync("unshare", ["--mount", "true"]).status !== 0) return "mounts are not permitted";
  if (spawnSync("debootstrap", ["--version"]).error === undefined) return undefined;
  const { status } = spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "debootstrap"]);
  return status === 0 ? undefined : "debootstrap cannot be installed";
}

/** The base of the recipe as far as it counts here: Debian's smallest system, this Node, and npm. */
export function makeBase(root: string): void {
  execFileSync("debootstrap", ["--variant=minbase", "bookworm", root], { stdio: ["ignore", "ignore", "inherit"] });
  for (const leftOver of ["var/cache/apt", "var/lib/apt/lists"]) rmSync(join(root, leftOver), { recursive: true });
  cpSync(process.execPath, join(root, "usr/local/bin/node"), { dereference: true });
  const program = execFileSync("sh", ["-c", "readlink -f $(command -v npm)"], { encoding: "utf8" });
  mkdirSync(join(root, "usr/local/lib/node_modules"), { recursive: true });
  cpSync(dirname(dirname(program)), join(root, "usr/local/lib/node_modules/npm"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
}

/** Where npm finds packages from here, for the steps that install some. */
export function registrySettings(root: string): Record<string, string> {
  const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities === undefined) return { npm_config_registry: registry };
  cpSync(authorities, join(root, "tmp/authorities.pem"));
  return {
    ...{ npm_config_registry: registry, NODE_EXTRA_CA_CERTS: "/tmp/authorities.pem" },
    npm_config_cafile: "/tmp/authorities.pem",
  };
}
