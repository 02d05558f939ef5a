import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { storeKey } from "../../../src/access/keys/keys.ts";
import { testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { startCountingProcesses } from "../../support/processes/counting-processes.ts";
import { limitsOf, perWindow } from "../../support/request-load.ts";

const limit = 60;
const windows = 3;
const lanes = 12;

describeEachDatabase("Minutes that really go by", (openFresh) => {
  test(`let exactly ${limit} requests through each, whichever of three processes counts them`, {
    timeout: 600_000,
  }, async ({ skip }) => {
    const database = await openFresh();
    skip(database.kind !== "postgres", "memory is not shared");
    await using processes = await startCountingProcesses(database);
    const key = newKey(randomBytes);
    await storeKey(database.kysely, key, { account: "one", plan: "pro_monthly", name: "test" }, testTime);
    const passed: number[] = [];
    let requested = 0;
    const until = performance.now() + (windows - 1) * 60_000 + 20_000;
    const lane = async () => {
      while (performance.now() < until) {
        const url = processes.urls[requested++ % processes.urls.length] ?? "";
        const response = await fetch(`${url}/api/infrastructure/v1/get-ip-geo`, {
          headers: { "X-Service-Key": key },
        });
        await response.arrayBuffer();
        if (response.status === 200) passed.push(limitsOf(response).reset ?? 0);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    const counts = perWindow(passed);
    console.log(`of ${requested} requests passed ${counts.join(", ")} in windows of 60 s`);
    expect(counts).toEqual(new Array(windows).fill(limit));
  });
});
