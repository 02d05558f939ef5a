import { beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

describeEachDatabase("accounts and their keys", (openFresh) => {
  let app: TestApp;
  let operator: string;
  beforeAll(async () => {
    app = await startApp(await openFresh());
    operator = await app.key("operator");
    return app[Symbol.asyncDispose];
  });

  const read = async (operation: string, key: string) => app.get(`/api/account/v1/${operation}`, { key });
  const statusOf = async (operation: string, body: object, key = operator) => {
    const headers = { "Content-Type": "application/json" };
    const path = `/api/account/v1/${operation}`;
    return (await app.get(path, { key, method: "POST", headers, body: JSON.stringify(body) })).status;
  };

  test("a key is used by what needs none too", async () => {
    const key = await app.key("api_starter");
    expect((await app.get("/api/catalog/v1/list-datasets", { key })).status).toBe(200);
    await app.settled();
    const { keys } = (await (await read("list-api-keys", key)).json()) as { keys: { lastUsedAt?: number }[] };
    expect(keys.map(({ lastUsedAt }) => lastUsedAt)).toEqual([testTime.getTime()]);
  });

  test("how many keys an account may have is one of its limits", async () => {
    const { limits } = (await (await read("get-limits", await app.key("enterprise"))).json()) as {
      limits: { name: string; limit?: number; remaining?: number }[];
    };
    expect(limits.find(({ name }) => name === "api_keys")).toMatchObject({ limit: 5, remaining: 4 });
  });

  test("the operator's account keeps its plan and scopes, from which there would be no way back", async () => {
    const { account } = (await (await read("get-caller", operator)).json()) as { account: { id: string } };
    expect(await statusOf("set-subscription", { account: account.id, plan: "free" })).toBe(409);
    expect(await statusOf("set-scopes", { account: account.id, scopes: [] })).toBe(409);
    expect((await read("list-accounts", operator)).status).toBe(200);
  });

  test("names are one line without control and invisible characters", async () => {
    const key = await app.key("enterprise");
    const path = "/api/catalog/v1/list-datasets?format=csv";
    for (const name of ["a\u202eb", "a\nb", "\u200b", " "]) {
      expect(await statusOf("create-api-key", { name }, key), JSON.stringify(name)).toBe(400);
      expect(await statusOf("create-feed-url", { name, path }, key), JSON.stringify(name)).toBe(400);
    }
    expect(await statusOf("create-account", { id: "turned", name: "a\u202eb" })).toBe(400);
    expect(await statusOf("create-account", { id: "plain", name: "Zoë & Søn" })).toBe(201);
  });
});
