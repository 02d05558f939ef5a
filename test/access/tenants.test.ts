import { beforeAll, expect, test } from "vitest";
import { catalog, type Operation } from "../../src/contract/catalog.ts";
import { exampleOf } from "../../src/contract/example.ts";
import { type Account, openAccount } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { describeOnce } from "../support/databases.ts";
import { importOf, scopes } from "../support/domains/monitoring.ts";

/** Fields of requests that name an object of an account. */
const kinds = ["key_id", "feed_id", "rule_id", "endpoint_id", "endpoint_ids", "delivery_id", "company_id"] as const;
const ofWebhooks = ["subscriber_id", "delivery_id"] as const;
type Kind = (typeof kinds)[number] | (typeof ofWebhooks)[number];

const isOwn = (name: string): name is Kind => [...kinds, ...ofWebhooks].includes(name as Kind);
const naming = catalog.filter(
  ({ method, access }) => !access.operator && method.input.fields.some(({ name }) => isOwn(name)),
);
const listing = catalog.filter(
  ({ queried, access, inPath, method }) =>
    queried && !access.anonymous && inPath.length === 0 && !method.input.fields.some(({ name }) => isOwn(name)),
);

describeOnce("between two accounts with every right but an operator's", (openFresh) => {
  let app: TestApp;
  let owner: Account;
  let other: Account;
  const things = new Map<string, string>();
  beforeAll(async () => {
    const database = await openFresh();
    app = await startApp(database, { environment: { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" } });
    const rights = [...scopes, "keys:read", "keys:write"];
    const holding = { subscriptions: [{ plan: "enterprise" }], scopes: rights };
    [owner, other] = [await openAccount(database, holding), await openAccount(database, holding)];
    await fill();
    return () => app[Symbol.asyncDispose]();
  });

  async function send(operation: string, body: object, { key } = owner) {
    const response = await app.get(pathOf(operation, body), { key, ...callOf(operation, body) });
    return { status: response.status, text: await response.text() };
  }
  async function made<T>(operation: string, body: object): Promise<T> {
    const { status, text } = await send(operation, body);
    if (status >= 300) throw new Error(`${operation} answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  }
  async function fill(): Promise<void> {
    const { key } = await made<{ key: { id: string } }>("CreateApiKey", { name: "of the owner" });
    const target = "/api/infrastructure/v1/list-internet-outages?format=csv";
    const { feed } = await made<{ feed: { id: string } }>("CreateFeedUrl", {
      name: "of the owner",
      path: target,
    });
    const { endpoint } = await made<{ endpoint: { id: string } }>("CreateEndpoint", { name: "desk", kind: "feed" });
    const trigger = { changes: { datasets: ["internet-outages"] } };
    const { rule } = await made<{ rule: { id: string } }>("CreateRule", { name: "watch", trigger });
    await made("TestRule", { ruleId: rule.id });
    const { deliveries } = await made<{ deliveries: { id: string }[] }>("ListDeliveries", {});
    const { companies } = await made<{ companies: { company: { companyId: string } }[] }>(
      "ImportCompanies",
      importOf("Harrowgate Pumps plc"),
    );
    const callbackUrl = "https://hooks.example.com/owner";
    const { subscriberId } = await made<{ subscriberId: string }>("RegisterWebhook", { callbackUrl });
    await made("TestWebhook", { subscriberId });
    const own = await made<{ deliveries: { id: string }[] }>("ListWebhookDeliveries", { subscriberId });
    for (const [kind, id] of Object.entries({
      ...{ key_id: key.id, feed_id: feed.id, rule_id: rule.id, endpoint_id: endpoint.id, endpoint_ids: endpoint.id },
      ...{ delivery_id: deliveries[0]?.id, company_id: companies[0]?.company.companyId, subscriber_id: subscriberId },
      webhook_delivery_id: own.deliveries[0]?.id,
    }))
      things.set(kind, String(id));
  }
  const idFor = ({ inPath }: Operation, name: string) =>
    things.get(inPath.includes("subscriber_id") && name === "delivery_id" ? "webhook_delivery_id" : name) ?? "";
  /** Everything that the owner can see of what is his. The last use of a key is stored some time after it. */
  const seen = async () =>
    Promise.all(
      ["ListApiKeys", "ListFeedUrls", "ListRules", "ListEndpoints", "ListWebhooks", "ListMonitoredCompanies"].map(
        async (name) =>
          (
            await send(name, name === "ListMonitoredCompanies" ? { contractVersion: "cm-list-v1" } : {})
          ).text.replaceAll(/"lastUsedAt":\d+,?/g, ""),
      ),
    );

  test("each kind of thing is there to be asked for", () => {
    for (const kind of [...kinds, ...ofWebhooks]) expect(things.get(kind), kind).toMatch(/^[a-z_]+_[0-9A-Za-z]{20,}$/);
  });

  test.each(listing.map(({ name }) => [name]))("%s lists nothing of the other's", async (name) => {
    const { text } = await send(name, {}, other);
    for (const id of [...things.values(), owner.id, "of the owner", "Harrowgate"]) expect(text).not.toContain(id);
  });

  test.each(naming.map((operation) => [operation.name, operation] as const))(
    "%s does nothing to what is the other's, and says nothing of it",
    async (name, operation) => {
      const before = await seen();
      const body = Object.fromEntries(
        operation.method.input.fields.flatMap((field) => {
          if (isOwn(field.name)) {
            const id = idFor(operation, field.name);
            return [[field.jsonName, field.fieldKind === "list" ? [id] : id]];
          }
          const example = exampleOf(field);
          return example === undefined ? [] : [[field.jsonName, example]];
        }),
      );
      const { status, text } = await send(name, body, other);
      const isList = operation.queried && status === 200;
      if (isList)
        expect(
          Object.values(JSON.parse(text))
            .flat()
            .filter((each) => typeof each === "object" && each !== null && "id" in each),
        ).toEqual([]);
      else expect([400, 403, 404]).toContain(status);
      for (const secret of ["of the owner", "Harrowgate", "hooks.example.com/owner"])
        expect(text).not.toContain(secret);
      expect(await seen()).toEqual(before);
    },
  );
});

function operationOf(name: string): Operation {
  const found = catalog.find((operation) => operation.name === name);
  if (!found) throw new Error(`No operation ${name}`);
  return found;
}

function pathOf(name: string, body: object): string {
  const { path, queried, method, inPath } = operationOf(name);
  const given = (field: string) =>
    String(Object(body)[method.input.fields.find((known) => known.name === field)?.jsonName ?? ""]);
  const place = path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(given(field)));
  if (!queried) return place;
  const query = Object.entries(body).flatMap(([member, value]) => {
    const field = method.input.fields.find((known) => known.jsonName === member);
    return field && !inPath.includes(field.name) ? [[field.name, String(value)] as const] : [];
  });
  return `${place}?${new URLSearchParams(Object.fromEntries(query))}`;
}

function callOf(name: string, body: object): { method: string; body?: string } {
  const { verb } = operationOf(name);
  return verb === "POST" ? { method: verb, body: JSON.stringify(body) } : { method: verb };
}
