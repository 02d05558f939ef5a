import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../sdk/typescript/src/client.ts";
import type { ClientOptions, Runtime } from "../../sdk/typescript/src/options.ts";
import { createPlainClient, TimeoutError } from "../../sdk/typescript/src/plain.ts";
import type { WaitOptions } from "../../sdk/typescript/src/scenario.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { storeExposures } from "../support/domains/exposure-table.ts";
import { startJobs } from "../support/processes/job-worker.ts";
import { failureOf } from "./both-modes.ts";
import { type Script, startScriptedServer } from "./scripted-server.ts";

const scenarioId = "hormuz-tanker-blockade";
const modes = {
  Connect: (options: ClientOptions, runtime?: Partial<Runtime>) => {
    const ids = createClient(options, runtime);
    return {
      run: async () => (await ids.scenario.runScenario({ scenarioId })).jobId,
      wait: (jobId: string, waitOptions?: WaitOptions) => ids.waitForScenario(jobId, waitOptions),
    };
  },
  "plain JSON": (options: ClientOptions, runtime?: Partial<Runtime>) => {
    const ids = createPlainClient(options, runtime);
    return {
      run: async () => (await ids.post("/api/scenario/v1/run-scenario", { scenarioId })).jobId,
      wait: (jobId: string, waitOptions?: WaitOptions) => ids.waitForScenario(jobId, waitOptions),
    };
  },
};

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  await storeExposures(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

describe.each(Object.entries(modes))("Waiting for a scenario over %s", (_name, mode) => {
  test("gives the result of a job of the running service", async () => {
    await using _jobs = await startJobs(database, { clock: () => testTime });
    const ids = mode({ baseUrl: app.url, apiKey: await app.key("enterprise") });
    const { status, result } = await ids.wait(await ids.run());
    expect(status).toBe("done");
    expect(result?.topImpactCountries.map(({ iso2 }) => iso2)).toEqual(["IN", "JP"]);
  });

  /** A client of a server that answers by this script, with a time of its own that only waits move. */
  async function scripted(...scripts: Script[]) {
    const server = await startScriptedServer(...scripts);
    onTestFinished(() => server[Symbol.asyncDispose]());
    let now = 0;
    const waits: number[] = [];
    const sleep = async (milliseconds: number, signal: AbortSignal | undefined) => {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      now += milliseconds;
    };
    return { server, waits, ids: mode({ baseUrl: server.url }, { now: () => now, sleep, random: () => 0.5 }) };
  }
  const status = (name: string, headers = {}): Script => ({ status: 200, body: { status: name, error: "" }, headers });

  test("asks after 1 s, then at doubling intervals of at most 10 s, until it is done or has failed", async () => {
    const pending = Array.from({ length: 6 }, () => status("pending"));
    const { ids, waits, server } = await scripted(...pending, status("processing"), status("failed"));
    expect(await ids.wait("scenario:1")).toMatchObject({ status: "failed" });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
    expect(server.requests.length).toBe(8);
  });

  test("waits as long as the service says, and never not at all", async () => {
    const said = ["7", "0"].map((time) => status("pending", { "Retry-After": time }));
    const { ids, waits } = await scripted(...said, status("done"));
    await ids.wait("scenario:1");
    expect(waits).toEqual([7_000, 2_000]);
  });

  test("takes a failure in passing for what it is", async () => {
    const { ids, waits } = await scripted(status("pending"), { status: 502 }, status("done"));
    expect(await ids.wait("scenario:1")).toMatchObject({ status: "done" });
    expect(waits).toEqual([1_000, 250]);
  });

  test("ends with a TimeoutError where it takes longer than it may, with the signal's reason, or with a failure", async () => {
    const { ids, server } = await scripted(status("processing"));
    const late = await failureOf(ids.wait("scenario:1", { timeoutMs: 5_000 }));
    expect(late).toBeInstanceOf(TimeoutError);
    expect(late).toMatchObject({ message: "The scenario is still processing after 5000 ms" });
    expect(server.requests.length).toBe(3);
    const reason = new Error("enough");
    expect(await failureOf(ids.wait("scenario:1", { signal: AbortSignal.abort(reason) }))).toBe(reason);
    const gone = await scripted({ status: 404, body: { message: "Job not found" } });
    expect(await failureOf(gone.ids.wait("scenario:1"))).toMatchObject({ status: 404 });
  });
});
