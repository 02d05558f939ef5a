import { randomUUID } from "node:crypto";
import { openAccount } from "../accounts.ts";
import { assessment, importOf, scopes } from "../domains/monitoring.ts";
import { attemptOf, isBroken } from "./fault-loop.ts";
import type { FaultBed, Scenario } from "./fault-scenario.ts";

interface Caller {
  readonly id: string;
  readonly key: string;
  readonly idempotencyKey: string;
}

async function caller({ database }: FaultBed): Promise<Caller> {
  const rights = [...scopes, "keys:write"];
  const { id, key } = await openAccount(database, { subscriptions: [{ plan: "enterprise" }], scopes: rights });
  return { id, key, idempotencyKey: randomUUID() };
}

function post({ app }: FaultBed, path: string, body: object, { key, idempotencyKey }: Omit<Caller, "id">) {
  const headers = { "Idempotency-Key": idempotencyKey };
  return app.get(path, { key, headers, method: "POST", body: JSON.stringify(body) });
}

async function count({ database }: FaultBed, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await database.query(`select count(*)::int as n from ${text}`, [...values]);
  return Number(Object(rows[0]).n);
}

/** What exists is what was acknowledged; what was not may exist once, for an attempt whose answer was lost. */
function once(what: string, found: number, isDone: boolean): readonly string[] {
  if (isDone && found === 0) return [`${what} was acknowledged and is not there`];
  return found > 1 ? [`${what} is there ${found} times`] : [];
}

/** A write over HTTP, repeated with the same Idempotency-Key until it is acknowledged. */
function write(
  name: string,
  path: string,
  body: object,
  counted: { readonly what: string; readonly from: string },
): Scenario<Caller> {
  return {
    name,
    prepare: caller,
    act: async (bed, subject) => attemptOf(await post(bed, path, body, subject)),
    broken: async (bed, { id }, isDone) => once(counted.what, await count(bed, counted.from, [id]), isDone),
  };
}

export const registerWebhook = write(
  "register webhook",
  "/api/v2/shipping/webhooks",
  { callbackUrl: "https://hooks.example.com/ids", chokepointIds: ["suez"], alertThreshold: 50 },
  { what: "the webhook", from: "webhook where account = $1" },
);

export const createRule = write(
  "create rule",
  "/api/alerts/v1/create-rule",
  { name: "watch", trigger: { changes: { datasets: ["internet-outages"] } } },
  { what: "the rule", from: "alert_rule where account = $1" },
);

const scenarioRun = write(
  "run scenario",
  "/api/scenario/v1/run-scenario",
  { scenarioId: "hormuz-tanker-blockade" },
  { what: "the job", from: "scenario_job where account = $1" },
);

export const runScenario: Scenario<Caller> = {
  ...scenarioRun,
  async act(bed, subject) {
    const attempt = await scenarioRun.act(bed, subject);
    // What its contract says of a queue that is out of reach.
    const isOutOfReach = isBroken(attempt) && /answered 502: .*Failed to enqueue/.test(attempt.broken);
    return isOutOfReach ? { rejected: attempt.broken } : attempt;
  },
};

export const createKey = write(
  "create key",
  "/api/account/v1/create-api-key",
  { name: "laptop" },
  { what: "the key", from: "api_key where account = $1 and name = 'laptop'" },
);

export const createFeedUrl = write(
  "create feed URL",
  "/api/account/v1/create-feed-url",
  { name: "sheet", path: "/api/infrastructure/v1/list-internet-outages?format=csv" },
  { what: "the feed URL", from: "feed_url where account = $1" },
);

export const createEndpoint = write(
  "create endpoint",
  "/api/alerts/v1/create-endpoint",
  { name: "desk", kind: "feed" },
  { what: "the endpoint", from: "webhook where account = $1" },
);

export const importCompanies = write(
  "import companies",
  "/api/company-monitoring/v1/import-companies",
  importOf("Harrowgate Pumps plc", "Foxmoor Castings plc"),
  { what: "the company", from: "monitored_company where account = $1 and name = 'Harrowgate Pumps plc'" },
);

interface Admission extends Caller {
  readonly company: string;
}

export const admitImpact: Scenario<Admission> = {
  name: "admit impact",
  async prepare(bed) {
    const made = await caller(bed);
    const imported = await post(bed, "/api/company-monitoring/v1/import-companies", importOf("Harrowgate"), {
      ...made,
      idempotencyKey: randomUUID(),
    });
    const { companies } = (await imported.json()) as { companies: { company: { companyId: string } }[] };
    return { ...made, company: companies[0]?.company.companyId ?? "" };
  },
  async act({ app }, { id, company, idempotencyKey }) {
    const body = JSON.stringify({ account: id, companyId: company, assessment: assessment() });
    const headers = { "Idempotency-Key": idempotencyKey };
    return attemptOf(await app.get("/api/company-monitoring/v1/admit-impact", { method: "POST", headers, body }));
  },
  broken: async (bed, { company }, isDone) =>
    once("the impact", await count(bed, "company_impact where company_id = $1", [company]), isDone),
};

interface Rotation extends Caller {
  readonly keyId: string;
  secret?: string;
}

export const rotateKey: Scenario<Rotation> = {
  name: "rotate key",
  async prepare(bed) {
    const made = await caller(bed);
    const { rows } = await bed.database.query("select id from api_key where account = $1", [made.id]);
    return { ...made, keyId: String(Object(rows[0]).id) };
  },
  async act(bed, subject) {
    const response = await post(bed, "/api/account/v1/rotate-api-key", { keyId: subject.keyId }, subject);
    if (response.ok) subject.secret = ((await response.clone().json()) as { secret: string }).secret;
    return attemptOf(response);
  },
  async broken(bed, { id, key, secret }, isDone) {
    const found = [...once("the new key", (await count(bed, "api_key where account = $1", [id])) - 1, isDone)];
    for (const each of [key, ...(secret === undefined ? [] : [secret])])
      if ((await bed.app.get("/api/account/v1/get-caller", { key: each })).status !== 200)
        found.push(`${each === key ? "the old" : "the new"} key does not open`);
    return found;
  },
};
