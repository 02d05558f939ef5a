// Writes the archives of the clients, which the service offers at `/clients`. `typescript` writes only that client,
// because it needs the compiler, and the others only the packages of the running service.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { goModule } from "./sdk/go-module.ts";
import { npmPackage } from "./sdk/npm-package.ts";
import { pythonWheel } from "./sdk/python-wheel.ts";
import { rPackage } from "./sdk/r-package.ts";

const out = "clients";
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

if (process.argv.includes("typescript")) {
  write(`intelligence-data-service-${version}.tgz`, await npmPackage("sdk/typescript"));
} else {
  write(`intelligence_data_service-${version}-py3-none-any.whl`, await pythonWheel("sdk/python"));
  write(`idsclient_${version}.tar.gz`, await rPackage("sdk/r"));
  for (const [path, content] of await goModule(".", version)) write(path, content);
}

function write(path: string, content: Buffer | string): void {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
