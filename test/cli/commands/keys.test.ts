import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { ids } from "../terminal.ts";

describeEachDatabase("accounts, keys and usage on the command line", (openFresh) => {
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

  test("an account is created, given a key, used, and its key rotated and revoked", async () => {
    const account = ["--id", "acme", "--plan", "pro_monthly", "--name", "Acme", "--table"];
    const opened = await ids(operator, "call", "create-account", ...account);
    expect(opened).toMatchObject({ out: expect.stringMatching(/^account\.plan +pro_monthly$/m), status: 0 });
    const made = await ids(operator, "keys", "create", "--account", "acme", "--name", "dashboard");
    expect(made).toEqual({
      out: expect.stringMatching(/^ids_[0-9a-f]{40}\n$/),
      err: "Created a key. It is shown only once.\n",
      status: 0,
    });
    const key = made.out.trim();
    expect((await ids(as(key), "get", "get-caller", "--table")).out).toMatch(/^account\.id +acme$/m);
    await app.get("/api/infrastructure/v1/list-internet-outages", { key });
    await app.settled();
    const usage = await ids(as(key), "get", "get-usage", "--days", "1", "--table");
    expect(usage.out).toMatch(/ListInternetOutages\s+1\n/);

    const [{ id }] = JSON.parse((await ids(as(key), "get", "list-api-keys")).out).keys;
    const rotated = await ids(as(key), "call", "rotate-api-key", "--key-id", id, "--overlap-seconds", "0");
    const { secret, replaced, key: next } = JSON.parse(rotated.out);
    expect(replaced.id).toBe(id);
    const listed = await ids(as(secret), "get", "list-api-keys", "--table");
    expect(listed.out).toMatch(/dashboard/);
    expect(listed.out).not.toContain(secret.slice(9));
    const revoke = ["call", "revoke-api-key", "--key-id", next.id];
    const revoked = await ids(operator, ...revoke, "--only", "key.id");
    expect(revoked).toEqual({ out: `${next.id}\n`, err: "", status: 0 });
    expect(await ids(operator, ...revoke)).toMatchObject({ err: "ids: No such active key (404)\n", status: 1 });
  });

  test("the operator sets a subscription and scopes", async () => {
    await ids(operator, "call", "create-account", "--id", "scoped");
    const until = ["--plan", "api_starter", "--valid-until", "2099-01-31", "--table"];
    expect((await ids(operator, "call", "set-subscription", "--account", "scoped", ...until)).out).toMatch(
      /^local:scoped +local +api_starter +true +2099-01-31T00:00Z$/m,
    );
    const scopes = ["--scopes", "company_monitoring:read", "--scopes", "company_monitoring:write"];
    const scoped = await ids(operator, "call", "set-scopes", "--account", "scoped", ...scopes);
    expect(JSON.parse(scoped.out).account).toMatchObject({
      id: "scoped",
      scopes: ["company_monitoring:read", "company_monitoring:write"],
    });
    expect((await ids(operator, "get", "list-accounts", "--table")).out).toMatch(/scoped\s+scoped\s+api_starter/);
  });

  test("a name that would steer the terminal or add lines is printed without that", async () => {
    const name = "\u001b[2Jx\ny\u202ez";
    expect((await ids(operator, "call", "create-account", "--id", "tricky", "--name", name)).status).toBe(1);
    // Stored since before such names were rejected.
    await ids(operator, "call", "create-account", "--id", "tricky");
    await database.kysely.updateTable("account").set({ name }).where("id", "=", "tricky").execute();
    const { out } = await ids(operator, "get", "list-accounts", "--table");
    expect(out).toMatch(/^tricky +\ufffd\[2Jx y\ufffdz +free/m);
  });

  test("errors are reported in one line", async () => {
    const failed = async (environment: Record<string, string>, ...args: string[]) => {
      const { err, status } = await ids(environment, ...args);
      return { err, status };
    };
    expect(await failed(operator, "call", "create-account", "--id", "gold", "--plan", "gold")).toEqual({
      err: expect.stringMatching(/^ids: --plan: value must be one of free, pro_monthly/),
      status: 1,
    });
    expect(await failed({ IDS_URL: app.url }, "get", "list-api-keys")).toEqual({
      err: expect.stringMatching(/\(401\): IDS_API_KEY must be set to a key of the account \(or of the operator\)\n$/),
      status: 1,
    });
    expect(await failed(as(newKey(randomBytes)), "get", "list-api-keys")).toEqual({
      err: expect.stringMatching(/^ids: Invalid API key \(401\): IDS_API_KEY .* must be a key of this service\n$/),
      status: 1,
    });
    expect(await failed({ IDS_URL: "http://127.0.0.1:2", IDS_API_KEY: "x" }, "get", "list-api-keys")).toEqual({
      err: "ids: No service responds at 127.0.0.1:2: start the service, or set PORT or IDS_URL\n",
      status: 1,
    });
    for (const day of ["soon", "2027-02-30", "2027-13-01", "2027-02-30T10:00Z"])
      expect(await failed(operator, "keys", "create", "--name", "x", "--expires", day), day).toEqual({
        err: expect.stringMatching(/^ids: --expires-at must be an integer, or as a time a day such as/),
        status: 2,
      });
    for (const option of ["--expires", "--expires-at"])
      expect(await failed(operator, "keys", "create", "--name", "x", option, "2020-01-01"), option).toEqual({
        err: expect.stringMatching(/^ids: --expires-at: value must be in the future/),
        status: expect.any(Number),
      });
    for (const url of ["127.0.0.1:8080", "localhost:8080", "ftp://x"])
      expect(await failed({ IDS_URL: url, IDS_API_KEY: "x" }, "get", "list-api-keys"), url).toEqual({
        err: "ids: IDS_URL must be the address of a running service, such as http://127.0.0.1:8080\n",
        status: 1,
      });
  });
});
