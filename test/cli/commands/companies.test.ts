import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { type Monitoring, monitoring, scopes } from "../../support/domains/monitoring.ts";
import { freshFolder, ids } from "../terminal.ts";

const folder = freshFolder();
let app: TestApp;
let api: Monitoring;
let open: () => Promise<{ id: string; as: Record<string, string> }>;

beforeAll(async () => {
  const database = await openOnce();
  app = await startApp(database);
  api = monitoring(app, database);
  open = async () => {
    const { id, key } = await openAccount(database, { subscriptions: [{ plan: "pro_monthly" }], scopes });
    return { id, as: { IDS_URL: app.url, IDS_API_KEY: key } };
  };
  return async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  };
});

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test("a CSV of 250 companies is imported in calls of 100, and listed", async () => {
  const { as } = await open();
  const lines = Array.from({ length: 250 }, (_, index) => `Company ${index},GB,,`);
  lines[3] = "Harrowgate Pumps plc , US,HGP,paused";
  const path = file("companies.csv", `\uFEFFname,domicile,ticker,state\r\n${lines.join("\r\n")}\r\n`);
  const imported = await ids(as, "companies", "import", path);
  expect(imported).toMatchObject({ err: "", status: 0 });
  expect(imported.out.split("\n")).toHaveLength(252);
  expect(imported.out).toMatch(
    /^created +cm_company_[0-9A-Z]{26} +Harrowgate Pumps plc +US +HGP +paused +2026-11-18T12:00:00\.000Z$/m,
  );
  const listed = JSON.parse((await ids(as, "companies", "list", "--json")).out);
  expect(listed).toHaveLength(250);
  expect((await ids(as, "companies", "list")).out).toMatch(/^cm_company_[0-9A-Z]{26} +Company 249 +GB +active/m);
  const again = await ids(as, "companies", "import", path, "--json");
  expect(new Set(JSON.parse(again.out).map(({ outcome }: { outcome: string }) => outcome))).toEqual(
    new Set(["unchanged"]),
  );
});

test("JSON is a list of companies in the contract's own words", async () => {
  const { as } = await open();
  const companies = [
    { name: "Alder Mill Ltd", domicile: "GB", domain: "alder-mill.example" },
    { name: "Birch Foods Inc", domicile: "US", state: "MONITORED_COMPANY_STATE_PAUSED" },
  ];
  const { out } = await ids(as, "companies", "import", file("companies.json", JSON.stringify(companies)), "--json");
  expect(JSON.parse(out)).toMatchObject(companies.map((company) => ({ company, outcome: "created" })));
});

test("impacts are listed, as a table or as the API writes them", async () => {
  const { id, as } = await open();
  const path = file("one.csv", "name,domicile\nAlder Mill Ltd,GB\n");
  const [{ company }] = JSON.parse((await ids(as, "companies", "import", path, "--json")).out);
  const impact = await api.admit(id, company.companyId);
  expect(JSON.parse((await ids(as, "impacts", "list", "--json")).out)).toEqual([impact]);
  expect((await ids(as, "impacts", "list")).out).toMatch(
    new RegExp(
      `^${impact.impactId} +${company.companyId} +admitted +negative +medium +0\\.75 +2026.* +The strike`,
      "m",
    ),
  );
});

test("errors of a file or the service are reported with their place in the file", async () => {
  const { as } = await open();
  const reported = async (name: string, content: string | Buffer) => {
    const path = file(name, content);
    const { err, status } = await ids(as, "companies", "import", path);
    expect(status).toBe(1);
    return err.replaceAll(path, name);
  };
  const names = "use one of companyId, name, domicile, ticker, lei, domain, state";
  expect(await reported("a.csv", "name,country\nAlder,GB\n")).toBe(`ids: a.csv: unknown field "country"; ${names}\n`);
  expect(await reported("n.json", '[{"name":"Alder"},{"Name":"Birch"}]')).toBe(
    `ids: n.json: unknown field "Name"; ${names}\n`,
  );
  expect(await reported("b.csv", "name,domicile\nAlder,GB,1\n")).toBe(
    "ids: b.csv: 0 companies were imported, and 1 rows were not. Correct them and import again: line 2 has 3 cells, the head 2\n",
  );
  expect(await reported("g.csv", 'name,domicile,state\n\n"Alder\nand Sons",GB,\n\nBirch,GB,gone\n')).toMatch(/line 6/);
  expect(await reported("l.csv", Buffer.from("name,domicile\nAlder,GB\nSoci\xe9t\xe9,US\n", "latin1"))).toBe(
    "ids: l.csv is not UTF-8, see line 3: save the file as CSV UTF-8, or with the encoding UTF-8\n",
  );
  expect(await reported("m.csv", Buffer.from("\uFEFFname,domicile\nAlder,GB\n", "utf16le"))).toMatch(
    /^ids: m\.csv is UTF-16/,
  );
  for (const [name, content] of [
    ["h.csv", "\n"],
    ["i.csv", "name,domicile\n"],
    ["j.json", "[]"],
  ] as const)
    expect(await reported(name, content)).toBe(`ids: ${name} contains no companies\n`);
  expect(await reported("k.json", '\uFEFF[{"name":"Alder","domicile":"FR"}]')).toMatch(
    /^ids: item 1 domicile: must be in/,
  );
  expect(await reported("c.json", "{}")).toBe("ids: c.json must be a list of companies\n");
  expect(await reported("d.json", "[1]")).toMatch(/^ids: d\.json, item 1: /);
  expect(await reported("e.json", "[")).toMatch(/^ids: e\.json is not valid JSON: /);
  const rows = Array.from({ length: 120 }, (_, index) => `Company ${index},${index === 110 ? "FR" : "GB"}`);
  expect(await reported("f.csv", `name,domicile\n${rows.join("\n")}\n`)).toMatch(
    /^ids: line 112 domicile: must be in list/,
  );
  // The batch before it stays.
  expect(JSON.parse((await ids(as, "companies", "list", "--json")).out)).toHaveLength(100);
  const missing = await ids(as, "companies", "import", join(folder, "none.csv"));
  expect(missing).toMatchObject({
    err: expect.stringMatching(/none\.csv cannot be read: there is no such file\n$/),
    status: 1,
  });
});

test("an import of which no row is accepted prints no table", async () => {
  const { as } = await open();
  for (const content of ["name,domicile\nAlder,FR\n", "name,domicile\nAlder,GB,1\n"]) {
    const path = file("none-accepted.csv", content);
    expect(await ids(as, "companies", "import", path)).toMatchObject({ out: "", status: 1 });
    expect((await ids(as, "companies", "import", path, "--json")).out).toBe("[]\n");
  }
});

test("a row with a quotation mark out of place is left out with its line, and a row of empty cells is none", async () => {
  const { as } = await open();
  const path = file("marks.csv", 'name,domicile\nAlder,GB\nBirch 12" pipes,US\nRowan,GB\n,\n');
  const { out, err, status } = await ids(as, "companies", "import", path);
  expect([out.includes("Alder"), out.includes("Rowan"), status]).toEqual([true, true, 1]);
  expect(err).toContain("2 companies were imported, and 1 rows were not");
  expect(err).toContain("line 3 has a misplaced quotation mark");
});
