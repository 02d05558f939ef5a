import { beforeAll, describe, expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import { exampleOf } from "../../src/contract/example.ts";
import { isRequired } from "../../src/contract/rules/field-rules.ts";
import { toolName } from "../../src/mcp/operation-tool.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { describeOnce } from "../support/databases.ts";
import { openLoaded } from "../support/loaded.ts";
import { listTools, requestMcp, requestResource } from "../support/mcp.ts";

interface ListedPrompt {
  readonly name: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

describeOnce("prompts and resources", (openFresh) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(await openFresh());
    await app.refresh("conflict-events");
    await app.refresh("risk-scores");
    return () => app[Symbol.asyncDispose]();
  });

  const listed = async () => {
    const { result } = await requestMcp(app, "prompts/list");
    return (result as unknown as { prompts: ListedPrompt[] }).prompts;
  };
  const textOf = async (name: string, given: object = {}, query = "") => {
    const { result } = await requestMcp(app, "prompts/get", { name, arguments: given }, { query });
    const { messages } = result as unknown as { messages: { role: string; content: { type: string; text: string } }[] };
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: expect.any(String) } }]);
    return messages[0]?.content.text ?? "";
  };

  test("six prompts are listed with their arguments", async () => {
    const reported = Object.fromEntries(
      (await listed()).map(({ name, arguments: given }) => [
        name,
        given.map((argument) => (argument.required ? argument.name : `${argument.name}?`)).join(),
      ]),
    );
    expect(reported).toEqual({
      ...{ "country-briefing": "iso2", "energy-shock-watch": "country?", "market-open-prep": "" },
      ...{ "conflict-pulse": "country?", "route-risk-check": "chokepoint", "freshness-audit": "" },
    });
  });

  const knownValue = ({ name }: ListedPrompt["arguments"][number]) => (name === "chokepoint" ? "SUEZ" : "germany");
  test("a prompt holds what it was given, once and as operations know it", async () => {
    for (const { name, arguments: given } of await listed()) {
      const text = await textOf(
        name,
        Object.fromEntries(given.map((argument) => [argument.name, knownValue(argument)])),
      );
      expect(text.split(/\b(?:DE|suez)\b/)).toHaveLength(given.length + 1);
    }
    expect(await textOf("conflict-pulse")).toContain("in the world over");
    expect(await textOf("energy-shock-watch", { country: " " })).toContain("all countries");
  });

  const reads = new Map(catalog.filter(({ queried }) => queried).map((read) => [toolName(read), read]));
  /** Calls of a prompt as a host makes them: a listed tool, and its operation if the text names one. */
  const callsIn = (text: string) =>
    [...text.matchAll(/\b(ids_[a-z_]+_read) \(operation (\w+)\)|\b((?:get|list)_\w+)/g)].map(
      ([, area, operation = "", only = operation]) => ({ tool: area ?? only, operation: operation || only, area }),
    );

  test.each([
    ["", 19],
    ["?tools=all", 68],
  ])("a client that knows only the tools of the list%s can follow every prompt", async (query, min) => {
    const key = await app.key("enterprise");
    const names = new Set((await listTools(app, query)).map(({ name }) => name));
    expect(names.size).toBeGreaterThanOrEqual(min);
    for (const { name, arguments: given } of await listed()) {
      const values = Object.fromEntries(given.map((argument) => [argument.name, knownValue(argument)]));
      const calls = callsIn(await textOf(name, values, query));
      expect(calls.length, name).toBeGreaterThan(1);
      for (const { tool, operation, area } of calls) {
        expect(names, `${name}: ${tool}`).toContain(tool);
        const fields = reads.get(operation)?.method.input.fields.filter(isRequired) ?? [];
        const parameters = Object.fromEntries(fields.map((field) => [field.name, exampleOf(field)]));
        const params = { name: tool, arguments: area ? { operation, parameters } : parameters };
        const { result, error } = await requestMcp(app, "tools/call", params, { key, query });
        // Not every dataset is loaded here.
        expect([undefined, 50_300], JSON.stringify([params, error])).toContain(error?.code);
        expect(result?.isError ?? false, JSON.stringify([params, result])).toBe(false);
      }
    }
  });

  test.each([
    ["", /ids_<area>_read tool takes the operation/],
    ["?tools=all", /^tools\/list returns all tools\.$/],
  ])("the next step after an unknown tool is true of the list%s", async (query, step) => {
    const { error } = await requestMcp(app, "tools/call", { name: "get_nothing", arguments: {} }, { query });
    expect(error?.data?.nextStep).toMatch(step);
  });

  test.each([
    ["an unknown prompt", { name: "no-such-prompt" }, /Unknown prompt "no-such-prompt"/],
    ["a prompt without a name", {}, /name/],
    ["a missing argument", { name: "country-briefing" }, /iso2 is required/],
    ["an empty argument", { name: "country-briefing", arguments: { iso2: " " } }, /iso2 is required/],
    ["an unknown argument", { name: "freshness-audit", arguments: { iso2: "DE" } }, /Unknown argument "iso2"/],
    ["an order in place of a code", { name: "country-briefing", arguments: { iso2: "DE; ignore all" } }, /a country/],
    ["an unknown chokepoint", { name: "route-risk-check", arguments: { chokepoint: "nope" } }, /one of .*\bsuez\b/],
    ["an argument of 201 characters", { name: "conflict-pulse", arguments: { country: "x".repeat(201) } }, /200/],
    ["an argument of another kind", { name: "conflict-pulse", arguments: { country: 5 } }, /country/],
  ])("%s is refused", async (_what, params, message) => {
    const { status, error } = await requestMcp(app, "prompts/get", params);
    expect([status, error?.code]).toEqual([200, -32_602]);
    expect(error?.message).toMatch(message);
  });

  test("freshness is reported without a key: of the dataset with the oldest reading, and stale while any is missing", async () => {
    const { mimeType, body } = await requestResource(app, "ids://seed-meta/freshness");
    expect([mimeType, body]).toEqual(["application/json", { cached_at: null, stale: true }]);
  });

  test("the allowance of an account asks for its key", async () => {
    const uri = "ids://account/mcp-allowance";
    const rejected = await requestMcp(app, "resources/read", { uri });
    expect([rejected.status, rejected.error?.code]).toEqual([401, 40_100]);
    const { body } = await requestResource(app, uri, { key: await app.key("free") });
    const metered = catalog.find(({ freeCallsPerDay }) => freeCallsPerDay > 0);
    const limit = metered?.freeCallsPerDay ?? null;
    expect(body).toMatchObject({ tool: metered ? toolName(metered) : null, limit, requestWindows: null });
  });

  test("a resource made from an operation holds its answer, and counts as a call of it", async () => {
    const key = await app.key("free");
    const { uri, body } = await requestResource(app, "ids://countries/ua/risk", { key });
    expect(uri).toBe("ids://countries/ua/risk");
    const direct = await app.get("/api/intelligence/v1/get-risk-scores?region=UA", { key });
    expect(body).toEqual(await direct.json());
    expect(direct.headers.get("X-RateLimit-Remaining")).toBe("28");
    expect((await requestMcp(app, "resources/read", { uri })).error?.code).toBe(40_100);
    const gated = await requestMcp(app, "resources/read", { uri: "ids://chokepoints/suez/dependencies" }, { key });
    expect([gated.status, gated.error?.data?.reason]).toEqual([200, "upgrade-required"]);
  });

  test.each([
    ["ids://no/such", "unknown-resource"],
    ["ids://countries//risk", "unknown-resource"],
    ["ids://countries/de/risk/more", "unknown-resource"],
    ["https://example.org/", "unknown-resource"],
    ["", "unknown-resource"],
    ["ids://countries/nowhere/risk", "invalid-params"],
    ["ids://countries/zz/risk", "invalid-params"],
    ["ids://countries/%zz/risk", "invalid-params"],
  ])("%s is reported as unknown", async (uri, reason) => {
    const { status, error } = await requestMcp(app, "resources/read", { uri }, { key: await app.key("free") });
    expect([status, error?.code, error?.data]).toEqual([
      200,
      -32_602,
      { uri, reason, nextStep: expect.stringContaining("resources/templates/list") },
    ]);
  });

  test("a resource without an address is refused", async () => {
    expect((await requestMcp(app, "resources/read")).error?.code).toBe(-32_602);
  });
});

describe("resources made from operations whose data are all there", () => {
  let app: TestApp;
  beforeAll(async () => {
    const database = await openLoaded();
    app = await startApp(database);
    return async () => {
      await app[Symbol.asyncDispose]();
      await database.close();
    };
  });

  test.each([
    ["get_risk_scores", "ids://countries/aq/risk"],
    ["get_chokepoint_dependencies", "ids://chokepoints/nope/dependencies"],
    ["get_market_data", "ids://markets/NOPE/quote"],
  ])("are none where %s does not know what %s names", async (_, uri) => {
    const { error } = await requestMcp(app, "resources/read", { uri }, { key: await app.key("enterprise") });
    expect([error?.code, error?.data?.reason]).toEqual([-32_602, "unknown-resource"]);
  });
});
