import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countries } from "../../../src/reference/countries/countries.ts";
import { type ServeProcess, startServeProcess } from "../../support/processes/serve-process.ts";

const minute = 60_000;
const rounds = 3;
const tenders = "/api/economic/v1/list-global-tenders?query=software&min_value=";
const read = "/api/trade/v1/get-trade-flows?reporting_country=276&years=";

describe("reads of many parts", { timeout: 10 * minute }, () => {
  const folder = mkdtempSync(join(tmpdir(), "ids-brief-"));
  let service: ServeProcess;
  let key = "";
  beforeAll(async () => {
    service = await startServeProcess({ IDS_DATA: "sample", IDS_DATA_DIR: folder });
    await service.firstSuccess("/readyz");
    key = JSON.parse(readFileSync(join(folder, "demo-keys.json"), "utf8")).operator;
  }, 3 * minute);
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  /** Milliseconds until the whole answer is there. */
  const timed = async (path: string, init: RequestInit = {}) => {
    const started = performance.now();
    const response = await fetch(service.url + path, { ...init, headers: { "X-Service-Key": key } });
    await response.arrayBuffer();
    expect(response.status, path).toBe(200);
    return performance.now() - started;
  };
  const batch = (paths: readonly string[]) =>
    timed("/api/batch/v1/run-batch", {
      method: "POST",
      body: JSON.stringify({ requests: paths.map((path) => ({ path })) }),
    });
  const p = (times: readonly number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN;

  test("the brief of every country is returned, warm, in few milliseconds", async () => {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++)
      for (const code of countries.keys()) {
        const took = await timed(`/api/country/v1/get-country-brief?country=${code}`);
        if (round > 0) times.push(took);
      }
    console.log(
      `briefs of ${countries.size} countries, ${times.length} in all: p50 ${p(times, 0.5).toFixed(1)}, p99 ${p(times, 0.99).toFixed(1)} ms (30 asked)`,
    );
    expect(p(times, 0.99)).toBeLessThan(300);
  });

  test("a batch of 20 prepared reads, and of 20 others", async () => {
    const prepared = Array.from({ length: 20 }, (_, index) => `${read}${index + 1}`);
    const warm: number[] = [];
    const others: number[] = [];
    const singly: number[] = [];
    await batch(prepared);
    for (let round = 0; round < 50; round++) {
      await batch(prepared);
      warm.push(await batch(prepared));
      // Each with another bound: no answer is kept of it.
      const fresh = prepared.map((_, index) => `${tenders}${1 + round * 100 + index}`);
      others.push(await batch(fresh));
      const started = performance.now();
      for (const path of fresh) await timed(`${path}.5`);
      singly.push(performance.now() - started);
    }
    console.log(
      `a batch of 20: prepared p50 ${p(warm, 0.5).toFixed(1)}, p99 ${p(warm, 0.99).toFixed(1)} ms (10 asked); others p50 ${p(others, 0.5).toFixed(1)} ms, one after the other ${p(singly, 0.5).toFixed(1)} ms`,
    );
    expect(p(warm, 0.5)).toBeLessThan(100);
    expect(p(others, 0.5)).toBeLessThan(p(singly, 0.5) + 5);
  });
});
