import { beforeAll, describe, expect, test } from "vitest";
import { describeToolName } from "../../src/mcp/toolbox.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";
import { type ListedTool, listTools, requestMcp, requestTool } from "../support/mcp.ts";
import { questions } from "./questions.ts";

/** The list's entry of one operation: its place, and its description. */
interface Offer {
  readonly tool: string;
  readonly operation: string | undefined;
  readonly text: string;
}

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly items?: { readonly $ref?: string };
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

interface Described {
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly _meta: { readonly "ids/access": string };
}

describe("an agent that knows nothing but the list of tools", () => {
  let app: TestApp;
  let operator: string;
  let free: string;
  let offers: readonly Offer[];
  beforeAll(async () => {
    const database = await openLoaded();
    app = await startApp(database);
    operator = await app.key("operator");
    free = await app.key("free");
    offers = offersOf(await listTools(app));
    return async () => {
      await app[Symbol.asyncDispose]();
      await database.close();
    };
  });

  const described = async ({ tool, operation }: Offer) => {
    const { structuredContent } = await requestTool(app, describeToolName, { tool_name: operation ?? tool });
    return structuredContent as unknown as Described;
  };
  const argumentsOf = ({ operation }: Offer, parameters: object, jmespath: string) =>
    operation === undefined ? { ...parameters, jmespath } : { operation, parameters, jmespath };

  test("finds how full the gas stores are", async () => {
    const offer = best("How full is the storage of gas?", offers, ({ text }) => text);
    const { outputSchema } = await described(offer);
    const [member] = best("how full, in percent", members(outputSchema), ([, { description }]) => description);
    const { structuredContent } = await requestTool(app, offer.tool, argumentsOf(offer, {}, member), { key: free });
    const { fillPct } = await app.json<{ fillPct: number }>("/api/economic/v1/get-eu-gas-storage");
    expect(fillPct).toBeGreaterThan(0);
    expect(structuredContent).toEqual({ result: fillPct });
  });

  test("finds the three chokepoints that Japan depends on most", async () => {
    const offer = best("What is the exposure of a country to each chokepoint?", offers, ({ text }) => text);
    const { inputSchema, outputSchema } = await described(offer);
    const given = Object.fromEntries((inputSchema.required ?? []).map((name) => [name, "JP"]));
    const lists = members(outputSchema).filter(([, { type }]) => type === "array");
    const [list, { items }] = best("chokepoints, most exposed first", lists, ([, { description }]) => description);
    const rows = members(outputSchema.$defs?.[items?.$ref?.replace("#/$defs/", "") ?? ""] ?? {});
    const [score] = best(
      "score of the exposure",
      rows.filter(([, { type }]) => type === "number"),
      ([, { description }]) => description,
    );
    const [name] = best("name of the chokepoint", rows, ([, { description }]) => description);
    const expression = `reverse(sort_by(${list}, &${score}))[:3].${name}`;
    const { structuredContent } = await requestTool(app, offer.tool, argumentsOf(offer, given, expression), {
      key: operator,
    });
    // What its oil passes through.
    const { result } = structuredContent as { readonly result: readonly string[] };
    expect(new Set(result)).toEqual(new Set(["Strait of Hormuz", "Strait of Malacca", "Taiwan Strait"]));
  });

  test("learns before a call that it needs a subscription, and after it where to get one", async () => {
    const offer = best("vulnerability of the supply of a country", offers, ({ text }) => text);
    const { inputSchema, _meta } = await described(offer);
    expect(_meta["ids/access"]).toBe("subscription");
    const given = Object.fromEntries((inputSchema.required ?? []).map((name) => [name, "JP"]));
    const params = { name: offer.tool, arguments: argumentsOf(offer, given, "@") };
    const { error } = await requestMcp(app, "tools/call", params, { key: free });
    expect(error?.data).toMatchObject({ reason: "upgrade-required", upgradeUrl: "/plans" });
    expect(error?.data?.nextStep).toBe("Inform the user that this requires a subscription, available at /plans.");
  });

  test("learns the fix from every response to a wrong call, until it is right", async () => {
    const call = (given: object) => requestTool(app, "ids_supply_chain_read", { ...given }, { key: operator });
    const reported = async (given: object) => JSON.parse((await call(given)).content[0]?.text ?? "");
    const first = await reported({ operation: "chokepoints" });
    const operation = /get_country_chokepoint\w+/.exec(first.violations[0].description)?.[0] ?? "";
    const second = await reported({ operation, parameters: { nation: "JP" } });
    expect(second.violations[0].field).toBe("nation");
    const tool = JSON.parse(/\{.*\}/.exec(second.next_step)?.[0] ?? "").tool_name;
    const [name = ""] = (await described({ tool, operation: undefined, text: "" })).inputSchema.required ?? [];
    expect(await call({ operation, parameters: { [name]: "JP" } })).not.toHaveProperty("isError");
  });

  test.each(questions.map((question) => [question.question, question] as const))(
    "%s",
    async (_, { tool, arguments: given, expected }) => {
      const { isError, content, structuredContent } = await requestTool(app, tool, given, { key: operator });
      expect(isError, content[0]?.text).toBeFalsy();
      const response = await expected(app);
      expect(response).toBeDefined();
      expect(structuredContent).toEqual({ result: response });
    },
  );

  test("the questions are at least 25, and at least one for each tool", async () => {
    expect(questions.length).toBeGreaterThanOrEqual(25);
    const requested = new Set(questions.map(({ tool }) => tool));
    const unasked = (await listTools(app)).filter(({ name }) => !requested.has(name) && name !== describeToolName);
    expect(unasked.map(({ name }) => name)).toEqual([]);
  });
});

function offersOf(tools: readonly ListedTool[]): Offer[] {
  return tools.flatMap(({ name, description, inputSchema }): Offer[] =>
    inputSchema.properties.operation
      ? description.split("\n").map((text) => ({ tool: name, operation: text.slice(0, text.indexOf("(")), text }))
      : [{ tool: name, operation: undefined, text: `${name}: ${description}` }],
  );
}

function members({ properties = {} }: Schema): [string, Schema][] {
  return Object.entries(properties);
}

/** The one that shares most words with what is looked for; a word counts the more the fewer have it. */
function best<T>(wanted: string, among: readonly T[], textOf: (one: T) => string | undefined): T {
  const words = new Set(wanted.toLowerCase().match(/[a-z]{3,}/g));
  const texts = among.map((one) => (textOf(one) ?? "").toLowerCase());
  const weight = (word: string) => 1 / (1 + texts.filter((text) => text.includes(word)).length);
  const scores = texts.map((text) =>
    [...words].reduce((sum, word) => sum + (text.includes(word) ? weight(word) : 0), 0),
  );
  const found = among[scores.indexOf(Math.max(...scores))];
  if (found === undefined) throw new Error(`Nothing for: ${wanted}`);
  return found;
}
