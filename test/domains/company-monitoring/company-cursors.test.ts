import { beforeAll, expect, test } from "vitest";
import { signedCursors } from "../../../src/access/cursor.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import {
  type Impact,
  type ImpactPage,
  type Monitoring,
  monitoring,
  type Watching,
} from "../../support/domains/monitoring.ts";

const hourMs = 3_600_000;
const documented = /^cmc1\.[A-Za-z0-9_-]{16,1000}[A-Za-z0-9_-]{0,536}\.[A-Za-z0-9_-]{43}$/;
/** As the tests' app signs: under its secret. */
const cursors = signedCursors([Buffer.alloc(32, 7)], "company monitoring", "cmc1");

const impacts = "list-company-event-impacts";
const changes = "list-company-event-changes";
const companies = "list-monitored-companies";

describeEachDatabase("cursors of company monitoring", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let api: Monitoring;
  let watching: Watching;

  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_PLAN_LIMITS: "enterprise=100000" } });
    api = monitoring(app, database);
    watching = await api.open("Harrowgate Pumps plc", "Ferrybridge Freight Ltd");
    for (let index = 0; index < 5; index++) await api.admit(watching.id, watching.companies[index % 2] ?? "");
    return app[Symbol.asyncDispose];
  });

  const sendRequest = async (operation: string, query: Record<string, string>, key = watching.key) => {
    const { status, body } = await api.get<ImpactPage>(operation, query, key);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const rejection = async (operation: string, query: Record<string, string>, key = watching.key) => {
    const { status, body } = await api.get<{ violations: { field: string; description: string }[] }>(
      operation,
      query,
      key,
    );
    const fields = new Set(body.violations?.map(({ field }) => field));
    expect([status, ...fields], JSON.stringify(query)).toEqual([400, "cursor"]);
    return body.violations[0]?.description;
  };
  const at = async <T>(milliseconds: number, work: () => Promise<T>) => {
    app.setTime(new Date(testTime.getTime() + milliseconds));
    try {
      return await work();
    } finally {
      app.setTime(testTime);
    }
  };

  test("every cursor has the documented form, and its content and signature are base64url", async () => {
    const { nextCursor, snapshot } = await sendRequest(impacts, { page_size: "2" });
    const changed = await sendRequest(changes, { cursor: snapshot.pollCursor });
    const listed = await sendRequest(companies, { page_size: "1" });
    for (const cursor of [nextCursor, snapshot.pollCursor, changed.snapshot.pollCursor, listed.nextCursor]) {
      expect(cursor).toMatch(documented);
      expect(Buffer.byteLength(cursor)).toBeLessThanOrEqual(2048);
      expect(cursors.open(cursor)).toMatchObject({
        version: 1,
        ownerAccountId: watching.id,
        filterHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        issuedAt: testTime.getTime(),
        expiresAt: testTime.getTime() + 24 * hourMs,
      });
    }
  });

  test("a cursor that was changed at any place is refused", async () => {
    const { nextCursor } = await sendRequest(impacts, { page_size: "2" });
    const changed = Array.from(nextCursor, (letter, place) => {
      const other = letter === "A" ? "B" : "A";
      return nextCursor.slice(0, place) + other + nextCursor.slice(place + 1);
    });
    await Promise.all(changed.map((cursor) => rejection(impacts, { page_size: "2", cursor })));
    for (const cursor of [nextCursor.slice(0, -1), `${nextCursor}A`, nextCursor.replace("cmc1", "cmc2"), "x", "cmc1.."])
      await rejection(impacts, { page_size: "2", cursor });
    await rejection(impacts, { cursor: `cmc1.${"A".repeat(2048)}.${"A".repeat(43)}` });
  });

  test("an empty cursor is none, but the list of changes demands one", async () => {
    expect((await sendRequest(impacts, { cursor: "" })).impacts).toHaveLength(5);
    for (const query of [{}, { cursor: "" }]) expect(await rejection(changes, query)).toBe("value is required");
  });

  test("a cursor ends after 24 hours, and one from the future is refused", async () => {
    const { nextCursor, snapshot } = await sendRequest(impacts, { page_size: "2" });
    const { nextCursor: ofCompanies } = await sendRequest(companies, { page_size: "1" });
    const all = [
      [impacts, nextCursor],
      [changes, snapshot.pollCursor],
      [companies, ofCompanies],
    ] as const;
    for (const [operation, cursor] of all) {
      await at(24 * hourMs - 1, () => sendRequest(operation, { cursor }));
      expect(await at(24 * hourMs, () => rejection(operation, { cursor }))).toMatch(/^value has expired/);
      await at(-60_000, () => sendRequest(operation, { cursor }));
      await at(-60_001, () => rejection(operation, { cursor }));
    }
  });

  test("a cursor of another account is refused", async () => {
    const other = await api.open("Harrowgate Pumps plc", "Ferrybridge Freight Ltd");
    const { nextCursor, snapshot } = await sendRequest(impacts, { page_size: "2" });
    expect(await rejection(impacts, { cursor: nextCursor }, other.key)).toBe("value belongs to another account");
    await rejection(changes, { cursor: snapshot.pollCursor }, other.key);
    await rejection(companies, { cursor: (await sendRequest(companies, { page_size: "1" })).nextCursor }, other.key);
  });

  test("a cursor of other filters is refused, and one of the same in other words is not", async () => {
    const [company = ""] = watching.companies;
    const filters = { company_id: company, direction: "negative", page_size: "1" };
    const { nextCursor: cursor, snapshot } = await sendRequest(impacts, filters);
    const same = { company_id: `${company},${company}`, direction: "MATERIAL_IMPACT_DIRECTION_NEGATIVE,negative" };
    for (const query of [{ ...filters }, { ...filters, page_size: "100" }, same]) {
      await sendRequest(impacts, { ...query, cursor });
      await sendRequest(changes, { ...query, cursor: snapshot.pollCursor });
    }
    const others = [
      {},
      { company_id: company },
      { company_id: watching.companies[1] ?? "", direction: "negative" },
      { company_id: company, direction: "negative,mixed" },
      { company_id: company, direction: "positive" },
      { ...same, lifecycle: "admitted" },
    ];
    for (const query of others) {
      expect(await rejection(impacts, { ...query, cursor })).toBe("value belongs to other filters");
      await rejection(changes, { ...query, cursor: snapshot.pollCursor });
    }
    const ofActive = (await sendRequest(companies, { state: "active", page_size: "1" })).nextCursor;
    await sendRequest(companies, { state: "MONITORED_COMPANY_STATE_ACTIVE", cursor: ofActive });
    await rejection(companies, { cursor: ofActive });
  });

  test("a cursor of another operation, or another mode, is refused", async () => {
    const { nextCursor, snapshot } = await sendRequest(impacts, { page_size: "2" });
    const ofCompanies = (await sendRequest(companies, { page_size: "1" })).nextCursor;
    const wrong = [
      [impacts, snapshot.pollCursor],
      [impacts, ofCompanies],
      [changes, nextCursor],
      [changes, ofCompanies],
      [companies, nextCursor],
      [companies, snapshot.pollCursor],
    ] as const;
    for (const [operation, cursor] of wrong)
      expect(await rejection(operation, { cursor })).toBe("value belongs to another operation");
    const modes = [
      [impacts, nextCursor, "poll"],
      [changes, snapshot.pollCursor, "snapshot"],
    ] as const;
    for (const [operation, cursor, mode] of modes) {
      const claims = cursors.open(cursor) as object;
      await sendRequest(operation, { cursor: cursors.sign(claims) });
      await rejection(operation, { cursor: cursors.sign({ ...claims, mode }) });
      await rejection(operation, { cursor: cursors.sign({ ...claims, version: 2 }) });
      await rejection(operation, { cursor: cursors.sign({ ...claims, more: 1 }) });
      for (const claim of Object.keys(claims).filter((name) => name !== "position")) {
        const { [claim as never]: _, ...rest } = claims;
        await rejection(operation, { cursor: cursors.sign(rest) });
      }
    }
  });

  test("a snapshot is kept for 24 hours after it was replaced; then its pages are refused and its changes need a new one", async () => {
    const { id, key, companies: watched } = await api.open("Harrowgate Pumps plc");
    const made: Impact[] = [];
    for (let index = -4; index < 0; index++) made.push(await at(index, () => api.admit(id, watched[0] ?? "")));
    const first = await sendRequest(impacts, { page_size: "1" }, key);
    await at(hourMs, () => api.correct(id, made[3]?.impactId ?? ""));
    // Its pages are turned on, so that the cursor is young while its generation grows old.
    const late = await at(20 * hourMs, () => sendRequest(impacts, { page_size: "1", cursor: first.nextCursor }, key));
    expect(late.snapshot).toMatchObject({ ...first.snapshot, pollCursor: expect.any(String) });
    const revise = () => api.correct(id, made[0]?.impactId ?? "");
    // A minute more than 24 hours: the clocks of two processes may differ.
    await at(25 * hourMs + 60_000, revise);
    const still = await at(25 * hourMs + 60_000, () =>
      sendRequest(impacts, { page_size: "1", cursor: late.nextCursor }, key),
    );
    expect(still.impacts).toMatchObject([{ impactId: made[1]?.impactId }]);
    const poll = { cursor: late.snapshot.pollCursor };
    const current = await at(25 * hourMs + 60_000, () => sendRequest(changes, poll, key));
    expect(current).toMatchObject({
      pollState: "CURRENT",
      impacts: [{ impactId: made[3]?.impactId }, { impactId: made[0]?.impactId }],
    });
    await at(25 * hourMs + 60_001, revise);
    const purged = await at(26 * hourMs, () => rejection(impacts, { page_size: "1", cursor: late.nextCursor }, key));
    expect(purged).toMatch(/^value belongs to a snapshot that is no longer stored/);
    expect(await at(26 * hourMs, () => sendRequest(changes, poll, key))).toMatchObject({
      ...{ pollState: "SNAPSHOT_REQUIRED", impacts: [], nextCursor: "", snapshot: { pollCursor: "" } },
    });
    const { rows } = await database.query("select count(*)::int as stored from company_impact where account = $1", [
      id,
    ]);
    expect(rows).toEqual([{ stored: 6 }]);
    const newer = { cursor: current.snapshot.pollCursor };
    expect(await at(26 * hourMs, () => sendRequest(changes, newer, key))).toMatchObject({
      ...{ pollState: "CURRENT", impacts: [{ impactId: made[0]?.impactId, impactRevision: 3 }] },
    });
  });

  test("an impact that leaves the filters is reported once, and one that was outside before is not", async () => {
    const { id, key, companies: watched } = await api.open("Harrowgate Pumps plc");
    const { impactId } = await api.admit(id, watched[0] ?? "");
    const negative = { direction: "negative" };
    const turn = (direction: string) =>
      api.correct(id, impactId, { direction: `MATERIAL_IMPACT_DIRECTION_${direction}` });
    const first = await sendRequest(impacts, negative, key);
    const reported = async (cursor: string) => sendRequest(changes, { ...negative, cursor }, key);
    await turn("MIXED");
    const left = await reported(first.snapshot.pollCursor);
    expect(left.impacts).toMatchObject([{ impactId, direction: "MATERIAL_IMPACT_DIRECTION_MIXED" }]);
    await turn("POSITIVE");
    const outside = await reported(left.snapshot.pollCursor);
    expect(outside.impacts).toEqual([]);
    await turn("NEGATIVE");
    expect((await reported(outside.snapshot.pollCursor)).impacts).toMatchObject([{ impactId, impactRevision: 4 }]);
    // A client that polls from the first snapshot sees it as it is now.
    expect((await reported(first.snapshot.pollCursor)).impacts).toMatchObject([{ impactId, impactRevision: 4 }]);
  });

  test("companies are paged from their own snapshot while they change", async () => {
    const { key, companies: ids } = await api.open("Alder Mill Ltd", "Birch Foods plc", "Cedar Optics plc");
    const { companies: first, nextCursor } = await listed({ page_size: "2" }, key);
    const [third = ""] = ids.filter((id) => first.every(({ companyId }) => companyId !== id));
    const rename = { companyId: third, name: "Cedar Lenses plc", domicile: "GB" };
    await at(1_000, () => api.post("import-companies", { contractVersion: "cm-import-v1", companies: [rename] }, key));
    const rest = await at(2_000, () => listed({ page_size: "2", cursor: nextCursor }, key));
    expect(rest).toMatchObject({ companies: [{ companyId: third, companyRevision: 1 }], nextCursor: "" });
    expect([...first, ...rest.companies].map(({ companyId }) => companyId)).toEqual(ids.toSorted().reverse());
    const again = await at(2_000, () => listed({}, key));
    expect(again.companies[0]).toMatchObject({ companyId: third, name: "Cedar Lenses plc", companyRevision: 2 });
  });

  test("a generation that the store does not know yet is refused, and its changes need a new snapshot", async () => {
    const { nextCursor, snapshot } = await sendRequest(impacts, { page_size: "2" });
    const ahead = (cursor: string) => {
      const claims = cursors.open(cursor) as { snapshotGeneration: number; watermark: number };
      const [snapshotGeneration, watermark] = [claims.snapshotGeneration + 1, claims.watermark + 1];
      return { cursor: cursors.sign({ ...claims, snapshotGeneration, watermark }) };
    };
    await rejection(impacts, ahead(nextCursor));
    expect(await sendRequest(changes, ahead(snapshot.pollCursor))).toMatchObject({ pollState: "SNAPSHOT_REQUIRED" });
  });

  test("page sizes and filters outside their bounds are 400s that name the parameter", async () => {
    const bad = [
      ["page_size", "101"],
      ["page_size", "-1"],
      ["page_size", "many"],
      ["company_id[0]", "cm_company_01KAB7Q2M5T9WZ3X4C6V8N0PRI"],
      ["company_id", Array.from({ length: 101 }, () => watching.companies[0]).join()],
      ["direction", "up"],
      ["direction[0]", "MATERIAL_IMPACT_DIRECTION_UNSPECIFIED"],
      ["lifecycle", "admitted,corrected,retracted,admitted"],
    ] as const;
    for (const [field, value] of bad) {
      const query = { [field.replace("[0]", "")]: value };
      const { status, body } = await api.get<{ violations: { field: string }[] }>(impacts, query, watching.key);
      expect([status, body.violations.map((violation) => violation.field)], field).toEqual([400, [field]]);
    }
    expect((await sendRequest(impacts, { page_size: "0" })).impacts).toHaveLength(5);
  });

  async function listed(query: Record<string, string>, key: string) {
    const { body } = await api.get<{ companies: { companyId: string }[]; nextCursor: string }>(companies, query, key);
    return body;
  }
});
