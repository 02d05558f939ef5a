import { expect } from "vitest";
import type { TestApp } from "../app.ts";

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Queued {
  readonly jobId: string;
  readonly status: string;
  readonly statusUrl: string;
}

export interface JobStatus {
  readonly status: string;
  readonly error: string;
  readonly result?: ScenarioResult;
}

export interface ScenarioResult {
  readonly topImpactCountries: readonly {
    readonly iso2: string;
    readonly totalImpact: number;
    readonly impactPct: number;
    readonly transitExposure: number;
  }[];
  readonly coverage: { readonly status: string; readonly evaluatedRecords: number };
  readonly assumptions: { readonly measure: string; readonly factor: number; readonly bypassCargoShare: number };
}

/** The scenario operations of an app, as an account calls them. */
export function scenarios(app: TestApp, key: string) {
  const responded = async (response: Response) => ({
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as never,
  });
  const follow = async (statusUrl: string): Promise<Answer<JobStatus>> => responded(await app.get(statusUrl, { key }));
  return {
    async run(body: unknown, { path = "/api/scenario/v1/run-scenario", headers = {} } = {}): Promise<Answer<Queued>> {
      return responded(await app.get(path, { method: "POST", key, headers, body: JSON.stringify(body) }));
    },
    follow,
    status: (jobId: string) => follow(`/api/scenario/v1/get-scenario-status?job_id=${encodeURIComponent(jobId)}`),
    /** The status of a job, once it ended. */
    async ended(statusUrl: string): Promise<Answer<JobStatus>> {
      await expect
        .poll(async () => (await follow(statusUrl)).body.status, { timeout: 25_000 })
        .toMatch(/^(done|failed)$/);
      return follow(statusUrl);
    },
  };
}
