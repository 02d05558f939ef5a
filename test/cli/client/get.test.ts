import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { catalog, kebab } from "../../../src/contract/catalog.ts";
import { startScriptedServer } from "../../sdk/scripted-server.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { described } from "../../support/described.ts";
import { freshFolder, ids, idsOnTerminal, idsRedirected } from "../terminal.ts";

const folder = freshFolder();
const events = "/api/conflict/v1/list-conflict-events";
let app: TestApp;
let as: { IDS_URL: string; IDS_API_KEY: string };

beforeAll(async () => {
  const database = await openOnce();
  app = await startApp(database);
  await app.refresh("conflict-events");
  as = { IDS_URL: app.url, IDS_API_KEY: await app.key("pro_monthly") };
  return async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  };
});

const served = async (path: string) => (await app.get(path)).text();

test("ids get writes the answer to its parameters byte for byte, in each format", async () => {
  for (const format of ["json", "csv", "ndjson", "geojson", "atom"]) {
    const { out, err, status } = await ids(as, "get", "list-conflict-events", "--country", "SD", "--format", format);
    expect({ err, status }).toEqual({ err: "", status: 0 });
    expect(out).toBe(await served(`${events}?country=SD&format=${format}`));
  }
  const { out } = await ids(as, "get", "ListConflictEvents", "--limit=3", "--jmespath", "length(events)");
  expect(out).toBe("3");
});

test("on a terminal JSON is indented and ends with a line break, and nothing in it steers the terminal", async () => {
  const { out } = await idsOnTerminal(80, as, "get", "list-conflict-events", "--limit=1");
  expect(out).toMatch(/^\{\n {2}"events": \[\n {4}\{\n[\s\S]*\n\}\n$/);
});

test("a list is given once for each value, a switch by its name, and a country as everywhere", async () => {
  const types = ["--event-type", "battles", "--event-type", "non-state conflict"];
  const { out } = await ids(as, "get", "list-conflict-events", ...types, "--format", "csv", "--raw");
  expect(out).toBe(await served(`${events}?event_type=battles,non-state conflict&format=csv&raw=true`));
  const twin = await ids(as, "get", "get-risk-scores", "--country", "Ukraine");
  expect(twin.err).not.toContain("unknown option");
});

test("all pages go into a file, which has its name when it is whole", async () => {
  const file = join(folder, "events.csv");
  const { out, err, status } = await ids(
    ...[as, "get", "list-conflict-events", "--format", "csv", "--all", "--output", file],
  );
  expect({ out, err, status }).toEqual({ out: "", err: "", status: 0 });
  expect(readFileSync(file, "utf8")).toBe(await served(`${events}?format=csv&all=true`));
  expect(readdirSync(folder)).toEqual(["events.csv"]);
});

test("the next page is announced on standard error, with the command for it", async () => {
  const page = ["get", "list-conflict-events", "--limit", "2", "--format", "csv"];
  const { out, err, status } = await ids(as, ...page);
  expect({ out, status }).toEqual({ out: await served(`${events}?limit=2&format=csv`), status: 0 });
  const [, after = ""] =
    /^ids: More rows follow: continue with --after '(.+)', or write all with --all\n$/.exec(err) ?? [];
  const next = await ids(as, ...page, "--after", after);
  expect(next.out).toBe(await served(`${events}?limit=2&format=csv&after=${after}`));
  expect(next.out).not.toBe(out);
});

test("an answer that breaks off is a failure that says how to begin again, and never has the file's name", async () => {
  const file = join(folder, "broken.csv");
  await using server = await startScriptedServer("breaks midway");
  const broken = { IDS_URL: server.url, IDS_API_KEY: "secret" };
  const sendRequest = ["get", "list-conflict-events", "--format", "csv", "--all"];
  const reported = expect.stringMatching(
    /^ids: The connection broke after \d+ bytes, so the response is incomplete: start again, or read pages with --limit and --after, which can continue after a break\n$/,
  );
  expect(await ids(broken, ...sendRequest, "--output", file)).toEqual({ out: "", err: reported, status: 1 });
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  expect(await ids(broken, ...sendRequest)).toMatchObject({ err: reported, status: 1 });
  expect(server.requests[0]).toMatchObject({ url: `${events}?format=csv&all=true`, method: "GET" });
});

test("a rejection of the service is reported in its words, with the wrong option", async () => {
  const rejected = async (environment: Record<string, string>, ...args: string[]) => {
    const { out, err, status } = await ids(environment, "get", ...args);
    expect({ out, status }).toEqual({ out: "", status: 1 });
    return err;
  };
  expect(await rejected(as, "list-conflict-events", "--format", "xml")).toMatch(
    /^ids: --format: value must be one of json, .* \(400\)\n$/,
  );
  expect(await rejected(as, "list-conflict-events", "--min-fatalities", "many")).toMatch(/^ids: --min-fatalities: /);
  expect(await rejected(as, "list-conflict-events", "--jmespath", "[")).toMatch(/^ids: --jmespath: /);
  expect(await rejected({ IDS_URL: app.url }, "list-internet-outages")).toMatch(/\(401\): IDS_API_KEY/);
  expect(await rejected(as, "list-conflict-events", "--key", "wrong", "--all", "--format", "csv")).toMatch(/\(401\): /);
  expect(await rejected(as, "list-accounts")).toMatch(/\(403\): the key in IDS_API_KEY may not do this/);
  const gone = await startScriptedServer();
  await gone[Symbol.asyncDispose]();
  expect(await rejected({ IDS_URL: gone.url }, "list-datasets")).toBe(
    `ids: No service responds at ${new URL(gone.url).host}: start the service, or set PORT or IDS_URL\n`,
  );
  expect(await rejected(as, "list-datasets", "--output", join(folder, "none", "a.json"))).toMatch(
    /a\.json.* cannot be opened: there is no such file/,
  );
});

test("a wrong command line is reported with the nearest name and the choices, without a request", async () => {
  const none = { IDS_URL: "http://127.0.0.1:1" };
  const wrong = async (...args: string[]) => {
    const { out, err, status } = await ids(none, "get", ...args);
    expect({ out, status }).toEqual({ out: "", status: 2 });
    return err;
  };
  expect(await wrong("list-conflict-event")).toBe(
    "error: unknown command 'list-conflict-event'\n(Did you mean list-conflict-events?)\n",
  );
  expect(await wrong("get-risk-scores", "--contry", "UA")).toBe(
    "error: unknown option '--contry'\n(Did you mean --country?)\n(get-risk-scores accepts --region, --country, --jmespath, --as-of, --updated-after, --cite, --format, --rows, --raw, --columns, --output, --table, --key)\n",
  );
  expect(await wrong("get-webhook")).toContain("required option '--subscriber-id <value>' not specified");
  expect(await wrong("create-api-key", "--name", "x")).toBe(
    "ids: create-api-key changes data: use `ids call` (see /docs/create-api-key)\n",
  );
  expect(await wrong("run-batch")).toContain("run-batch requires a JSON body");
  expect(await wrong("list-datasets", "--table", "--format", "csv")).toContain("cannot be used with option");
  for (const format of ["parquet", "xlsx"]) {
    const { err, status } = await idsOnTerminal(80, none, "get", "list-conflict-events", "--format", format);
    expect({ err, status }).toEqual({ err: expect.stringContaining("name a file with --output"), status: 2 });
  }
});

test("a field of the path is filled in", async () => {
  await using server = await startScriptedServer({ status: 200, body: { id: "a/b" } });
  const { out } = await ids({ IDS_URL: server.url }, "get", "get-webhook", "--subscriber-id", "a/b");
  expect(out).toBe('{"id":"a/b"}');
  expect(server.requests[0]?.url).toBe("/api/v2/shipping/webhooks/a%2Fb");
});

test("how much has come is shown to a person, and gone in the end", async () => {
  const { out, err } = await idsRedirected(as, "get", "list-conflict-events", "--format", "csv");
  expect(out).toBe(await served(`${events}?format=csv`));
  const [before, shown = "", ...more] = err.split("\r");
  expect(before).toBe("");
  expect(shown).toMatch(/^\d+\.\d MB, \d+\.\d MB\/s/);
  expect(more.at(-1)).toBe("\u{1b}[K");
});

test("ids get lists every read, each with help that fits a terminal", async () => {
  const reads = catalog.filter(({ read, queried }) => read && queried).map(({ name }) => kebab(name));
  const fits = (text: string) => Math.max(...text.split("\n").map(({ length }) => length)) <= 80;
  const list = await idsOnTerminal(80, {}, "get", "--help");
  expect(fits(list.out)).toBe(true);
  for (const read of reads) {
    expect(list.out).toMatch(new RegExp(`^ {2}${read}\\b`, "m"));
    const { out, status } = await idsOnTerminal(80, {}, "get", read, "--help");
    expect({ status, fits: fits(out) }).toEqual({ status: 0, fits: true });
  }
});

test("the help of a read lists what each parameter may be, as the document has it", async () => {
  const listed: string[] = [];
  for (const { name, path, read, queried } of catalog) {
    if (!read || !queried) continue;
    const { out } = await ids({}, "get", kebab(name), "--help");
    const help = out.replaceAll(/\s+/g, " ");
    for (const parameter of described(path).parameters) {
      const { enum: values } = parameter.schema.items ?? parameter.schema;
      if (!values || parameter.in === "header") continue;
      listed.push(`${name} ${parameter.name}`);
      expect(help, listed.at(-1)).toContain(`One of: ${values.filter((value) => value !== "").join(", ")}.`);
    }
  }
  expect(listed).toEqual(expect.arrayContaining(["GetDataset name", "ListChanges datasets", "GetSeries series"]));
});
