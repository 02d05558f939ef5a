import { expect, test } from "vitest";
import { eventually, startApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { startReceiver } from "../../support/servers/webhook-receiver.ts";

describeEachDatabase("a shared cache in front", (openFresh) => {
  test("is notified of a dataset as soon as its new rows are served, and again if it failed", async () => {
    await using receiver = await startReceiver();
    receiver.reply(() => (receiver.received.length === 1 ? 503 : 204));
    await using app = await startApp(await openFresh(), {
      environment: { IDS_PURGE_URL: receiver.url.replace("://", "://ids:p%40ss@") },
    });
    await app.refresh("conflict-events");
    const reported = await eventually(
      async () => receiver.received.map(({ headers }) => [headers["surrogate-key"], headers.authorization]),
      (all) => all.length >= 2,
    );
    const sent = ["conflict-events", `Basic ${Buffer.from("ids:p@ss").toString("base64")}`];
    expect(reported[0]).toEqual(sent);
    expect(new Set(reported.flat())).toEqual(new Set(sent));
  });

  test("learns of public answers what they are made from, and of keyed ones nothing", async () => {
    await using app = await startApp(await openFresh());
    await app.refresh("conflict-events");
    await app.refresh("internet-outages");
    const open = await app.get("/api/conflict/v1/list-conflict-events");
    expect(open.headers.get("surrogate-key")).toBe("conflict-events");
    const keyed = await app.get("/api/infrastructure/v1/list-internet-outages", { key: await app.key("pro_monthly") });
    expect([keyed.status, keyed.headers.get("surrogate-key")]).toEqual([200, null]);
  });
});
