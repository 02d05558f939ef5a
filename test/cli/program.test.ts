import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { readConfig } from "../../src/config/config.ts";
import { freshFolder, ids } from "./terminal.ts";

const IDS_DATA_DIR = freshFolder();
const commands = ["serve", "work", "migrate", "ingest", "doctor", "openapi", "policies", "keys", "get", "call"];
const contract = (file: string) => readFileSync(new URL(`../../gen/openapi/${file}`, import.meta.url), "utf8");

test.each([["--help"], ["help"]])("ids %s names every command", async (word) => {
  const { out, err, status } = await ids({}, word);
  expect({ err, status }).toEqual({ err: "", status: 0 });
  for (const command of commands) expect(out).toMatch(new RegExp(`^ {2}${command}\\b`, "m"));
});

test("ids without arguments shows its help as a failure", async () => {
  expect(await ids({})).toEqual({ out: "", err: expect.stringContaining("Usage: ids"), status: 2 });
});

test.each([
  ["bogus"],
  ["keys", "bogus"],
  ["keys", "create", "acme"],
  ["dataset", "release"],
  ["serve", "--bogus"],
  ["doctor", "too", "much"],
  ["listen", "--count", "many"],
  ["help", "bogus"],
  ["help", "keys", "bogus"],
])("a wrong command line (ids %s %s %s) is reported in one line, exits with 2, and is not run", async (...args) => {
  const { out, err, status } = await ids({ IDS_DATA_DIR }, ...args.filter((arg) => arg !== undefined));
  expect({ out, status }).toEqual({ out: "", status: 2 });
  expect(err).toMatch(/^error: [^\n]+\n$/);
});

test.each([
  [["doctr"], "unknown command 'doctr'", "doctor"],
  [["keys", "crate"], "unknown command 'crate'", "create"],
  [["help", "key"], "unknown command 'key'", "keys"],
  [["serve", "--no-wrk"], "unknown option '--no-wrk'", "--no-work"],
])("ids %j names the nearest that exists, and nothing else", async (args, wrong, nearest) => {
  const err = `error: ${wrong}\n(Did you mean ${nearest}?)\n`;
  expect(await ids({ IDS_DATA_DIR }, ...args)).toEqual({ out: "", err, status: 2 });
});

test.each(["--version", "-V"])(
  "ids %s prints the versions of the program and of Node.js in one line",
  async (option) => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const out = `ids ${version} (Node.js ${process.versions.node})\n`;
    expect(await ids({}, option)).toEqual({ out, err: "", status: 0 });
  },
);

test("the help is grouped by purpose, and the help of every command fits 80 columns", async () => {
  const { out } = await ids({}, "help");
  expect(out.match(/^[A-Z][a-z ]+:$/gm)).toEqual(["Options:", "Serving:", "Data:", "Running service:", "Operating:"]);
  const root = createProgram({
    environment: {},
    config: () => readConfig({}),
    out: process.stdout,
    err: process.stderr,
  });
  const names = (command: typeof root): string[][] =>
    command.commands.flatMap((each) => [[each.name()], ...names(each).map((rest) => [each.name(), ...rest])]);
  for (const words of [[], ...names(root)]) {
    const help = await ids({}, "help", ...words);
    expect(help).toMatchObject({
      err: "",
      status: 0,
      out: expect.stringContaining(`Usage: ${["ids", ...words].join(" ")}`),
    });
    expect(Math.max(...help.out.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
  }
});

test("ids openapi prints the committed contract, byte for byte", async () => {
  expect(await ids({}, "openapi")).toEqual({ out: contract("openapi.json"), err: "", status: 0 });
});

test("ids openapi --out writes the committed contract", async () => {
  const folder = join(IDS_DATA_DIR, "contract");
  expect(await ids({}, "openapi", "--out", folder)).toEqual({ out: "", err: "", status: 0 });
  expect(readFileSync(join(folder, "openapi.json"), "utf8") === contract("openapi.json")).toBe(true);
});

test("ids migrate can be run again and again", async () => {
  for (let time = 0; time < 2; time++)
    expect(await ids({ IDS_DATA_DIR }, "migrate")).toEqual({
      out: "The embedded database is up to date.\n",
      err: "",
      status: 0,
    });
});

test("ids work without a shared database says which variable it needs", async () => {
  expect(await ids({ IDS_DATA_DIR }, "work")).toEqual({
    out: "",
    err: expect.stringMatching(/^ids: .*set DATABASE_URL\n$/),
    status: 1,
  });
});

test("an unreachable Postgres is reported in one line without the password", async () => {
  const DATABASE_URL = "postgres://ids:topsecret@127.0.0.1:1/ids";
  const { err, status } = await ids({ DATABASE_URL, IDS_DATA_DIR }, "migrate");
  expect(status).toBe(1);
  expect(err).toMatch(/^ids: [^\n]+\n$/);
  expect(err).not.toContain("topsecret");
});

test.each(["doctor", "migrate"])(
  "ids %s says that the database does not respond, and which setting names it",
  async (command) => {
    const environment = { DATABASE_URL: "postgres://ids:secret-word@127.0.0.1:1/ids", IDS_SECRET_KEY: "ab".repeat(32) };
    const { err, status } = await ids(environment, command);
    expect(err).toMatch(/^ids: The database is out of reach: check DATABASE_URL/);
    expect(err).not.toContain("secret-word");
    expect(status).toBe(1);
  },
);
