import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { ids } from "../terminal.ts";

describeEachDatabase("ids accounts, keys and usage", (openFresh) => {
  let app: TestApp;
  let database: Awaited<ReturnType<typeof openFresh>>;
  let operator: Record<string, string>;

  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    operator = { IDS_URL: app.url, IDS_API_KEY: await app.key("operator") };
    await app.refresh("internet-outages");
    return app[Symbol.asyncDispose];
  });

  const as = (key: string) => ({ IDS_URL: app.url, IDS_API_KEY: key });

  test("an account is opened, given a key, used, and its key rotated and revoked", async () => {
    const opened = await ids(operator, "accounts", "create", "acme", "--plan", "pro_monthly", "--name", "Acme");
    expect(opened).toMatchObject({ out: expect.stringMatching(/acme\s+Acme\s+pro_monthly/), status: 0 });
    const made = await ids(operator, "keys", "create", "--account", "acme", "--name", "dashboard");
    expect(made).toEqual({
      out: expect.stringMatching(/^ids_[0-9a-f]{40}\n$/),
      err: expect.stringMatching(/^Created key_[0-9a-f]{24} for acme\. The key is shown only once\.\n$/),
      status: 0,
    });
    const key = made.out.trim();
    expect((await ids(as(key), "whoami")).out).toMatch(/^acme on pro_monthly \(tier 1\)\n/);
    await app.get("/api/infrastructure/v1/list-internet-outages", { key });
    await app.settled();
    expect((await ids(as(key), "usage", "--days", "1")).out).toMatch(/ListInternetOutages\s+1\n/);

    const id = /key_[0-9a-f]{24}/.exec(made.err)?.[0] ?? "";
    const rotated = await ids(as(key), "keys", "rotate", id, "--overlap", "0", "--json");
    const { secret, replaced } = JSON.parse(rotated.out);
    expect(replaced.id).toBe(id);
    const listed = await ids(as(secret), "keys", "list");
    expect(listed.out).toMatch(/dashboard/);
    expect(listed.out).not.toContain(secret.slice(9));
    const next = /key_[0-9a-f]{24}/.exec(listed.out)?.[0] ?? "";
    expect(await ids(operator, "keys", "revoke", next)).toMatchObject({ out: `Revoked ${next}.\n`, status: 0 });
    expect(await ids(operator, "keys", "revoke", next)).toMatchObject({ err: "ids: No such active key\n", status: 1 });
  });

  test("a subscription and scopes are set by the operator", async () => {
    await ids(operator, "accounts", "create", "scoped");
    const until = ["--plan", "api_starter", "--until", "2099-01-31"];
    expect((await ids(operator, "accounts", "subscribe", "scoped", ...until)).out).toMatch(
      /scoped\s+scoped\s+api_starter\s+api_starter 2099-01-31T00:00Z/,
    );
    const scoped = await ids(operator, "accounts", "scopes", "scoped", "company_monitoring:read", "--json");
    expect(JSON.parse(scoped.out)).toMatchObject([{ id: "scoped", scopes: ["company_monitoring:read"] }]);
    expect((await ids(operator, "accounts", "list")).out).toMatch(/scoped\s+scoped\s+api_starter/);
  });

  test("a name that would steer the terminal or make lines of its own is printed without that", async () => {
    const name = "\u001b[2Jx\ny\u202ez";
    expect((await ids(operator, "accounts", "create", "tricky", "--name", name)).status).toBe(1);
    // Kept since before such names were refused.
    await ids(operator, "accounts", "create", "tricky");
    await database.kysely.updateTable("account").set({ name }).where("id", "=", "tricky").execute();
    const { out } = await ids(operator, "accounts", "list");
    expect(out).toMatch(/^tricky +\ufffd\[2Jx\ufffdy\ufffdz +free/m);
  });

  test("--json prints what the API itself answers", async () => {
    await ids(operator, "accounts", "create", "plain");
    const made = await ids(operator, "keys", "create", "--account", "plain", "--name", "x", "--json");
    const key = JSON.parse(made.out).secret;
    const response = await (await app.get("/api/account/v1/list-api-keys", { key })).json();
    expect(JSON.parse((await ids(as(key), "keys", "list", "--json")).out)).toEqual(response);
  });

  test("errors are reported in one line", async () => {
    const failed = async (environment: Record<string, string>, ...args: string[]) => {
      const { err, status } = await ids(environment, ...args);
      return { err, status };
    };
    expect(await failed(operator, "accounts", "create", "gold", "--plan", "gold")).toEqual({
      err: expect.stringMatching(/^ids: plan: value must be one of free, pro_monthly/),
      status: 1,
    });
    expect(await failed({ IDS_URL: app.url }, "keys", "list")).toEqual({
      err: "ids: IDS_API_KEY must be set to a key of the account (or of the operator)\n",
      status: 1,
    });
    expect(await failed(as(newKey(randomBytes)), "keys", "list")).toEqual({
      err: expect.stringMatching(/^ids: Invalid API key: IDS_API_KEY .* must be a key of this service\n$/),
      status: 1,
    });
    expect(await failed({ IDS_URL: "http://127.0.0.1:1", IDS_API_KEY: "x" }, "keys", "list")).toEqual({
      err: "ids: No service responds at 127.0.0.1:1: start the service, or set PORT or IDS_URL\n",
      status: 1,
    });
    for (const day of ["soon", "2027-02-30", "2027-13-01", "2027-02-30T10:00Z"])
      expect(await failed(operator, "keys", "create", "--name", "x", "--expires", day), day).toEqual({
        err: expect.stringMatching(/^ids: --expires must be a date/),
        status: 1,
      });
    for (const url of ["127.0.0.1:8080", "localhost:8080", "ftp://x"])
      expect(await failed({ IDS_URL: url, IDS_API_KEY: "x" }, "keys", "list"), url).toEqual({
        err: "ids: IDS_URL must be the address of a running service, such as http://127.0.0.1:8080\n",
        status: 1,
      });
  });
});
