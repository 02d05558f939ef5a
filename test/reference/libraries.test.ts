import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { libraries } from "../../src/reference/libraries.ts";
import { freshFolder } from "../cli/terminal.ts";
import { startServeProcess } from "../support/processes/serve-process.ts";

const noted = new URL("../support/processes/note-loaded.mjs", import.meta.url).href;
/** Packages, and the comments of the contract, that a process holds from their first use on. */
const later = [
  ...["@modelcontextprotocol/server", "@rapideditor/country-coder", "cheerio", "fast-xml-parser", "hyparquet-writer"],
  ...["ical.js", "nodemailer", "parse5", "undici", "pg-boss", "comments.ts"],
];

/** The modules of the list above that a process loads. It writes them to a file. */
async function loadedBy(run: (environment: Record<string, string>) => unknown): Promise<string[]> {
  const file = join(freshFolder(), "loaded");
  await run({ NODE_OPTIONS: `--import ${noted}`, LOADED_FILE: file });
  const names = readFileSync(file, "utf8")
    .split("\n")
    .map((url) => url.split("/node_modules/").at(-1) ?? "")
    .map((path) => /^(?:.*\/gen\/es\/(comments\.ts)|(@[^/]+\/[^/]+|[^/]+).*)$/.exec(path))
    .flatMap((match) => match?.[1] ?? match?.[2] ?? []);
  expect(names).toContain("kysely");
  return later.filter((name) => names.includes(name));
}

test("a service without requests for pages, tools, or files loads none of the rare libraries", async () => {
  const loaded = await loadedBy(async (environment) => {
    await using service = await startServeProcess({ IDS_DATA_DIR: freshFolder(), ...environment }, ["--no-work"]);
    await service.firstSuccess("/api/health");
  });
  expect(loaded).toEqual([]);
});

test("what refreshes loads none of them before there is something to refresh, but for the queue", async () => {
  const worker = fileURLToPath(new URL("../../src/runtime/work/worker.ts", import.meta.url));
  const loaded = await loadedBy((environment) =>
    execFileSync(process.execPath, ["-e", `import(${JSON.stringify(worker)})`], {
      env: { PATH: process.env.PATH, ...environment },
    }),
  );
  expect(loaded).toEqual(["pg-boss"]);
});

test("every one of them comes when it is called for", () => {
  expect(libraries.cheerio().load("<p>a<p>b")("p").length).toBe(2);
  expect(new (libraries.xml().XMLParser)().parse("<a>1</a>")).toEqual({ a: 1 });
  expect(libraries.countryCoder().iso1A2Code([13.4, 52.5])).toBe("DE");
  expect(libraries.calendar().parse("BEGIN:VCALENDAR\r\nEND:VCALENDAR")).toEqual(["vcalendar", [], []]);
  expect(new (libraries.parquet().ByteWriter)().index).toBe(0);
  expect(libraries.mail().createTransport({ url: "smtp://127.0.0.1" })).toHaveProperty("sendMail");
  expect(new (libraries.undici().Response)("text", { status: 201 }).status).toBe(201);
});
