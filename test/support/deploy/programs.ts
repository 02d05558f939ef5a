import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../servers/go.ts";

const folder = join(root, ".deps/deploy");
const withGo = { ...process.env, GOBIN: folder, PATH: `${process.env.PATH}:/usr/local/go/bin` };

/**
 * A program of a Debian package, which is installed if it is missing. Logs and returns undefined if it cannot be
 * installed.
 */
export function debianProgram(program: string, debianPackage: string): string | undefined {
  const found = () => spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).stdout.trim();
  if (found() === "") install("apt-get", ["install", "-y", "-qq", "--no-install-recommends", debianPackage]);
  return usable(program, found());
}

/** A program built from a Go module at a version. */
export function goProgram(program: string, source: string): string | undefined {
  const place = join(folder, program);
  if (!existsSync(place)) install("go", ["install", source]);
  return usable(program, existsSync(place) ? place : "");
}

/** A program of a Python package at a version. */
export function pythonProgram(program: string, requirement: string): string | undefined {
  const home = join(folder, program);
  const place = join(home, "bin", program);
  if (!existsSync(place)) {
    install("python3", ["-m", "venv", home]);
    install(join(home, "bin/pip"), ["install", "--quiet", requirement]);
  }
  return usable(program, existsSync(place) ? place : "");
}

/** A program of a Debian package that is unpacked and not installed, for that would start a server. */
export function unpackedProgram(path: string, debianPackage: string): string | undefined {
  const home = join(folder, debianPackage);
  const place = join(home, path);
  if (!existsSync(place)) {
    mkdirSync(home, { recursive: true });
    const download = `apt-get download -qq -o APT::Sandbox::User=root ${debianPackage}`;
    install("sh", ["-ec", `cd "$0"; ${download}; dpkg-deb -x ${debianPackage}_*.deb .; rm *.deb`, home]);
  }
  return usable(debianPackage, existsSync(place) ? place : "");
}

/** The folder in which an npm package is installed at a version, only for its types. */
export function npmFolder(name: string, version: string): string | undefined {
  const home = join(folder, "npm");
  const place = join(home, "node_modules", name);
  if (!existsSync(place)) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), "{}");
    const quietly = ["--silent", "--ignore-scripts", "--omit=peer", "--legacy-peer-deps"];
    install("npm", ["install", "--prefix", home, ...quietly, `${name}@${version}`]);
  }
  return usable(name, existsSync(place) ? home : "");
}

/** Where the files of a Go module are; undefined, and said aloud, where they cannot be had. */
export function goModule(module: string): string | undefined {
  const { stdout, status } = spawnSync("go", ["mod", "download", "-json", module], { env: withGo, encoding: "utf8" });
  return usable(module, status === 0 ? JSON.parse(stdout).Dir : "");
}

/** The output of a program. If the program fails, the error contains all of it. */
export function printed(program: string, parameters: readonly string[], cwd = root): string {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, {
    ...{ cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  });
  if (status !== 0) throw error ?? new Error(`${program} ${parameters.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

function install(program: string, parameters: readonly string[]): void {
  try {
    execFileSync(program, parameters, { env: withGo, stdio: ["ignore", "ignore", "inherit"], timeout: 900_000 });
  } catch (error) {
    console.warn(String(error));
  }
}

function usable(name: string, place: string): string | undefined {
  if (place !== "") return place;
  console.warn(`${name} cannot be installed here: WHAT IT WOULD PROVE IS SKIPPED`);
  return undefined;
}
