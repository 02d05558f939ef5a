import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encryption } from "../../../src/access/encryption.ts";
import { webhookPurpose } from "../../../src/delivery/secret-renewal.ts";
import type { WebhookTables } from "../../../src/domains/shipping/event.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { eventually } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { startServeProcess } from "../../support/processes/serve-process.ts";
import { freshFolder, ids } from "../terminal.ts";

const [old, fresh] = ["0d".repeat(32), "f5".repeat(32)];
const bytesOf = (secret: string) => Buffer.from(secret, "hex");

describeEachDatabase("ids secrets rotate", (_openFresh, freshPlace) => {
  test("encrypts everything with the new key, so that the earlier one is needed no more", async () => {
    const place = await freshPlace();
    const environment = {
      IDS_DATA_DIR: place.directory,
      ...(place.url === undefined ? {} : { DATABASE_URL: place.url }),
    };
    const at = async <T>(use: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>) => {
      const database = await openDatabase(place);
      await migrate(database, () => new Date());
      try {
        return await use(database);
      } finally {
        await database.close();
      }
    };
    const row = {
      callback_url: "https://example.org",
      chokepoint_ids: [],
      alert_threshold: 50,
      created_at: new Date(),
    };
    await at(async ({ kysely }) => {
      await kysely.insertInto("account").values({ id: "acme", name: "acme", billing_customer: null }).execute();
      const { seal } = encryption([bytesOf(old)], webhookPurpose);
      await kysely
        .withTables<WebhookTables>()
        .insertInto("webhook")
        .values({
          ...{ ...row, id: "wh_1", account: "acme", secret: seal("whsec_1"), earlier_secret: seal("whsec_0") },
          ...{
            earlier_secret_until: null,
            inactive_reason: null,
            inactive_since: null,
            lease: null,
            lease_until: null,
          },
        })
        .execute();
    });
    const stored = () =>
      at(({ kysely }) =>
        kysely.withTables<WebhookTables>().selectFrom("webhook").selectAll().executeTakeFirstOrThrow(),
      );

    if (place.url !== undefined) {
      await using service = await startServeProcess({ ...environment, IDS_SECRET_KEY: fresh }, ["--no-work"]);
      await eventually(
        async () => service.logged(),
        (log) => log.includes("nothing can be signed for these webhooks"),
      );
    }
    const only = await ids({ ...environment, IDS_SECRET_KEY: fresh }, "secrets", "rotate");
    expect(only).toMatchObject({ status: 1, err: expect.stringContaining("IDS_SECRET_KEY=new,previous") });
    const wrong = await ids({ ...environment, IDS_SECRET_KEY: `${fresh},${"aa".repeat(32)}` }, "secrets", "rotate");
    expect(wrong).toMatchObject({
      status: 1,
      err: expect.stringContaining("of 1 webhooks are encrypted with another key"),
    });
    expect(encryption([bytesOf(old)], webhookPurpose).open((await stored()).secret)).toBe("whsec_1");
    const rotated = await ids({ ...environment, IDS_SECRET_KEY: `${fresh},${old}` }, "secrets", "rotate");
    expect(rotated).toMatchObject({ status: 0, out: expect.stringContaining("secrets of 1 webhooks") });
    const { secret, earlier_secret } = await stored();
    const { open } = encryption([bytesOf(fresh)], webhookPurpose);
    expect([open(secret), earlier_secret && open(earlier_secret)]).toEqual(["whsec_1", "whsec_0"]);
  });
});

test("a secret that the data folder keeps is replaced by a new one, and what was encrypted with it is read on", async () => {
  const IDS_DATA_DIR = freshFolder();
  const file = join(IDS_DATA_DIR, "secret-key");
  expect((await ids({ IDS_DATA_DIR }, "secrets", "rotate")).status).toBe(0);
  const first = readFileSync(file, "utf8");
  expect(first).toMatch(/^[0-9a-f]{64}\n$/);
  expect((await ids({ IDS_DATA_DIR }, "secrets", "rotate")).status).toBe(0);
  expect(readFileSync(file, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  expect(readFileSync(file, "utf8")).not.toBe(first);
});
