import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { compileExpression } from "../../../src/projection/compile.ts";
import { Fuel } from "../../../src/projection/fuel.ts";
import { ProjectionFailed } from "../../../src/projection/projection-errors.ts";
import { serialize } from "../../../src/projection/serialize.ts";
import { costlyExpressions } from "../../projection/costly-expressions.ts";
import { hostileShapes } from "../../projection/hostile-shapes.ts";
import {
  adversarialResponse,
  type Cost,
  costOf,
  ownMs,
  realisticResponse,
  shareOfBound,
} from "../../projection/measured-cost.ts";
import { randomExpressions } from "../../projection/random-expressions.ts";
import { stallingExpressions } from "../../projection/stalling-expressions.ts";
import { startServeProcess } from "../../support/processes/serve-process.ts";

const world = "/api/military/v1/list-military-bases?sw_lat=-90&sw_lon=-180&ne_lat=90&ne_lon=180&zoom=22";
const outages = "/api/infrastructure/v1/list-internet-outages";
const randomCount = 20_000;
const costlyCount = 100_000;
const maxMs = 50;
const maxHeapMb = 64;

/** The known shapes, then random ones. */
function* expressions(list: string, seed: number, count: number): Generator<readonly [string, string]> {
  yield* Object.entries(hostileShapes(list));
  yield* Object.entries(stallingExpressions());
  const random = randomExpressions([list, `${list}[*].id`, `${list}[0]`, `${list}[:100]`, "totalInView"]);
  for (const expression of fc.sample(random, { numRuns: count, seed })) yield [expression, expression];
}

test("no expression takes over 50 ms or 64 MB of heap, over the largest list", () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const { given } = realisticResponse(2_000);
  const slow: [ms: number, name: string][] = [];
  const large: [mb: number, name: string][] = [];
  const outcomes = new Map<string, number>();
  let count = 0;
  for (const [name, expression] of expressions("bases", 1, randomCount)) {
    // What earlier ones left behind is not this one's doing; collecting each time would take hours.
    if (count++ % 50 === 0) collect();
    const before = process.memoryUsage().heapUsed;
    const begun = ownMs();
    const fuel = new Fuel();
    const outcome = outcomeOf(() => serialize(compileExpression(expression)(given, fuel), fuel));
    slow.push([ownMs() - begun, name]);
    large.push([(process.memoryUsage().heapUsed - before) / 1e6, name]);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  slow.sort(([one], [other]) => other - one);
  large.sort(([one], [other]) => other - one);
  const rank = (share: number) => slow[Math.floor(slow.length * share)]?.[0].toFixed(1);
  console.log(`${count} expressions: median ${rank(0.5)} ms, p99 ${rank(0.01)} ms of processor time`);
  console.log([...outcomes].map(([outcome, times]) => `  ${outcome}: ${times}`).join("\n"));
  for (const [ms, name] of slow.slice(0, 5)) console.log(`  ${ms.toFixed(1)} ms  ${name.slice(0, 120)}`);
  for (const [mb, name] of large.slice(0, 5)) console.log(`  ${mb.toFixed(1)} MB  ${name.slice(0, 120)}`);
  expect(slow[0]?.[0]).toBeLessThan(maxMs);
  expect(large[0]?.[0]).toBeLessThan(maxHeapMb);
});

test("of 100,000 expressions made to break the bound none takes over 50 ms, or more than its fuel allows", () => {
  const responses = { "2,000 bases": realisticResponse(2_000), "what is dear to handle": adversarialResponse() };
  for (const [name, { given, beginnings }] of Object.entries(responses)) {
    const costs: (Cost & { readonly expression: string })[] = [];
    const outcomes = new Map<string, number>();
    for (const expression of fc.sample(costlyExpressions(beginnings), { numRuns: costlyCount / 2, seed: 11 })) {
      const cost = costOf(expression, given, { suspicious: 0.5 });
      costs.push({ ...cost, expression });
      outcomes.set(cost.outcome, (outcomes.get(cost.outcome) ?? 0) + 1);
    }
    console.log(`${costs.length} expressions over ${name}:`);
    console.log([...outcomes].map(([outcome, times]) => `  ${outcome}: ${times}`).join("\n"));
    const worst = (key: (cost: Cost) => number) => costs.toSorted((one, other) => key(other) - key(one)).slice(0, 5);
    for (const { ms, fuel, expression } of [...worst(({ ms }) => ms), ...worst(shareOfBound)])
      console.log(`  ${ms.toFixed(1)} ms for ${fuel} units  ${expression.slice(0, 200)}`);
    expect(worst(shareOfBound).filter((cost) => shareOfBound(cost) > 1 || cost.fuel < 0)).toEqual([]);
  }
});

test("while hostile expressions come in, another client is answered", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ids-projection-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const key = `ids_${"0123456789".repeat(4)}`;
  const headers = { "X-Service-Key": key };
  await using server = await startServeProcess({ IDS_DATA_DIR: directory, IDS_OPERATOR_KEY: key });
  await server.firstSuccess("/readyz");
  for (const path of [world, outages])
    while (!(await fetch(server.url + path, { headers })).ok) await new Promise((resolve) => setTimeout(resolve, 50));
  // The first load of the other datasets is not what is measured.
  while (!(await hasLoaded(server.url))) await new Promise((resolve) => setTimeout(resolve, 500));
  const residentBefore = await server.residentMb();
  let attackers = 2;
  let sent = 0;
  const attack = async (seed: number) => {
    for (const [, expression] of expressions("bases", seed, 2_000)) {
      const response = await fetch(`${server.url}${world}&jmespath=${encodeURIComponent(expression)}`, { headers });
      await response.arrayBuffer();
      expect([200, 400], expression).toContain(response.status);
      sent += 1;
    }
    attackers -= 1;
  };
  const other = async (path: string, times: number[]) => {
    while (attackers > 0) {
      const begun = performance.now();
      const response = await fetch(server.url + path, { headers });
      await response.arrayBuffer();
      times.push(performance.now() - begun);
      expect(response.status).toBe(200);
    }
    times.sort((one, other) => one - other);
  };
  const times: number[] = [];
  const livez: number[] = [];
  await Promise.all([attack(2), attack(3), other(outages, times), other("/livez", livez)]);
  const at = (share: number, of = times) => of[Math.min(of.length - 1, Math.floor(of.length * share))] ?? 0;
  console.log(
    `${sent} hostile requests; ${times.length} others: median ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, worst ${at(1).toFixed(1)} ms; resident ${Math.round(residentBefore)} -> ${Math.round(await server.residentMb())} MB`,
  );
  console.log(`/livez: median ${at(0.5, livez).toFixed(1)} ms, p99 ${at(0.99, livez).toFixed(1)} ms`);
  expect(at(0.99)).toBeLessThan(100);
  expect(at(0.99, livez)).toBeLessThan(50);
});

async function hasLoaded(url: string): Promise<boolean> {
  const { datasets } = (await (await fetch(`${url}/api/catalog/v1/list-datasets`)).json()) as {
    readonly datasets: readonly { readonly sources: readonly { readonly state: string }[] }[];
  };
  return datasets.every(({ sources }) => sources.every(({ state }) => state !== "waiting"));
}

function outcomeOf(run: () => string): string {
  try {
    run();
    return "projected";
  } catch (error) {
    if (error instanceof ProjectionFailed) return error.message.split(":")[0] ?? "";
    throw error;
  }
}
