import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { freshFolder } from "../cli/terminal.ts";
import { type ClientService, startForClients } from "../support/client-service.ts";
import { openOnce } from "../support/databases.ts";
import { root } from "../support/servers/go.ts";
import { folder, hasPython, python } from "../support/servers/python.ts";

const timeoutMs = 120_000;

describe.skipIf(!hasPython())("the Python client", () => {
  let database: Database;
  let service: ClientService;
  beforeAll(async () => {
    database = await openOnce();
    service = await startForClients(database);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await database.close();
  });

  test("its own tests pass against a started service, none of them skipped", { timeout: timeoutMs }, async () => {
    const output = await python(["-m", "unittest", "discover", "-s", "tests", "-v"], service.environment);
    expect(output).toMatch(/^Ran \d+ tests/m);
    expect([...output.matchAll(/ skipped '(.*)'/g)].filter(([, why]) => why !== "pandas is not there")).toEqual([]);
    expect(output).toMatch(/^test_every_paged_read_is_walked_to_its_end_once_and_in_order .*ok$/m);
  });

  test("the blocks of its README run, one after the other", { timeout: timeoutMs }, async () => {
    const readme = readFileSync(`${folder}README.md`, "utf8");
    const blocks = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, block = ""]) => block);
    expect(blocks.length).toBeGreaterThan(5);
    const environment = { ...service.environment, IDS_WEBHOOK_SECRET: "whsec_c2VjcmV0" };
    const output = await python(["-c", blocks.join("\n")], environment, freshFolder());
    expect(output).toMatch(/^lat .+/m);
    expect(output).toMatch(/^401$/m);
  });

  test("it names the version of the contract", () => {
    const { info } = JSON.parse(readFileSync(`${root}gen/openapi/openapi.json`, "utf8"));
    expect(readFileSync(`${folder}src/ids_client/version.py`, "utf8")).toContain(`VERSION = "${info.version}"`);
    expect(readFileSync(`${folder}pyproject.toml`, "utf8")).toContain(`version = "${info.version}"`);
  });
});
