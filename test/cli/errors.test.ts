import { createServer } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { errorText } from "../../src/cli/failures.ts";
import { Unavailable } from "../../src/errors.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { freshFolder, ids } from "./terminal.ts";

let app: TestApp;
let operator: Record<string, string>;

beforeAll(async () => {
  const database = await openOnce();
  app = await startApp(database);
  operator = { IDS_URL: app.url, IDS_API_KEY: await app.key("operator") };
  return async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  };
});

test.each([
  ["an unknown key", { IDS_API_KEY: `ids_${"0".repeat(40)}` }, "IDS_API_KEY (or IDS_OPERATOR_KEY) must be a key of"],
  ["a host without an address", { IDS_URL: "http://nowhere.invalid" }, "The host in IDS_URL has no address"],
  ["a port without a listener", { IDS_URL: "http://127.0.0.1:2" }, "start the service, or set PORT or IDS_URL"],
])("of %s the error names the setting to change", async (_what, settings, remedy) => {
  const { out, err, status } = await ids({ ...operator, ...settings }, "get", "list-accounts");
  expect({ out, status }).toEqual({ out: "", status: 1 });
  expect(err).toMatch(/^ids: [^\n]+\n$/);
  expect(err).toContain(remedy);
});

test("a key without permission is reported as such", async () => {
  const free = { ...operator, IDS_API_KEY: await app.key("api_starter") };
  const { err, status } = await ids(free, "get", "list-accounts");
  expect(err).toContain("the key in IDS_API_KEY may not do this; `ids get get-caller` shows its account\n");
  expect(status).toBe(1);
});

test("a service without TLS behind an https URL is reported without the words of the TLS library", async () => {
  const { err } = await ids({ ...operator, IDS_URL: app.url.replace("http:", "https:") }, "get", "get-caller");
  expect(err).toBe("ids: The host in IDS_URL does not speak TLS: write http:// instead of https://\n");
});

test.each([
  [["get", "get-risk-score-explanation", "--region", "zz"], "--region: value must be a country: "],
  [["get", "get-resilience-score-explanation", "--country-code", "x1"], "--country-code: value must be a country: "],
  [
    ["call", "create-account", "--id", "A!b"],
    "--id: value must be up to 64 letters, digits, dots, hyphens and underscores",
  ],
  [
    ["call", "set-scopes", "--account", "acme", "--scopes", "bogus"],
    "--scopes[0]: value must be a scope such as company_monitoring:read",
  ],
])("ids %j is refused in words, not with a regular expression", async (args, words) => {
  const { err, status } = await ids(operator, ...args);
  expect(err).toContain(words);
  expect(err).not.toMatch(/regex|\^|\\/);
  expect(status).toBe(1);
});

test("a missing certificate that DATABASE_URL names is reported with its path", async () => {
  const server = createServer((socket) => socket.once("data", () => socket.end("S")));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const DATABASE_URL = `postgres://ids@127.0.0.1:${port}/ids?sslmode=verify-full&sslrootcert=/none/root.pem`;
  const { err, status } = await ids({ DATABASE_URL, IDS_DATA_DIR: freshFolder() }, "migrate");
  expect(err).toBe("ids: /none/root.pem cannot be opened: there is no such file; check the settings that name it\n");
  expect(status).toBe(1);
  await new Promise((resolve) => server.close(resolve));
});

test("an unreadable file and an invalid certificate are reported without the words of the system", () => {
  const denied = Object.assign(new Error("EACCES: permission denied"), {
    ...{ code: "EACCES", syscall: "open", path: "/etc/ids/key.pem" },
  });
  expect(errorText(denied)).toBe(
    "/etc/ids/key.pem cannot be opened: this user has no permission; check the settings that name it",
  );
  const garbled = Object.assign(new Error("error:0480006C:PEM routines"), { code: "ERR_OSSL_PEM_NO_START_LINE" });
  expect(errorText(new Unavailable("The database is out of reach", { cause: garbled }))).toMatch(
    /^A certificate or key isn't a PEM file .*DATABASE_URL$/,
  );
});
