import { expect } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { openAccount } from "../accounts.ts";
import type { TestApp } from "../app.ts";

/** An impact in plain JSON. */
export interface Impact {
  readonly impactId: string;
  readonly impactRevision: number;
  readonly isCurrent: boolean;
  readonly eventId: string;
  readonly eventRevision: number;
  readonly companyId: string;
  readonly direction: string;
  readonly lifecycle: string;
  readonly rationale: string;
  readonly changedAt: string;
}

export interface ImpactPage {
  readonly impacts: readonly Impact[];
  readonly nextCursor: string;
  readonly pollState?: string;
  readonly snapshot: {
    readonly snapshotAsOf: string;
    readonly snapshotGeneration: string;
    readonly pollCursor: string;
  };
}

export interface Company {
  readonly companyId: string;
  readonly companyRevision: number;
  readonly name: string;
  readonly state: string;
}

/** The response of an operation. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** Calls company monitoring over plain JSON. */
export interface Monitoring {
  /** POST by the operator, or with a key. */
  readonly post: <T>(
    operation: string,
    body: object,
    key?: string,
    headers?: Record<string, string>,
  ) => Promise<Answer<T>>;
  readonly get: <T>(operation: string, query: QueryInit, key: string) => Promise<Answer<T>>;
  /** An account that watches companies of these names. */
  readonly open: (...names: string[]) => Promise<Watching>;
  readonly admit: (account: string, companyId: string, changed?: object) => Promise<Impact>;
  readonly correct: (account: string, impactId: string, changed?: object) => Promise<Impact>;
  readonly retract: (account: string, impactId: string) => Promise<Impact>;
}

type QueryInit = ConstructorParameters<typeof URLSearchParams>[0];

export interface Watching {
  readonly id: string;
  readonly key: string;
  readonly companies: readonly string[];
}

const prefix = "/api/company-monitoring/v1/";

export const scopes = ["company_monitoring:read", "company_monitoring:write"];

/** An assessment that is admitted, but for what is changed. */
export function assessment(changed: object = {}): object {
  return {
    direction: "MATERIAL_IMPACT_DIRECTION_NEGATIVE",
    channels: ["MATERIAL_IMPACT_CHANNEL_FINANCES"],
    magnitude: "MATERIAL_IMPACT_MAGNITUDE_MEDIUM",
    confidence: { attribution: 0.95, occurrenceTruth: 0.9, materialImpact: 0.75 },
    rationale: "The strike closes the only foundry that casts its pump housings.",
    occurredAt: "2026-11-17T06:30:00Z",
    ...changed,
  };
}

export function monitoring(app: TestApp, database: Database): Monitoring {
  const read = async <T>(response: Response): Promise<Answer<T>> => ({
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as T,
  });
  const post: Monitoring["post"] = async (operation, body, key, headers = {}) =>
    read(
      await app.get(prefix + operation, {
        ...(key === undefined ? {} : { key }),
        ...{ method: "POST", headers, body: JSON.stringify(body) },
      }),
    );
  const revise = async (operation: string, body: object, status = 200) => {
    const answer = await post<{ impact: Impact }>(operation, body);
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status });
    return answer.body.impact;
  };
  return {
    post,
    async get(operation, query, key) {
      return read(await app.get(`${prefix}${operation}?${new URLSearchParams(query)}`, { key }));
    },
    async open(...names) {
      const { id, key } = await openAccount(database, { subscriptions: [{ plan: "enterprise" }], scopes });
      if (names.length === 0) return { id, key, companies: [] };
      const { body } = await post<{ companies: { company: Company }[] }>("import-companies", importOf(...names), key);
      return { id, key, companies: body.companies.map(({ company }) => company.companyId) };
    },
    admit: (account, companyId, changed) =>
      revise("admit-impact", { account, companyId, assessment: assessment(changed) }, 201),
    correct: (account, impactId, changed) =>
      revise("correct-impact", { account, impactId, assessment: assessment(changed) }),
    retract: (account, impactId) => revise("retract-impact", { account, impactId }),
  };
}

/** An import of companies at home in Britain. */
export function importOf(...names: readonly string[]): object {
  return { contractVersion: "cm-import-v1", companies: names.map((name) => ({ name, domicile: "GB" })) };
}
