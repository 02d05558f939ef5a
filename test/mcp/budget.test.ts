import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import { shortList } from "../../src/mcp/short-list.ts";
import { budgets, shorten } from "../../src/mcp/shorten.ts";
import { createToolbox } from "../../src/mcp/toolbox.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { describeOnce } from "../support/databases.ts";
import { listTools, requestTool } from "../support/mcp.ts";
import { isThorough } from "../support/thoroughness.ts";

describeOnce("what an agent has to read", (openFresh) => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await startApp(await openFresh());
    key = await app.key("pro_monthly");
    await app.refresh("energy-crisis-policies");
    await app.refresh("global-tenders");
    return () => app[Symbol.asyncDispose]();
  });

  test("the tools of the default list are at most 20, and take at most 4,000 tokens", async () => {
    const tools = await listTools(app);
    // Of English and JSON a token holds 4.2 characters (o200k_base counts 3,591 in 15,227): 4 leave a margin.
    const remedy = "give fewer reads a tool of their own, so that the tool of their area lists them";
    expect(JSON.stringify({ tools }).length / 4, remedy).toBeLessThanOrEqual(4_000);
    expect(tools.length).toBeLessThanOrEqual(20);
    // Few because each area has one, and every read is in the text of its area's or a tool itself.
    const areas = new Set(
      catalog.flatMap(({ queried, tool }) => (queried && !tool.alone ? [`ids_${tool.area}_read`] : [])),
    );
    expect(tools.filter(({ name }) => areas.has(name))).toHaveLength(areas.size);
    const reported = tools.map(({ name, description }) => `${name}\n${description}`).join("\n");
    for (const { name } of await listTools(app, "?tools=all"))
      expect(reported).toMatch(new RegExp(`^${name}(\\(|$)`, "m"));
  });

  test("the list of all tools takes at most 12,000 tokens, and each says what it and its parameters are for", async () => {
    const tools = await listTools(app, "?tools=all");
    const remedy =
      "say less in first sentences of comments, or leave more to `describe_tool` (`inBrief` in toolbox.ts)";
    expect(JSON.stringify({ tools }).length / 4, remedy).toBeLessThanOrEqual(12_000);
    for (const { name, description } of tools) expect(description, name).toMatch(/\.$/);
  });

  test("six more reads than today leave the default list as short, with fewer words for each", () => {
    const reads = catalog.filter(({ queried }) => queried);
    const more = reads.filter(({ tool }) => !tool.alone).slice(0, 6);
    const list = shortList([...reads, ...more.map((read) => ({ ...read, name: `${read.name}Again` }))]);
    expect(JSON.stringify(list).length / 4).toBeLessThanOrEqual(3_900);
    const lines = list.flatMap(({ description }) => description.split("\n"));
    expect(lines.filter((line) => line.includes("_again("))).toHaveLength(more.length);
  });

  test("a response over the budget reports how much of its content it shows, and is complete in full", async () => {
    const { structuredContent: concise = {} } = await requestTool(app, "get_energy_crisis_policies", {}, { key });
    const { structuredContent: full = {} } = await requestTool(
      app,
      "get_energy_crisis_policies",
      { detail: "full" },
      { key },
    );
    const [few, all] = [concise, full].map(({ policies }) => policies as unknown[]);
    if (!few || !all) throw new Error("No policies");
    expect(few).toEqual(all.slice(0, few.length));
    expect(full).not.toHaveProperty("_budget_exceeded");
    expect(concise._budget_exceeded).toEqual({
      budget_bytes: budgets.concise,
      actual_bytes: Buffer.byteLength(JSON.stringify(full)),
      hint: expect.stringMatching(/jmespath.*detail/),
      shown: { policies: `${few.length} of ${all.length}` },
    });
  });

  test("what is shown of a page is asked for as a page, so that its cursor passes nothing over", async () => {
    const list = "list_global_tenders";
    const { structuredContent: shown = {} } = await requestTool(app, list, {}, { key });
    expect(shown).toHaveProperty("_budget_exceeded.hint", expect.stringContaining("smaller page_size"));
    const few = (shown.tenders as unknown[]).length;
    const seen: string[] = [];
    for (let cursor: string | undefined, page = 0; page < 4; page++) {
      const given = { page_size: few, jmespath: "{ids: tenders[].id, next: nextCursor}", ...(cursor && { cursor }) };
      const { structuredContent: part = {} } = await requestTool(app, list, given, { key });
      const { ids, next } = part.result as { ids: string[]; next: string };
      seen.push(...ids);
      cursor = next;
    }
    const path = `/api/economic/v1/list-global-tenders?page_size=${4 * few}`;
    const { tenders } = await app.json<{ tenders: { id: string }[] }>(path);
    expect(seen).toEqual(tenders.map(({ id }) => id));
  });

  test("a projection is not shortened while it fits", async () => {
    const { structuredContent } = await requestTool(
      app,
      "get_energy_crisis_policies",
      { jmespath: "policies[].country" },
      { key },
    );
    const { policies } = await app.json<{ policies: { country: string }[] }>(
      "/api/economic/v1/get-energy-crisis-policies",
    );
    expect(structuredContent).toEqual({ result: policies.map(({ country }) => country) });
  });
});

const text = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: "grapheme", minLength: 300, maxLength: 900 }));
const anything = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 60 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.string({ maxLength: 12 }), tie("value"), { maxKeys: 60 }),
})).object;
const hint = "Ask for less.";

test("any response is shortened to its budget and otherwise unchanged", () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 200, max: 6_000 }), (response, budget) => {
      const shortened = shorten(response, budget, hint);
      const size = Buffer.byteLength(JSON.stringify(response));
      if (size <= budget) {
        expect(shortened).toBe(response);
        return;
      }
      expect(Buffer.byteLength(JSON.stringify(shortened))).toBeLessThanOrEqual(budget);
      const { _budget_exceeded: reported, ...rest } = shortened;
      expect(reported).toMatchObject({ budget_bytes: budget, actual_bytes: size, hint });
      expectBeginning(rest, response);
    }),
    { numRuns: isThorough ? 300 : 60 },
  );
});

test("of a list no more is left out than the next smaller step, and each one shown is whole", () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 5_000 }), fc.integer({ min: 10, max: 200 }), (count, width) => {
      const response = {
        rows: Array.from({ length: count }, (_, index) => `${index} ${"x".repeat(width)}`),
        total: count,
      };
      const {
        rows,
        total,
        _budget_exceeded: reported,
      } = shorten(response, budgets.concise, hint) as typeof response & {
        _budget_exceeded?: { shown: object };
      };
      expect([total, rows]).toEqual([count, response.rows.slice(0, rows.length)]);
      if (reported) {
        expect(reported.shown).toEqual({ rows: `${rows.length} of ${count}` });
        // The steps at most halve, but for the last: more than a third of the budget is used.
        expect(Buffer.byteLength(JSON.stringify(rows))).toBeGreaterThan(budgets.concise / 3);
      }
    }),
  );
});

test("the lists of tools are made once, however often they are asked for", () => {
  const { short, all } = createToolbox([]);
  expect(short()).toBe(short());
  expect(all()).toBe(all());
});

/** That lists and maps are beginnings of the whole ones, texts too, and everything else the same. */
function expectBeginning(part: JsonValue | undefined, whole: JsonValue | undefined): void {
  if (typeof part === "string" && typeof whole === "string" && part !== whole)
    expect(whole.startsWith(part.replace(/…$/, ""))).toBe(true);
  else if (Array.isArray(part) && Array.isArray(whole))
    for (const [index, item] of part.entries()) expectBeginning(item, whole[index]);
  else if (typeof part === "object" && part !== null && !Array.isArray(part)) {
    const names = Object.keys(part);
    expect(Object.keys(whole as JsonObject).slice(0, names.length)).toEqual(names);
    for (const name of names) expectBeginning(part[name], (whole as JsonObject)[name]);
  } else expect(part).toEqual(whole);
}
