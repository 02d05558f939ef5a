// Completes package-lock.json after `npm install` from a registry that lacks other platforms' binaries. `npm ci`
// requires an entry for every optional package, also for those that it does not install. Run it whenever the lock file
// changes.
import { readFileSync, writeFileSync } from "node:fs";

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = "package-lock.json";
const systems = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const processors = ["arm64", "arm", "x64", "ia32", "ppc64", "riscv64", "s390x"];

const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(file, "utf8"));
for (const parent of Object.values(lock.packages))
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    const words = name.split("/").at(-1)?.split("-") ?? [];
    const os = systems.filter((system) => words.includes(system));
    const cpu = processors.filter((processor) => words.some((word) => word.startsWith(processor))).slice(0, 1);
    if (lock.packages[place] || os.length === 0 || cpu.length === 0) continue;
    const libc = words.some((word) => word.startsWith("musl")) ? { libc: ["musl"] } : {};
    lock.packages[place] = { version, cpu, ...(parent.dev ? { dev: true } : {}), optional: true, os, ...libc };
  }
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
