import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { catalog, kebab } from "../../../src/contract/catalog.ts";
import { openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { type Monitoring, monitoring, scopes } from "../../support/domains/monitoring.ts";
import { freshFolder, ids, idsOnTerminal } from "../terminal.ts";

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

const importing = (path: string) => ["call", "import-companies", "--companies", path];

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test("a CSV of 250 companies is sent in calls of 100, and listed", async () => {
  const { as } = await open();
  const lines = Array.from({ length: 250 }, (_, index) => `Company ${index},GB,,`);
  lines[3] = "Harrowgate Pumps plc , US,HGP,paused";
  const path = file("companies.csv", `\uFEFFname,domicile,ticker,state\r\n${lines.join("\r\n")}\r\n`);
  const imported = await ids(as, ...importing(path), "--table");
  expect(imported).toMatchObject({ err: "", status: 0 });
  expect(imported.out.match(/ created$/gm)).toHaveLength(250);
  expect(imported.out).toMatch(
    /^cm_company_[0-9A-Z]{26} +1 +Harrowgate Pumps plc +US +HGP +paused .*2026-11-18T12:00:00\.000Z +created$/m,
  );
  const listed = await ids(as, "get", "list-monitored-companies", "--page-size", "100", "--all", "--table");
  expect(listed).toMatchObject({ err: "", status: 0 });
  expect(listed.out.match(/^cm_company_/gm)).toHaveLength(250);
  expect(listed.out).toMatch(/^cm_company_[0-9A-Z]{26} +1 +Company 249 +GB +active/m);
  const page = await ids(as, "get", "list-monitored-companies", "--table");
  expect(page.err).toMatch(/^ids: More rows follow: continue with --cursor 'cmc1\.\S+', or write all with --all\n$/);
  const again = await ids(as, ...importing(path));
  expect(new Set(again.out.match(/"outcome": "\w+"/g))).toEqual(new Set(['"outcome": "unchanged"']));
});

test("a list of companies is JSON in the words of the contract, in a file or on the command line", async () => {
  const { as } = await open();
  const companies = [
    { name: "Alder Mill Ltd", domicile: "GB", domain: "alder-mill.example" },
    { name: "Birch Foods Inc", domicile: "US", state: "MONITORED_COMPANY_STATE_PAUSED" },
  ];
  const json = JSON.stringify(companies);
  const { out } = await ids(as, ...importing(file("companies.json", json)));
  const outcome = (word: string) => ({ companies: companies.map((company) => ({ company, outcome: word })) });
  expect(JSON.parse(out)).toMatchObject(outcome("created"));
  expect(JSON.parse((await ids(as, ...importing(json))).out)).toMatchObject(outcome("unchanged"));
  const body = file("body.json", JSON.stringify({ companies }));
  const whole = await ids(as, "call", "import-companies", "--body", body);
  expect(JSON.parse(whole.out)).toMatchObject(outcome("unchanged"));
});

test("impacts are listed as tables, or as the service returns them", async () => {
  const { id, as } = await open();
  const path = file("one.csv", "name,domicile\nAlder Mill Ltd,GB\n");
  const [{ company }] = JSON.parse((await ids(as, ...importing(path))).out).companies;
  const impact = await api.admit(id, company.companyId);
  expect(JSON.parse((await ids(as, "get", "list-company-event-impacts")).out).impacts).toEqual([impact]);
  const { out } = await ids(as, "get", "list-company-event-impacts", "--table");
  expect(out).toMatch(
    new RegExp(`^${impact.impactId} .*${company.companyId} +negative +admitted .*medium .*0\\.75`, "m"),
  );
});

test("errors of a file or the service are reported with their place in the file", async () => {
  const { as } = await open();
  const reported = async (name: string, content: string | Buffer) => {
    const path = file(name, content);
    const { err, status } = await ids(as, ...importing(path));
    expect(status).toBe(1);
    return err.replaceAll(path, name);
  };
  const names = "use one of companyId, name, domicile, ticker, lei, domain, state";
  expect(await reported("a.csv", "name,country\nAlder,GB\n")).toBe(`ids: a.csv: unknown field "country"; ${names}\n`);
  expect(await reported("n.json", '[{"name":"Alder"},{"Name":"Birch"}]')).toBe(
    `ids: n.json: unknown field "Name"; ${names}\n`,
  );
  expect(await reported("b.csv", "name,domicile\nAlder,GB,1\n")).toBe(
    "ids: b.csv: 0 rows were sent, and 1 were not. Correct them and send them again: line 2 has 3 cells, the head 2\n",
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
    expect(await reported(name, content)).toBe(`ids: ${name} contains no rows\n`);
  expect(await reported("k.json", '\uFEFF[{"name":"Alder","domicile":"FR"}]')).toMatch(
    /^ids: k\.json, item 1 domicile: must be in/,
  );
  expect(await reported("c.json", "{}")).toBe("ids: c.json must be a list\n");
  expect(await reported("d.json", "[1]")).toMatch(/^ids: d\.json, item 1: /);
  expect(await reported("e.json", "[")).toMatch(/^ids: e\.json is not valid JSON: /);
  const rows = Array.from({ length: 120 }, (_, index) => `Company ${index},${index === 110 ? "FR" : "GB"}`);
  expect(await reported("f.csv", `name,domicile\n${rows.join("\n")}\n`)).toMatch(
    /^ids: f\.csv, line 112 domicile: must be in list/,
  );
  // The batch before it stays.
  const { out } = await ids(as, "get", "list-monitored-companies", "--page-size", "100");
  expect(JSON.parse(out).companies).toHaveLength(100);
  const missing = await ids(as, ...importing(join(folder, "none.csv")));
  expect(missing).toMatchObject({
    err: expect.stringMatching(/none\.csv cannot be read: there is no such file\n$/),
    status: 1,
  });
});

test("an import of which no row is accepted prints no table", async () => {
  const { as } = await open();
  for (const content of ["name,domicile\nAlder,FR\n", "name,domicile\nAlder,GB,1\n"]) {
    const path = file("none-accepted.csv", content);
    expect(await ids(as, ...importing(path))).toMatchObject({ out: "", status: 1 });
    expect((await ids(as, ...importing(path), "--table")).out).toBe("");
  }
});

test("a row with a quotation mark out of place is left out with its line, and a row of empty cells is none", async () => {
  const { as } = await open();
  const path = file("marks.csv", 'name,domicile\nAlder,GB\nBirch 12" pipes,US\nRowan,GB\n,\n');
  const { out, err, status } = await ids(as, ...importing(path));
  expect([out.includes("Alder"), out.includes("Rowan"), status]).toEqual([true, true, 1]);
  expect(err).toContain("2 rows were sent, and 1 were not");
  expect(err).toContain("line 3 has a misplaced quotation mark");
});

test("a wrong call is reported with the option and the choices, without a request", async () => {
  const wrong = async (...args: string[]) => {
    const { out, err, status } = await ids({ IDS_URL: "http://127.0.0.1:1" }, "call", ...args);
    expect({ out, status }).toEqual({ out: "", status: 2 });
    return err;
  };
  expect(await wrong("list-accounts")).toBe("ids: list-accounts only reads: use `ids get` (see /docs/list-accounts)\n");
  expect(await wrong("rotate-api-key", "--overlap-seconds", "soon")).toBe(
    "ids: --overlap-seconds: value must be an integer\n",
  );
  expect(await wrong("create-api-key", "--only", "secrets")).toBe(
    "ids: --only: secrets is not one of the members secret, key\n",
  );
  expect(await wrong("create-api-key", "--only", "secret", "--table")).toContain("cannot be used with option");
  expect(await wrong("creat-api-key")).toContain("Did you mean create-api-key?");
});

test("every call has help that fits a terminal", async () => {
  const calls = catalog.filter(({ read, queried }) => !(read && queried)).map(({ name }) => kebab(name));
  expect(calls).toEqual(expect.arrayContaining(["create-rule", "run-batch", "register-webhook"]));
  for (const name of calls) {
    const { out, status } = await idsOnTerminal(80, {}, "call", name, "--help");
    expect(status, name).toBe(0);
    expect(Math.max(...out.split("\n").map(({ length }) => length)), name).toBeLessThanOrEqual(80);
  }
});

test("a message is given as JSON, and a batch of reads as a file", async () => {
  const { as } = await open();
  const rule = ["--name", "outages", "--trigger", '{"changes":{"datasets":["internet-outages"]}}'];
  const { out } = await ids(as, "call", "create-rule", ...rule, "--only", "rule.name");
  expect(out).toBe("outages\n");
  const unknown = ["--name", "bad", "--trigger", '{"changes":{"datasets":["none"]}}'];
  const { err } = await ids(as, "call", "create-rule", ...unknown);
  expect(err).toMatch(/^ids: --trigger\.changes\.datasets\[0\]: value must be the name of a dataset/);
  const body = file("batch.json", JSON.stringify({ requests: [{ id: "a", path: "/api/catalog/v1/list-sources" }] }));
  expect(JSON.parse((await ids(as, "call", "run-batch", "--body", body)).out).responses).toMatchObject([{ id: "a" }]);
});

test("the body of a failure is read only in part", async () => {
  let sent = 0;
  const part = Buffer.alloc(1_000_000, "x");
  const server = createServer((_, response) => {
    response.writeHead(400);
    const more = () => {
      while (!response.destroyed && sent < 300_000_000 && response.write(part)) sent += part.length;
    };
    response.on("drain", more);
    more();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { status, err } = await ids({ IDS_URL: url, IDS_API_KEY: "key" }, "get", "list-datasets");
  server.closeAllConnections();
  server.close();
  expect([status, err]).toEqual([1, expect.stringContaining("(400)")]);
  expect(sent).toBeLessThan(50_000_000);
});
