import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { root } from "../support/servers/go.ts";

const run = promisify(execFile);

/** A block of a page that reads a response as a table. */
interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** The module that it imports first, or the language. */
  readonly tool: string;
}

const languages = ["python", "r", "powerquery"];
const blocks = ["README.md", "docs/data-tools.md"].flatMap((page) =>
  languages.flatMap((language) =>
    [...readFileSync(join(root, page), "utf8").matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(
      ([, text = ""]): Block => ({ page, language, text, tool: /^import (\w+)/.exec(text)?.[1] ?? language }),
    ),
  ),
);

let database: Database;
let app: TestApp;
let key: string;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "ids-data-tools-"));
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("conflict-events");
  await app.refresh("internet-outages");
  key = await app.key("enterprise");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
  rmSync(home, { recursive: true });
});

/** Arrow's threads may still run when an interpreter that had little to do is torn down, which aborts it. */
const endPython = "os._exit(0)";

/** The program and its parameters that print how many rows the table of a block has. */
function counting({ language, text }: Block): [program: string, parameters: readonly string[]] {
  const ours = text.replaceAll("http://127.0.0.1:8080", app.url);
  const table = /^(events|outages) (?:=|<-)/m.exec(text)?.[1];
  return language === "r"
    ? ["Rscript", ["--vanilla", "-e", `KEY <- "${key}"\n${ours}\ncat(nrow(${table}))`]]
    : ["python3", ["-c", `import os\nKEY = "${key}"\n${ours}\nprint(len(${table}), flush=True)\n${endPython}`]];
}

function isHere({ language, tool }: Block): boolean {
  // DuckDB reads URLs with an extension, which it would download.
  const probe = tool === "duckdb" ? "import duckdb; duckdb.load_extension('httpfs')" : `import ${tool}`;
  const [program, ...parameters] = language === "r" ? ["Rscript", "--version"] : ["python3", "-c", probe];
  const { status } = spawnSync(program ?? "", parameters, { stdio: "ignore", timeout: 120_000 });
  if (status !== 0) console.warn(`${tool} is not on this machine: ITS BLOCK IS SKIPPED`);
  return status === 0;
}

/** The rows of the response that a block reads. */
async function rowsOf({ text }: Block): Promise<readonly string[]> {
  const [path = ""] = /\/api\/[^"]+/.exec(text) ?? [];
  const response = await app.get(path.replace(/format=.*/, "format=ndjson"), { key });
  return (await response.text()).trimEnd().split("\n");
}

test("both pages have a block for each tool", () => {
  const toolsOf = (page: string) => [
    ...new Set(blocks.filter((block) => block.page === page && block.tool !== "python").map(({ tool }) => tool)),
  ];
  expect(toolsOf("README.md")).toEqual(["pandas", "polars", "duckdb", "r"]);
  expect(toolsOf("docs/data-tools.md")).toEqual(["pandas", "polars", "duckdb", "r", "powerquery"]);
});

for (const block of blocks.filter(({ language }) => language !== "powerquery"))
  test.skipIf(!isHere(block))(
    `the block of ${block.page} for ${block.tool} reads every row: ${block.text}`,
    async () => {
      const [program, parameters] = counting(block);
      const { stdout } = await run(program, parameters, { cwd: home, timeout: 60_000 });
      expect(Number(stdout)).toBe((await rowsOf(block)).length);
    },
  );

test("the address for Excel is of a CSV file as its line says it is", async () => {
  const [block] = blocks.filter(({ language }) => language === "powerquery");
  const [path = ""] = /\/api\/[^"]+/.exec(block?.text ?? "") ?? [];
  const response = await app.get(path, { key: null });
  expect(response.headers.get("content-type")).toContain("text/csv");
  const bytes = Buffer.from(await response.arrayBuffer());
  const rows: string[][] = parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), { delimiter: "," });
  expect(rows.length - 1).toBe((await rowsOf({ page: "", language: "", tool: "", text: path })).length);
});
