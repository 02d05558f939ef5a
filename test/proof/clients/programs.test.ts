import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServeProcess, startServeProcess } from "../../support/processes/serve-process.ts";
import { type Program, programs } from "../../support/readers/programs.ts";
import { root } from "../../support/servers/go.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "ids-programs-"));
/** The home of the programs, so that they read no settings or extensions of the user. */
const home = join(folder, "home");
let service: ServeProcess;
let key: string;

/** A row of the table of programs in the documentation. */
interface Row {
  readonly name: string;
  readonly version: string;
  readonly format: string;
  readonly line: string;
}

const rows = rowsOf(readFileSync(join(root, "docs/data-tools.md"), "utf8"));

function rowsOf(page: string): readonly Row[] {
  const [, section = ""] = page.split("## Programs that read the service\n");
  const [, table = ""] = /\|---\|---\|---\|---\|\n((?:\|.*\|\n)+)/.exec(section) ?? [];
  return table
    .trimEnd()
    .split("\n")
    .map((row) => {
      const cells = row.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
      const [, name = "", version = "", format = "", line = ""] = cells.map((cell) => cell.replace(/^`(.*)`$/, "$1"));
      return { name: name.split(/[,(]/, 1)[0]?.trim() ?? "", version, format, line };
    });
}

beforeAll(async () => {
  mkdirSync(home);
  service = await startServeProcess({ IDS_DATA_DIR: join(folder, "data") });
  await service.firstSuccess("/readyz");
  key = JSON.parse(readFileSync(join(folder, "data/demo-keys.json"), "utf8")).enterprise;
  writeFileSync(join(folder, "headers.txt"), `X-Service-Key: ${key}\n`);
}, 120_000);
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Installs a program in a folder of its own. Returns its version, or throws. */
async function install(program: Program, version: string): Promise<string> {
  const place = join(folder, program.name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "shapes.ttl"), shapes);
  const inPlace = async (command: string, ...parameters: readonly string[]) =>
    run(command, parameters, { cwd: place, timeout: 300_000 });
  if (program.kind === "python") {
    await inPlace("python3", "-m", "venv", "python");
    const packages = [`${program.package}==${version}`, ...(program.more ?? [])];
    await inPlace("python/bin/pip", "install", "-q", "--disable-pip-version-check", ...packages);
    if (program.prepare !== undefined)
      await run("python/bin/python", ["-c", program.prepare], { cwd: place, env: ownEnvironment() });
    return version;
  }
  if (program.kind === "node") {
    writeFileSync(join(place, "package.json"), "{}");
    await inPlace("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", `${program.package}@${version}`);
    return version;
  }
  const { stdout } = await inPlace("sh", "-c", program.version);
  return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout;
}

/** Every dataset of the catalog violates this shape, so that the report names those that were read. */
const shapes = `@prefix sh: <http://www.w3.org/ns/shacl#> .
[] a sh:NodeShape ; sh:targetClass <http://www.w3.org/ns/dcat#Dataset> ;
  sh:property [ sh:path <urn:absent> ; sh:minCount 1 ] .
`;

const ownEnvironment = () => ({
  PATH: process.env.PATH,
  HOME: home,
  GDAL_HTTP_HEADER_FILE: join(folder, "headers.txt"),
});

/** Reads a table with one line of a program. Returns the IDs of its rows. */
async function idsBy(program: Program, { format, line }: Row): Promise<readonly string[]> {
  const own = line.replaceAll("http://127.0.0.1:8080", service.url);
  const url = `${service.url}${pathOf(program, line)}?format=${format}`;
  const [command, ...parameters] = program.command({ url, key, service: service.url, line: own, format });
  const { stdout } = await run(command, parameters, {
    ...{ cwd: join(folder, program.name), env: ownEnvironment(), timeout: 120_000, maxBuffer: 16 * 1024 * 1024 },
  });
  const ids = stdout.trimEnd().split("\n");
  // Feeds and calendars have URNs, and catalogs have addresses.
  return ids.map((id) => decodeURIComponent(id.replace(/^urn:ids:[^:]+:[^:]+:|^http:.*\//, "")));
}

const keyed = "/api/infrastructure/v1/list-internet-outages";

function pathOf({ path }: Program, line: string): string {
  return path ?? (/KEY|ATTACH|OAPIF/.test(line) ? keyed : "/api/conflict/v1/list-conflict-events");
}

async function idsByRest(path: string): Promise<readonly string[]> {
  const response = await fetch(service.url + path, { headers: { "X-Service-Key": key } });
  expect(response.status, path).toBe(200);
  const lists = Object.values((await response.json()) as Record<string, unknown>).filter(Array.isArray);
  return lists.flat().map(({ id, name }: { id?: string; name: string }) => id ?? name);
}

test("the documentation has a line for each program of this proof, and no others", () => {
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(programs.map(({ name }) => name)));
});

for (const program of programs)
  test(`${program.name} reads the service with each documented line`, async ({ skip }) => {
    const own = rows.filter(({ name }) => name === program.name);
    const version = await install(program, own[0]?.version ?? "").catch((error: Error) => {
      console.warn(`${program.name} cannot be installed: WHAT IT WOULD PROVE IS SKIPPED\n${error.message}`);
      return undefined;
    });
    if (version === undefined) return skip(`${program.name} cannot be installed`);
    const failures = [];
    for (const row of own) {
      const expected = (await idsByRest(pathOf(program, row.line))).toSorted();
      const read = await idsBy(program, row).catch((error: Error) => error);
      const isEqual = !(read instanceof Error) && read.toSorted().join("\n") === expected.join("\n");
      const reason = read instanceof Error ? read.message.slice(-600) : `${read.length} rows unlike ${expected.length}`;
      const result = isEqual ? `${expected.length} rows, equal to REST` : reason;
      console.log(`| ${program.name} | ${version} | ${row.format} | ${row.line} | ${result} |`);
      if (!isEqual) failures.push(`${row.line}: ${reason}`);
    }
    expect(own.length).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  });
