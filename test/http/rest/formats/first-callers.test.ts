import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { startApp } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";

const tenders = "/api/economic/v1/list-global-tenders?format=parquet";

test("a file that several ask for at the same time is made once, and given to each", async () => {
  const database = await openOnce();
  let queries = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      if (JSON.stringify(node).includes("tender")) queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const counted = { ...database, kysely: database.kysely.withPlugin(counter), close: () => database.close() };
  await using app = await startApp(counted);
  await app.refresh("global-tenders");
  const spent = async (callers: number, page: number) => {
    const before = queries;
    const files = await Promise.all(
      Array.from({ length: callers }, async () => {
        const response = await app.get(`${tenders}&page_size=${page}`);
        expect(response.status).toBe(200);
        return Buffer.from(await response.arrayBuffer()).toString("base64");
      }),
    );
    expect(new Set(files).size).toBe(1);
    return queries - before;
  };
  // The first page counts or reads some things once.
  await spent(1, 10);
  const one = await spent(1, 20);
  expect(one).toBeGreaterThan(0);
  // Later callers find nothing cached after the first one, because only repeated requests are cached.
  for (let page = 30; page < 60; page += 1) expect(await spent(8, page)).toBeLessThanOrEqual(2 * one);
  await database.close();
});
