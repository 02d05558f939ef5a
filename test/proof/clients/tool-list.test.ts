import { expect, test } from "vitest";
import { ownMs } from "../../projection/measured-cost.ts";
import { startApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { requestMcp } from "../../support/mcp.ts";

const max = 20;
const rounds = 50;

test("an agent has the list of tools for at most 20 ms of the processor, asking and reading included", async () => {
  await using database = { ...(await openOnce()), [Symbol.asyncDispose]: () => database.close() };
  await using app = await startApp(database);
  await requestMcp(app, "tools/list");
  const before = ownMs();
  for (let round = 0; round < rounds; round++) await requestMcp(app, "tools/list");
  const each = (ownMs() - before) / rounds;
  console.log(`tools/list: ${each.toFixed(1)} ms of the processor each`);
  expect(each).toBeLessThan(max);
});
