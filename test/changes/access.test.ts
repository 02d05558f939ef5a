import { expect, test } from "vitest";
import { hashOf } from "../../src/access/keys/api-key.ts";
import { storeKey } from "../../src/access/keys/keys.ts";
import { logChanges } from "../../src/store/changes/change-log.ts";
import { startApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { openEvents } from "./event-stream.ts";
import { type ChangePage, listPath } from "./listed-changes.ts";

describeEachDatabase("changes of data that a plan does not include", (openFresh) => {
  test("are neither listed nor streamed, refused where they are asked for by name, and end with the plan", async () => {
    const database = await openFresh();
    await using app = await startApp(database, {
      environment: { IDS_DATA: "live" },
      streamTimes: { confirmMs: 20, lookMs: 10 },
    });
    const log = (dataset: string, subject: string) =>
      database.kysely
        .transaction()
        .execute((transaction) =>
          logChanges(transaction, { dataset, origin: "live", at: testTime }, [
            { kind: "appeared", rows: "rows", subject },
          ]),
        );
    const [free, pro] = [await app.key("free"), await app.key("pro_monthly")];
    await using ofFree = await openEvents(app, "", { key: free });
    await using ofPro = await openEvents(app, "", { key: pro });
    await log("global-tenders", "hidden");
    await log("internet-outages", "open");
    const subjects = async (key: string, query = "") => {
      const response = await app.get(`${listPath}?limit=100${query}`, { key });
      return response.ok
        ? ((await response.json()) as ChangePage).changes.map(({ subject }) => subject)
        : response.status;
    };
    expect(await subjects(free)).toEqual(["open"]);
    expect(await subjects(free, "&datasets=global-tenders")).toBe(403);
    expect(await subjects(pro)).toEqual(["hidden", "open"]);
    expect(await subjects(pro, "&datasets=global-tenders")).toEqual(["hidden"]);
    expect((await ofFree.next())?.data).toMatchObject({ subject: "open" });
    expect((await ofPro.next())?.data).toMatchObject({ subject: "hidden" });

    expect((await ofPro.next())?.data).toMatchObject({ subject: "open" });
    const { account } = await database.kysely
      .selectFrom("api_key")
      .select("account")
      .where("hash", "=", hashOf(pro))
      .executeTakeFirstOrThrow();
    await storeKey(database.kysely, pro, { account, plan: "free", name: "test" }, testTime);
    expect(await ofPro.next()).toMatchObject({ event: "end", data: { reason: "access" } });
  });
});
