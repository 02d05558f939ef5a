import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { datasets } from "../../../src/domains/index.ts";
import { startBed } from "../../support/console/bed.ts";
import { root } from "../../support/servers/go.ts";
import { structuredData } from "../../support/structured-data.ts";

const run = promisify(execFile);
const timeout = 180_000;
const bed = startBed();
const folder = mkdtempSync(join(tmpdir(), "ids-discovery-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder with the SHACL shapes of DCAT-AP 3. */
const shapes = process.env.IDS_TEST_DCAT_SHAPES ?? "";

function isMissing(what: string, isHere: boolean): boolean {
  if (!isHere) console.warn(`${what} is not on this machine: WHAT IT WOULD PROVE IS SKIPPED`);
  return !isHere;
}

const hasModule = (name: string) => spawnSync("python3", ["-c", `import ${name}`], { stdio: "ignore" }).status === 0;

async function read<T>(script: string, ...parameters: readonly string[]): Promise<T> {
  const { stdout } = await run("python3", ["-B", join(root, "test/support/readers", script), ...parameters]);
  return JSON.parse(stdout);
}

test.skipIf(isMissing("mlcroissant", hasModule("mlcroissant")))(
  "each dataset's page is valid Croissant without a warning",
  { timeout },
  async () => {
    const files = [];
    for (const { name } of datasets) {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(await structuredData(bed.app, name)));
      files.push(file);
    }
    expect(await read("dataset_with_mlcroissant.py", ...files)).toEqual({});
  },
);

test.skipIf(isMissing("pyshacl with the shapes of DCAT-AP", existsSync(shapes) && hasModule("pyshacl")))(
  "the catalog conforms to all shapes of DCAT-AP 3",
  { timeout },
  async () => {
    const file = join(folder, "catalog.jsonld");
    writeFileSync(file, await (await bed.app.get("/catalog.jsonld", { key: null })).text());
    const report = await read<{ files: number; triples: number; violations: unknown[] }>(
      "catalog_with_pyshacl.py",
      ...[file, shapes],
    );
    expect(report.violations).toEqual([]);
    expect(Math.min(report.files, report.triples)).toBeGreaterThan(1);
  },
);
