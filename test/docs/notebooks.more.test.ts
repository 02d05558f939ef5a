import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";
import { root } from "../support/servers/go.ts";

const run = promisify(execFile);
const folder = join(root, "examples/notebooks");
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".ipynb"))
  .map((file) => file.replace(".ipynb", ""));
const packages = ["nbconvert", "ipykernel", "matplotlib", "pandas", "httpx"];
const maxChartBytes = 40_000;

interface Cell {
  readonly cell_type: string;
  readonly source: readonly string[];
  readonly execution_count?: number | null;
  readonly outputs?: readonly { readonly output_type: string; readonly data?: Readonly<Record<string, string>> }[];
}

function cellsOf(path: string): readonly Cell[] {
  return JSON.parse(readFileSync(path, "utf8")).cells;
}

const home = mkdtempSync(join(tmpdir(), "ids-notebooks-"));
afterAll(() => rmSync(home, { recursive: true }));

/** A Python with all packages. `make proof` installs them if the machine has none. */
function pythonWithPackages(): string | undefined {
  const has = (python: string) =>
    spawnSync(python, ["-c", `import ${packages.join(", ")}`], { stdio: "ignore", timeout: 120_000 }).status === 0;
  const given = process.env.IDS_PYTHON ?? "python3";
  if (has(given)) return given;
  if (process.env.IDS_INSTALL_NOTEBOOKS !== "on") return undefined;
  const own = join(home, "python/bin/python");
  spawnSync("python3", ["-m", "venv", join(home, "python")], { stdio: "ignore" });
  spawnSync(own, ["-m", "pip", "install", "-q", "--disable-pip-version-check", ...packages], { stdio: "inherit" });
  return has(own) ? own : undefined;
}

const python = pythonWithPackages();
if (python === undefined) console.warn(`${packages.join(", ")} are not on this machine: THE NOTEBOOKS ARE SKIPPED`);

test.each(names)("the notebook %s has no stored outputs and is on the page of notebooks with its chart", (name) => {
  const code = cellsOf(join(folder, `${name}.ipynb`)).filter((cell) => cell.cell_type === "code");
  expect(code.length).toBeGreaterThan(2);
  for (const { outputs, execution_count: count } of code) expect([outputs, count]).toEqual([[], null]);
  const page = readFileSync(join(root, "docs/notebooks.md"), "utf8");
  expect(page).toContain(`(../examples/notebooks/${name}.ipynb)`);
  expect(page).toContain(`(img/notebooks/${name}.png)`);
  const { length } = readFileSync(join(root, `docs/img/notebooks/${name}.png`));
  expect(length).toBeGreaterThan(1_000);
  expect(length).toBeLessThanOrEqual(maxChartBytes);
});

test("there are six notebooks or more", () => {
  expect(names.length).toBeGreaterThanOrEqual(6);
});

describe.skipIf(python === undefined)("with Jupyter", () => {
  let database: Database;
  let app: TestApp;
  let environment: NodeJS.ProcessEnv;
  beforeAll(async () => {
    database = await openLoaded();
    app = await startApp(database);
    environment = {
      ...process.env,
      ...{ IDS_URL: app.url, IDS_API_KEY: await app.key("pro_monthly"), IDS_OUTPUT: home },
      ...{ PYTHONPATH: join(root, "sdk/python/src"), JUPYTER_CONFIG_DIR: home, IPYTHONDIR: home, MPLCONFIGDIR: home },
    };
  }, 120_000);
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  });

  test.each(names)("the notebook %s runs without an error and draws a chart", { timeout: 120_000 }, async (name) => {
    const given = join(folder, `${name}.ipynb`);
    const options = ["--to", "notebook", "--execute", "--log-level", "ERROR", "--output-dir", home];
    await run(python ?? "", ["-m", "nbconvert", ...options, given], { env: environment, cwd: home });
    const outputs = cellsOf(join(home, `${name}.ipynb`)).flatMap((cell) => cell.outputs ?? []);
    expect(outputs.filter((output) => output.output_type === "error")).toEqual([]);
    const charts = outputs.flatMap(({ data }) => data?.["image/png"] ?? []);
    expect(charts.length).toBe(1);
    const chart = Buffer.from(charts[0] ?? "", "base64");
    expect(chart.length).toBeLessThanOrEqual(maxChartBytes);
    // `make notebooks` writes the pictures of the documentation.
    if (process.env.IDS_WRITE_CHARTS !== "on") return;
    mkdirSync(join(root, "docs/img/notebooks"), { recursive: true });
    writeFileSync(join(root, `docs/img/notebooks/${name}.png`), chart);
  });
});
