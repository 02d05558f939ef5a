import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { beforeAll, expect, test } from "vitest";
import { CompanyMonitoringService } from "../../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import type { Database } from "../../../src/store/database.ts";
import { openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { type Company, importOf, type Monitoring, monitoring, scopes } from "../../support/domains/monitoring.ts";

interface Imported {
  readonly companies: readonly { readonly company: Company; readonly outcome: string }[];
}

const version = { contractVersion: "cm-import-v1" };
const full = {
  name: "Harrowgate Pumps plc",
  ...{ domicile: "GB", ticker: "HGP", lei: "213800ABCDEFGHIJKL42", domain: "harrowgate-pumps.example" },
};

describeEachDatabase("imports of companies", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let api: Monitoring;

  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    api = monitoring(app, database);
    return app[Symbol.asyncDispose];
  });

  const send = (companies: readonly object[], key: string, headers: Record<string, string> = {}) =>
    api.post<Imported>("import-companies", { ...version, companies }, key, headers);
  const outcomes = ({ body }: Awaited<ReturnType<typeof send>>) => body.companies.map(({ outcome }) => outcome);
  const violated = async (companies: readonly object[], key: string) => {
    const { status, body } = await send(companies, key);
    const { violations } = body as unknown as { violations: { field: string }[] };
    return [status, ...violations.map(({ field }) => field)];
  };
  const listed = async (key: string, query: Record<string, string> = {}) =>
    (
      await api.get<{ companies: Company[]; snapshot: { snapshotGeneration: string } }>(
        "list-monitored-companies",
        query,
        key,
      )
    ).body;
  const stateOf = (state: string) => `MONITORED_COMPANY_STATE_${state}`;

  test("a company is created, left as it is when nothing changes, and updated by name or by id", async () => {
    const { key } = await api.open();
    const first = await send([full], key);
    const company = first.body.companies[0]?.company;
    expect([first.status, first.body]).toEqual([
      200,
      {
        companies: [
          {
            company: {
              ...full,
              companyId: expect.stringMatching(/^cm_company_[0-9A-HJKMNP-TV-Z]{26}$/),
              ...{ companyRevision: 1, state: stateOf("ACTIVE") },
              ...{ createdAt: testTime.toISOString(), changedAt: testTime.toISOString() },
            },
            outcome: "created",
          },
        ],
      },
    ]);
    expect((await send([full], key)).body.companies).toEqual([{ company, outcome: "unchanged" }]);
    const other = { ...full, name: "HARROWGATE PUMPS PLC", ticker: "" };
    app.setTime(new Date(testTime.getTime() + 1000));
    expect((await send([other], key)).body.companies).toEqual([
      {
        company: { ...company, ...other, companyRevision: 2, changedAt: "2026-11-18T12:00:01.000Z" },
        outcome: "updated",
      },
    ]);
    app.setTime(testTime);
    const renamed = { ...full, companyId: company?.companyId, name: "Harrowgate Flow plc" };
    expect((await send([renamed], key)).body).toMatchObject({
      companies: [{ company: { ...renamed, companyRevision: 3 } }],
    });
    expect((await listed(key)).companies).toMatchObject([{ ...renamed, companyRevision: 3 }]);
    // The same name in the other domicile is another company.
    expect(outcomes(await send([{ ...renamed, companyId: "", domicile: "US" }], key))).toEqual(["created"]);
  });

  test("active and paused follow each other, and removed is the end", async () => {
    const { key, companies } = await api.open("Alder Mill Ltd");
    const move = (state: string, name = "Alder Mill Ltd") =>
      send([{ companyId: companies[0], name, domicile: "GB", state: stateOf(state) }], key);
    for (const [state, outcome] of [
      ["PAUSED", "updated"],
      ["PAUSED", "unchanged"],
      ["UNSPECIFIED", "unchanged"],
      ["ACTIVE", "updated"],
      ["REMOVED", "updated"],
      ["REMOVED", "unchanged"],
    ] as const)
      expect(outcomes(await move(state)), state).toEqual([outcome]);
    for (const rejected of [await move("ACTIVE"), await move("REMOVED", "Alder Works Ltd")])
      expect(rejected).toMatchObject({
        status: 409,
        body: { message: `${companies[0]} was removed and cannot be changed` },
      });
    expect((await listed(key, { state: "removed" })).companies).toMatchObject([{ state: stateOf("REMOVED") }]);
    expect((await listed(key, { state: "active,paused" })).companies).toEqual([]);
    // Its name is free again.
    expect(outcomes(await send([{ name: "Alder Mill Ltd", domicile: "GB" }], key))).toEqual(["created"]);
  });

  test("an account watches 500 companies, and of an import that would go beyond none is taken", async () => {
    const { key } = await openAccount(database, { subscriptions: [{ plan: "enterprise" }], scopes });
    const names = Array.from({ length: 501 }, (_, index) => `Company ${index}`);
    for (let start = 0; start < 400; start += 100)
      expect((await api.post("import-companies", importOf(...names.slice(start, start + 100)), key)).status).toBe(200);
    await api.post("import-companies", importOf(...names.slice(400, 450)), key);
    const beyond = await api.post("import-companies", importOf(...names.slice(440, 501)), key);
    expect(beyond).toMatchObject({
      status: 409,
      body: { message: "An account watches 500 companies at most: 501 would be too many" },
    });
    expect((await listed(key)).snapshot.snapshotGeneration).toBe("5");
    expect((await api.post("import-companies", importOf(...names.slice(440, 500)), key)).status).toBe(200);
    const [{ companyId }] = (await listed(key, { page_size: "1" })).companies as [Company];
    const removed = { companyId, name: "gone", domicile: "GB", state: stateOf("REMOVED") };
    const swapped = await send([removed, { name: "Company 500", domicile: "GB" }], key);
    expect(outcomes(swapped)).toEqual(["updated", "created"]);
    const statuses = [];
    for (let index = 0; index < 3; index++) statuses.push((await send([full], key)).status);
    expect(statuses).toEqual([409, 409, 429]);
  });

  test("bad rows are 400s that name them, and refuse all of the import", async () => {
    const { key } = await api.open();
    const good = { name: "Birch Foods plc", domicile: "GB" };
    const bad = [
      ["name", { name: "" }],
      ["name", { name: " Birch" }],
      ["name", { name: "x".repeat(201) }],
      ["name", { name: "Birch\0Foods" }],
      ["domicile", { domicile: "FR" }],
      ["domicile", { domicile: "" }],
      ["ticker", { ticker: "birch" }],
      ["lei", { lei: "213800" }],
      ["domain", { domain: "https://birch.example" }],
      ["companyId", { companyId: "birch" }],
      ["state", { state: 9 }],
      ["state", { state: "paused" }],
      ["name", { name: 5 }],
      ["state", { name: "New", state: stateOf("REMOVED") }],
    ] as const;
    await using roomy = await startApp(database, { environment: { IDS_PLAN_LIMITS: "free=1000" } });
    const fresh = monitoring(roomy, database);
    for (const [member, changed] of bad) {
      const { key: other } = await fresh.open();
      expect(await violated([good, { ...good, name: "Cedar Optics plc", ...changed }], other), member).toEqual([
        400,
        `companies[1].${member}`,
      ]);
      expect((await listed(other)).companies).toEqual([]);
    }
    expect(await violated([], key)).toEqual([400, "companies"]);
    expect(
      await violated(
        Array.from({ length: 101 }, (_, index) => ({ ...good, name: `${index}` })),
        key,
      ),
    ).toEqual([...[400, "companies"]]);
    const unknown = { ...good, companyId: "cm_company_01KAB7Q2M5T9WZ3X4C6V8N0PRS" };
    expect(await send([unknown], key)).toMatchObject({
      status: 404,
      body: { message: "No such company: cm_company_01KAB7Q2M5T9WZ3X4C6V8N0PRS" },
    });
    expect((await api.post("import-companies", { companies: [good] }, key)).body).toMatchObject({
      violations: [{ field: "contractVersion" }],
    });
    const later = await api.post("import-companies", { contractVersion: "cm-import-v2", companies: [good] }, key);
    expect(later.body).toMatchObject({ violations: [{ field: "contractVersion" }] });
  });

  test("a company that an import names twice, or gives the name of another, is a 400", async () => {
    const { key, companies } = await api.open("Alder Mill Ltd", "Birch Foods plc");
    const [alder, birch] = companies;
    const row = (name: string, companyId = "") => ({ companyId, name, domicile: "GB" });
    expect(await violated([row("x", alder), row("y", alder)], key)).toEqual([400, "companies[1]"]);
    expect(await violated([row("alder mill ltd"), row("y", alder)], key)).toEqual([400, "companies[1]"]);
    expect(await violated([row("New"), row("NEW")], key)).toEqual([400, "companies[0].name", "companies[1].name"]);
    expect(await violated([row("birch foods plc", alder)], key)).toEqual([400, "companies[0].name"]);
    // Two may swap their names.
    expect(outcomes(await send([row("Birch Foods plc", alder), row("Alder Mill Ltd", birch)], key))).toEqual([
      ...["updated", "updated"],
    ]);
  });

  test("another account's companies are neither seen nor changed", async () => {
    const [one, other] = [await api.open("Alder Mill Ltd"), await api.open("Birch Foods plc")];
    const stolen = await send([{ companyId: one.companies[0], name: "Mine", domicile: "GB" }], other.key);
    expect(stolen.status).toBe(404);
    expect((await listed(one.key)).companies).toMatchObject([{ name: "Alder Mill Ltd", companyRevision: 1 }]);
    expect((await listed(other.key)).companies).toMatchObject([{ name: "Birch Foods plc" }]);
  });

  test("imports need their own scope", async () => {
    const { key } = await openAccount(database, {
      subscriptions: [{ plan: "enterprise" }],
      scopes: scopes.slice(0, 1),
    });
    expect(await send([full], key)).toMatchObject({
      status: 403,
      body: { error: "Missing required scope: company_monitoring:write" },
    });
    expect((await listed(key)).companies).toEqual([]);
  });

  test("a repeated import with one idempotency key is done once, over Connect as well", async () => {
    const { key } = await api.open();
    const header = { "Idempotency-Key": "first-import" };
    const first = await send([full], key, header);
    const second = await send([full], key, header);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect((await listed(key)).snapshot.snapshotGeneration).toBe("1");
    const transport = createConnectTransport({ baseUrl: app.url, httpVersion: "1.1" });
    const client = createClient(CompanyMonitoringService, transport);
    const { companies } = await client.importCompanies(
      { ...version, companies: [full] },
      { headers: { "X-Service-Key": key } },
    );
    expect(companies.map(({ company, outcome }) => [company?.name, outcome])).toEqual([[full.name, "unchanged"]]);
  });

  test("imports of one account at the same time never make one company twice", async () => {
    const { key } = await api.open();
    const sent = await Promise.all(Array.from({ length: 5 }, () => send([full], key)));
    expect(sent.flatMap(outcomes).sort()).toEqual(["created", "unchanged", "unchanged", "unchanged", "unchanged"]);
    expect((await listed(key)).companies).toHaveLength(1);
  });
});
