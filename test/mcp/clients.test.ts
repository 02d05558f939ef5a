import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { beforeAll, describe, expect, test } from "vitest";
import { catalog, type Operation } from "../../src/contract/catalog.ts";
import { exampleOf } from "../../src/contract/example.ts";
import { twinOfCountry } from "../../src/contract/request/country-parameter.ts";
import { toolName } from "../../src/mcp/operation-tool.ts";
import { budgets } from "../../src/mcp/shorten.ts";
import { describeToolName } from "../../src/mcp/toolbox.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";
import type { ToolResponse } from "../support/mcp.ts";
import { neededParameters } from "../support/needed-query.ts";
import { someOf } from "../support/thoroughness.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** What both generations of clients can do. */
interface AnyClient {
  readonly listTools: () => Promise<{ tools: Advertised[] }>;
  readonly listPrompts: () => Promise<{ prompts: unknown[] }>;
  readonly listResources: () => Promise<{ resources: unknown[] }>;
  readonly listResourceTemplates: () => Promise<{ resourceTemplates: unknown[] }>;
  readonly callTool: (call: { name: string; arguments: Parameters }) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

interface Advertised {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly properties?: object | undefined; readonly required?: readonly string[] | undefined };
  readonly outputSchema?: object | undefined;
}

const info = { name: "test", version: "1" };

const clients: Readonly<Record<string, (url: URL, headers: Record<string, string>) => Promise<AnyClient>>> = {
  async "2025-11-25"(url, headers) {
    const client = new OlderClient(info);
    // Its types are not written for exact optional members.
    await client.connect(new OlderTransport(url, { requestInit: { headers } }) as Transport);
    return client as AnyClient;
  },
  async "2026-07-28"(url, headers) {
    const client = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return client as AnyClient;
  },
};

/** Given together or not at all. */
const corners = ["ne_lat", "ne_lon", "sw_lat", "sw_lon"];
/** Their cursor carries what else was asked. */
const inCursor = ["ListCompanyEventChanges"];

/** Every read, in addition to the tool. */
const reads = catalog.filter(({ queried }) => queried);
const names = [...reads.map(toolName), describeToolName];

describe("a client of an official library", () => {
  let app: TestApp;
  let key: string;
  /** What only the caller can have. */
  let own: Parameters;
  const open = new Map<string, AnyClient>();
  const advertised = new Map<string, { input: ValidateFunction; output: ValidateFunction }>();

  beforeAll(async () => {
    const database = await openLoaded();
    app = await startApp(database);
    key = await app.key("operator");
    own = await ownThings(app, key);
    const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats });
    for (const [revision, connect] of Object.entries(clients)) {
      const client = await connect(new URL(`${app.url}/mcp?tools=all`), { "X-Service-Key": key });
      open.set(revision, client);
      for (const { name } of (await client.listTools()).tools) {
        const { structuredContent } = (await client.callTool({
          ...{ name: describeToolName, arguments: { tool_name: name } },
        })) as ToolResponse;
        const { inputSchema, outputSchema } = structuredContent as Record<"inputSchema" | "outputSchema", object>;
        advertised.set(name, { input: ajv.compile(inputSchema), output: ajv.compile(outputSchema) });
      }
    }
    return async () => {
      for (const client of open.values()) await client.close();
      await app[Symbol.asyncDispose]();
      await database.close();
    };
  });

  /** With the required parameters, and once with each optional one, a country by its name too. */
  function validCalls(operation: Operation): Parameters[] {
    const { fields } = operation.method.input;
    const given = (name: string) => {
      const field = fields.find((known) => known.name === name);
      return [name, own[`${operation.name}.${name}`] ?? (field && exampleOf(field))] as const;
    };
    const needed = Object.fromEntries(Object.keys(neededParameters(operation)).map(given));
    const adjacent = fields
      .filter(({ name }) => !(name in needed) && name !== "cursor" && !inCursor.includes(operation.name))
      .map(({ name }) => (corners.includes(name) ? corners : [name]).map(given))
      .filter((pairs) => pairs.every(([, value]) => value !== undefined));
    const twin = twinOfCountry(operation.method.input);
    const named =
      twin && !(twin.name in needed) && twin.fieldKind !== "list" ? [{ ...needed, country: "Germany" }] : [];
    return [needed, ...adjacent.map((pairs) => ({ ...needed, ...Object.fromEntries(pairs) })), ...named];
  }

  describe.each(Object.keys(clients))("of revision %s", (revision) => {
    // Each tool gives every client the same response, so a client of the older revision reads some of them.
    const called = revision === "2025-11-25" ? someOf(reads, 4) : reads;
    const call = async (name: string, given: Parameters) =>
      (await open.get(revision)?.callTool({ name, arguments: given })) as ToolResponse;

    /** An answer whose parameters and content are as advertised. */
    const responded = async (name: string, given: Parameters) => {
      const schemas = advertised.get(name);
      if (!schemas) throw new Error(`No tool ${name}`);
      expect(schemas.input(given), `${name} ${JSON.stringify([given, schemas.input.errors])}`).toBe(true);
      const response = await call(name, given);
      expect(response.isError, `${name} ${JSON.stringify(given)}: ${response.content[0]?.text}`).toBeFalsy();
      expect(schemas.output(response.structuredContent), JSON.stringify(schemas.output.errors)).toBe(true);
      expect(JSON.parse(response.content[0]?.text ?? "")).toEqual(response.structuredContent);
      return response;
    };

    const rejected = async (name: string, given: Parameters, field: string) => {
      const { isError, content } = await call(name, given);
      const reported = JSON.parse(content[0]?.text ?? "");
      expect(isError).toBe(true);
      expect(reported.next_step).toEqual(expect.any(String));
      const fields =
        reported.violations?.map((violation: { field: string }) => violation.field) ?? Object.keys(reported);
      expect(fields).toContain(field);
    };

    test("lists every tool, the prompts, the resources and their templates", async () => {
      const client = open.get(revision);
      expect((await client?.listTools())?.tools.map(({ name }) => name)).toEqual(names);
      expect((await client?.listPrompts())?.prompts).toHaveLength(6);
      expect((await client?.listResources())?.resources).toHaveLength(2);
      expect((await client?.listResourceTemplates())?.resourceTemplates).toHaveLength(3);
    });

    test.each(called.map((operation) => [toolName(operation), operation] as const))(
      "%s returns valid parameters as advertised, in few words unless it must return all",
      async (name, operation) => {
        for (const given of validCalls(operation)) {
          const { structuredContent, _meta, content } = await responded(name, given);
          expect(_meta?.["ids/operation"]).toBe(operation.name);
          expect(content[1]?.text).toMatch(/never instructions/);
          if (!operation.tool.whole)
            expect(Buffer.byteLength(JSON.stringify(structuredContent))).toBeLessThanOrEqual(budgets.concise);
          if (structuredContent?._budget_exceeded)
            expect(structuredContent._budget_exceeded).toMatchObject({
              ...{ budget_bytes: expect.any(Number), actual_bytes: expect.any(Number) },
              ...{ hint: expect.stringContaining("detail"), shown: expect.anything() },
            });
        }
        const [needed = {}] = validCalls(operation);
        await responded(name, { ...needed, detail: "full" });
        const { structuredContent } = await responded(name, { ...needed, jmespath: "keys(@)" });
        expect(structuredContent?.result).toEqual(expect.arrayContaining([expect.any(String)]));
      },
    );

    test.each(called.map((operation) => [toolName(operation), operation] as const))(
      "%s reports which of its parameters is wrong",
      async (name, operation) => {
        const [needed = {}] = validCalls(operation);
        await rejected(name, { ...needed, no_such_parameter: "1" }, "no_such_parameter");
        const [field] = operation.method.input.fields;
        if (field) await rejected(name, { ...needed, [field.name]: { of: "another kind" } }, field.name);
        else await rejected(name, { ...needed, detail: "everything" }, "detail");
        await rejected(name, { ...needed, jmespath: "[[" }, "_jmespath_error");
      },
    );

    test("describe_tool returns at least the list's text for each tool, and rejects an unknown one", async () => {
      for (const { name, description = "", inputSchema } of (await open.get(revision)?.listTools())?.tools ?? []) {
        const { structuredContent } = await responded(describeToolName, { tool_name: name });
        expect(structuredContent).toMatchObject({
          name,
          description: expect.stringContaining(description),
        });
        const whole = Object(structuredContent).inputSchema;
        expect(whole.required).toEqual(inputSchema.required);
        expect(Object.keys(whole.properties)).toEqual(Object.keys(inputSchema.properties ?? {}));
      }
      await rejected(describeToolName, { tool_name: names[0], no_such_parameter: "1" }, "no_such_parameter");
      await rejected(describeToolName, { tool_name: { of: "another kind" } }, "tool_name");
      await rejected(describeToolName, { tool_name: "no_such_tool" }, "tool_name");
    });
  });
});

/** The account itself, a webhook, a scenario's job and a cursor of it, by the reads and parameters that need them. */
async function ownThings(app: TestApp, key: string): Promise<Parameters> {
  const requested = async (path: string, body?: object) => {
    const response = await app.get(path, { key, ...(body ? { method: "POST", body: JSON.stringify(body) } : {}) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as never;
  };
  const callbackUrl = "https://hooks.example.org/chokepoints";
  const { subscriberId }: { subscriberId: string } = await requested("/api/v2/shipping/webhooks", { callbackUrl });
  const { jobId }: { jobId: string } = await requested("/api/scenario/v1/run-scenario", {
    scenarioId: "hormuz-tanker-blockade",
  });
  const { snapshot }: { snapshot: { pollCursor: string } } = await requested(
    "/api/company-monitoring/v1/list-company-event-impacts",
  );
  const { account }: { account: { id: string } } = await requested("/api/account/v1/get-caller");
  return {
    "ListApiKeys.account": account.id,
    "ListFeedUrls.account": account.id,
    "GetWebhook.subscriber_id": subscriberId,
    "ListWebhookDeliveries.subscriber_id": subscriberId,
    "GetScenarioStatus.job_id": jobId,
    "ListCompanyEventChanges.cursor": snapshot.pollCursor,
  };
}
