import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { assessment, type ImpactPage, type Monitoring, monitoring, scopes } from "../../support/domains/monitoring.ts";

const reads = ["list-company-event-impacts", "list-company-event-changes", "list-monitored-companies"];
const operatorWrites = ["admit-impact", "correct-impact", "retract-impact"];
const unknown = "cm_impact_01KAB7S4K8N0PQ2R6T3V5W7XYZ";

describeEachDatabase("impacts of events on companies", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let api: Monitoring;

  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_PLAN_LIMITS: "enterprise=100000" } });
    api = monitoring(app, database);
    return app[Symbol.asyncDispose];
  });

  const list = async (key: string, query: ConstructorParameters<typeof URLSearchParams>[0] = {}) => {
    const { status, body } = await api.get<ImpactPage>("list-company-event-impacts", query, key);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };

  test("while it is switched off, every operation is 503 once key and scope are good, and not before", async () => {
    await using off = await startApp(database, { environment: { IDS_COMPANY_MONITORING: "off" } });
    const gated = monitoring(off, database);
    const { key } = await openAccount(database, { subscriptions: [{ plan: "free" }], scopes });
    const { key: bare } = await openAccount(database, { subscriptions: [{ plan: "enterprise" }] });
    const sendRequest = async (operation: string, presented: string | null | undefined) => {
      const method = reads.includes(operation) ? {} : { method: "POST", body: "[" };
      const given = presented === undefined ? {} : { key: presented };
      // Nothing of the request but its head is looked at: neither the cursor nor the body is one.
      return off.get(`/api/company-monitoring/v1/${operation}?cursor=x`, { ...given, ...method });
    };
    for (const operation of [...reads, "import-companies", ...operatorWrites]) {
      const isOperators = operatorWrites.includes(operation);
      expect((await sendRequest(operation, null)).status, operation).toBe(401);
      expect((await sendRequest(operation, "garbage")).status, operation).toBe(401);
      const rejected = await sendRequest(operation, isOperators ? key : bare);
      const right = operation === "import-companies" ? "write" : "read";
      const error = isOperators ? "Operator key required" : `Missing required scope: company_monitoring:${right}`;
      expect([rejected.status, await rejected.json()], operation).toEqual([403, { error }]);
      const good = await sendRequest(operation, isOperators ? undefined : key);
      expect([good.status, good.headers.get("Retry-After"), good.headers.get("Cache-Control")], operation).toEqual([
        503,
        "60",
        "no-store",
      ]);
      expect(good.headers.get("X-Should-Retry"), operation).toBe("false");
      expect(await good.json()).toEqual({ error: expect.stringMatching(/^[A-Z]\w+ is disabled on this service$/) });
    }
    expect((await gated.get("list-company-event-impacts", {}, key)).status).toBe(503);
    const connect = await fetch(
      `${off.url}/ids.company_monitoring.v1.CompanyMonitoringService/ListCompanyEventImpacts`,
      { method: "POST", headers: { "Content-Type": "application/json", "X-Service-Key": key }, body: "{}" },
    );
    expect(connect.headers.get("X-Should-Retry")).toBe("false");
    expect([connect.status, connect.headers.get("Retry-After"), await connect.json()]).toEqual([
      503,
      "60",
      expect.objectContaining({
        code: "unavailable",
        message: "ListCompanyEventImpacts is disabled on this service",
      }),
    ]);
  });

  test("an agent hears that a part is switched off, and not that it should repeat the call", async () => {
    await using off = await startApp(database, { environment: { IDS_COMPANY_MONITORING: "off" } });
    const { key } = await openAccount(database, { subscriptions: [{ plan: "free" }], scopes });
    const params = { name: "ids_company_monitoring_read", arguments: { operation: "list_company_event_impacts" } };
    const response = await fetch(`${off.url}/mcp`, {
      method: "POST",
      headers: {
        ...{ Accept: "application/json, text/event-stream", "Content-Type": "application/json" },
        "X-Service-Key": key,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const [, message = "{}"] = /^data: (.*)$/m.exec(await response.text()) ?? [];
    expect(JSON.parse(message).error.data).toMatchObject({ reason: "switched-off" });
  });

  test("an account without impacts has an empty list of generation 0, never kept by a cache", async () => {
    const { key } = await api.open();
    const { body, headers } = await api.get<ImpactPage>("list-company-event-impacts", {}, key);
    expect(body).toEqual({
      impacts: [],
      nextCursor: "",
      snapshot: {
        snapshotAsOf: testTime.toISOString(),
        snapshotGeneration: "0",
        pollCursor: expect.stringMatching(/^cmc1\./),
      },
    });
    expect(headers.get("Cache-Control")).toBe("no-store");
    const changes = await api.get("list-company-event-changes", { cursor: body.snapshot.pollCursor }, key);
    expect(changes.body).toMatchObject({ impacts: [], nextCursor: "", pollState: "CURRENT" });
  });

  test("an admitted impact is listed whole: the least of its confidences, the best of its evidence", async () => {
    const { id, key, companies } = await api.open("Harrowgate Pumps plc");
    const tiers = [
      "EVIDENCE_TIER_ORDINARY",
      "EVIDENCE_TIER_INDEPENDENT_AUTHORITATIVE",
      "EVIDENCE_TIER_PRIMARY_VERIFIED",
    ];
    const evidence = Array.from({ length: 24 }, (_, index) => ({
      url: `https://news.example/foundry/${index}`,
      tier: tiers[index % 3],
      title: `Foundry workers walk out, day ${index + 1}`,
      ...(index % 2 ? { publishedAt: "2026-11-17T08:05:00+01:00" } : {}),
    }));
    const impact = await api.admit(id, companies[0] ?? "", {
      channels: ["MATERIAL_IMPACT_CHANNEL_FINANCES", "MATERIAL_IMPACT_CHANNEL_REPUTATION"],
      occurredAt: "2026-11-17T07:30:00.5+01:00",
      ...{ evidence, evidenceTotalCount: 60 },
    });
    const { impacts, snapshot } = await list(key);
    expect(impacts).toEqual([impact]);
    expect(snapshot.snapshotGeneration).toBe("2");
    const crockford = "[0-9A-HJKMNP-TV-Z]{26}$";
    const stored = [2, 1, 0].flatMap((tier) => evidence.filter((_, index) => index % 3 === tier)).slice(0, 20);
    expect(impact).toEqual({
      impactId: expect.stringMatching(`^cm_impact_${crockford}`),
      impactRevision: 1,
      isCurrent: true,
      eventId: expect.stringMatching(`^cm_event_${crockford}`),
      eventRevision: 1,
      companyId: companies[0],
      direction: "MATERIAL_IMPACT_DIRECTION_NEGATIVE",
      lifecycle: "MATERIAL_IMPACT_LIFECYCLE_ADMITTED",
      channels: ["MATERIAL_IMPACT_CHANNEL_REPUTATION", "MATERIAL_IMPACT_CHANNEL_FINANCES"],
      magnitude: "MATERIAL_IMPACT_MAGNITUDE_MEDIUM",
      confidence: { attribution: 0.95, occurrenceTruth: 0.9, materialImpact: 0.75, overall: 0.75 },
      rationale: "The strike closes the only foundry that casts its pump housings.",
      occurredAt: "2026-11-17T06:30:00.500Z",
      changedAt: testTime.toISOString(),
      canonicalUrl: "https://news.example/foundry/2",
      evidenceReferenceCount: 20,
      evidenceTotalCount: 60,
      evidenceTruncated: true,
      evidence: stored.map(({ publishedAt, ...reference }) => ({
        ...reference,
        publishedAt: publishedAt ? "2026-11-17T07:05:00.000Z" : "",
      })),
    });
  });

  const steps = { correct: "correct-impact", retract: "retract-impact" } as const;
  test.each([
    [["correct"], "CORRECTED"],
    [["retract"], "RETRACTED"],
    [["correct", "correct"], "CORRECTED"],
    [["correct", "retract"], "RETRACTED"],
    [["retract", "correct"], 409],
    [["retract", "retract"], 409],
    [["correct", "retract", "correct"], 409],
    [["correct", "retract", "retract"], 409],
  ] as const)("an admitted impact after %j is %s", async (path, end) => {
    const { id, key, companies } = await api.open("Ferrybridge Freight Ltd");
    const { impactId } = await api.admit(id, companies[0] ?? "");
    let revision = 1;
    for (const [index, step] of path.entries()) {
      const body = { account: id, impactId, ...(step === "correct" ? { assessment: assessment() } : {}) };
      const response = await api.post<{ impact: object }>(steps[step], body);
      if (typeof end === "number" && index === path.length - 1) {
        expect(response).toMatchObject({
          status: end,
          body: { message: "The impact was retracted and cannot be changed" },
        });
        break;
      }
      revision++;
      expect(response.body.impact).toMatchObject({ impactId, impactRevision: revision });
    }
    const lifecycle = `MATERIAL_IMPACT_LIFECYCLE_${typeof end === "number" ? "RETRACTED" : end}`;
    expect((await list(key)).impacts).toMatchObject([
      { impactId, impactRevision: revision, lifecycle, isCurrent: true },
    ]);
  });

  test("a correction replaces the assessment, and a retraction keeps it but for its reason", async () => {
    const { id, companies } = await api.open("Ferrybridge Freight Ltd");
    const { impactId } = await api.admit(id, companies[0] ?? "");
    const later = { account: id, impactId, eventRevision: 3 };
    const changed = { direction: "MATERIAL_IMPACT_DIRECTION_MIXED", rationale: "It has stock for a month." };
    const corrected = await api.post<object>("correct-impact", { ...later, assessment: assessment(changed) });
    expect(corrected.body).toMatchObject({ impact: { ...changed, eventRevision: 3, evidence: [] } });
    const back = await api.post("correct-impact", { ...later, eventRevision: 2, assessment: assessment() });
    expect(back).toMatchObject({ status: 400, body: { violations: [{ field: "eventRevision" }] } });
    const rationale = "Another company of that name was meant.";
    const retracted = await api.post("retract-impact", { account: id, impactId, rationale });
    expect(retracted.body).toMatchObject({
      impact: { direction: changed.direction, rationale, eventRevision: 3, impactRevision: 3 },
    });
  });

  test("an event has one impact on a company, until that is retracted; other companies have their own", async () => {
    const { id, companies } = await api.open("Harrowgate Pumps plc", "Ferrybridge Freight Ltd");
    const [first = "", second = ""] = companies;
    const eventId = "cm_event_01KAB7R0D6H2JZ4M8Q1S5T7V9X";
    const admit = (companyId: string) =>
      api.post<{ impact: { impactId: string } }>("admit-impact", {
        ...{ account: id, companyId, eventId, eventRevision: 4, assessment: assessment() },
      });
    const { status, body } = await admit(first);
    expect([status, body]).toMatchObject([201, { impact: { eventId, eventRevision: 4 } }]);
    expect((await admit(first)).status).toBe(409);
    expect((await admit(second)).status).toBe(201);
    await api.retract(id, body.impact.impactId);
    expect((await admit(first)).status).toBe(201);
  });

  test("impacts are admitted only on active companies, and are still revised on others", async () => {
    const { id, key, companies } = await api.open("Harrowgate Pumps plc");
    const [companyId = ""] = companies;
    const { impactId } = await api.admit(id, companyId);
    for (const state of ["PAUSED", "REMOVED"]) {
      const company = { companyId, name: "Harrowgate Pumps plc", domicile: "GB" };
      const companyState = `MONITORED_COMPANY_STATE_${state}`;
      await api.post(
        "import-companies",
        { contractVersion: "cm-import-v1", companies: [{ ...company, state: companyState }] },
        key,
      );
      const rejected = await api.post("admit-impact", { account: id, companyId, assessment: assessment() });
      expect(rejected).toMatchObject({ status: 409, body: { message: "The company is not active" } });
      await api.correct(id, impactId);
    }
  });

  test("what is not there, or is another account's, is 404", async () => {
    const [one, other] = [await api.open("Harrowgate Pumps plc"), await api.open("Harrowgate Pumps plc")];
    const { impactId } = await api.admit(one.id, one.companies[0] ?? "");
    const bodies = [
      ["admit-impact", { account: other.id, companyId: one.companies[0], assessment: assessment() }, "No such company"],
      ["admit-impact", { account: "nobody", companyId: one.companies[0], assessment: assessment() }, "No such account"],
      ["correct-impact", { account: other.id, impactId, assessment: assessment() }, "No such impact"],
      ["correct-impact", { account: one.id, impactId: unknown, assessment: assessment() }, "No such impact"],
      ["retract-impact", { account: other.id, impactId }, "No such impact"],
      ["retract-impact", { account: "nobody", impactId }, "No such account"],
    ] as const;
    for (const [operation, body, message] of bodies)
      expect(await api.post(operation, body)).toMatchObject({ status: 404, body: { message } });
    expect((await list(other.key)).impacts).toEqual([]);
    // What failed made no generation.
    expect((await list(other.key)).snapshot.snapshotGeneration).toBe("1");
  });

  const page = { url: "https://news.example", tier: "EVIDENCE_TIER_ORDINARY" };
  test.each([
    ["confidence.attribution", { confidence: { attribution: 0.89, occurrenceTruth: 1, materialImpact: 1 } }],
    ["confidence.occurrenceTruth", { confidence: { attribution: 1, occurrenceTruth: 0.79, materialImpact: 1 } }],
    ["confidence.materialImpact", { confidence: { attribution: 1, occurrenceTruth: 1, materialImpact: 0.69 } }],
    ["confidence.materialImpact", { confidence: { attribution: 1, occurrenceTruth: 1, materialImpact: 1.01 } }],
    ["confidence.attribution", { confidence: { attribution: "NaN", occurrenceTruth: 1, materialImpact: 1 } }],
    ["confidence", { confidence: undefined }],
    ["direction", { direction: "MATERIAL_IMPACT_DIRECTION_UNSPECIFIED" }],
    ["direction", { direction: "negative" }],
    ["magnitude", { magnitude: undefined }],
    ["channels", { channels: [] }],
    ["channels", { channels: ["MATERIAL_IMPACT_CHANNEL_FINANCES", "MATERIAL_IMPACT_CHANNEL_FINANCES"] }],
    ["rationale", { rationale: "ü".repeat(1025) }],
    ["rationale", { rationale: "" }],
    ["rationale", { rationale: " \t\n" }],
    ["rationale", { rationale: "a\0b" }],
    ["occurredAt", { occurredAt: "2026-11-18T12:00:00.001Z" }],
    ["occurredAt", { occurredAt: "2026-11-18" }],
    ["occurredAt", { occurredAt: "0000-01-01T00:00:00+23:59" }],
    ["occurredAt", { occurredAt: "2026-02-30T00:00:00Z" }],
    ["canonicalUrl", { canonicalUrl: "ftp://news.example/" }],
    ["evidence[0].url", { evidence: [{ ...page, url: "news.example" }] }],
    ["evidence[0].tier", { evidence: [{ url: page.url }] }],
    ["evidence[1].title", { evidence: ["", "\0"].map((title) => ({ ...page, title })) }],
    ["evidence[0].publishedAt", { evidence: [{ ...page, publishedAt: "today" }] }],
    ["evidenceTotalCount", { evidence: [page, page], evidenceTotalCount: 1 }],
  ])("an assessment with a bad %s is a 400 that names it", async (member, changed) => {
    const body = { account: "acme", companyId: unknown.replace("impact", "company"), assessment: assessment(changed) };
    const { status, body: response } = await api.post<{ violations: { field: string }[] }>("admit-impact", body);
    expect([status, response.violations.map(({ field }) => field)]).toEqual([400, [`assessment.${member}`]]);
  });

  test("values at the admission floors are admitted", async () => {
    const { id, companies } = await api.open("Harrowgate Pumps plc");
    const confidence = { attribution: 0.9, occurrenceTruth: 0.8, materialImpact: 0.7 };
    expect(await api.admit(id, companies[0] ?? "", { confidence, rationale: "ü".repeat(1024) })).toMatchObject({
      confidence: { ...confidence, overall: 0.7 },
    });
  });

  test("a repeated admission with one idempotency key is done once", async () => {
    const { id, key, companies } = await api.open("Harrowgate Pumps plc");
    const body = { account: id, companyId: companies[0], assessment: assessment() };
    const [first, second] = [
      await api.post("admit-impact", body, undefined, { "Idempotency-Key": `admit ${id}`.replaceAll(" ", "-") }),
      await api.post("admit-impact", body, undefined, { "Idempotency-Key": `admit ${id}`.replaceAll(" ", "-") }),
    ];
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect((await list(key)).impacts).toHaveLength(1);
  });

  test("of revisions that are made at the same time each sees the one before", async () => {
    const { id, key, companies } = await api.open("Harrowgate Pumps plc");
    const { impactId } = await api.admit(id, companies[0] ?? "");
    const revised = await Promise.all(Array.from({ length: 8 }, () => api.correct(id, impactId)));
    expect(revised.map(({ impactRevision }) => impactRevision).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await list(key)).impacts).toMatchObject([{ impactRevision: 9 }]);
    const retracted = await Promise.all(
      Array.from({ length: 4 }, () => api.post("retract-impact", { account: id, impactId })),
    );
    expect(retracted.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});
