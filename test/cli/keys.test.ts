import { expect, test } from "vitest";
import { hashOf } from "../../src/access/api-key.ts";
import { planKeys } from "../../src/access/plans.ts";
import { openDatabase } from "../../src/store/database.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { ids } from "./terminal.ts";

describeEachDatabase("ids keys", (_openFresh, freshPlace) => {
  /** The commands' environment, and a look into the table they wrote to. */
  const open = async () => {
    const place = await freshPlace();
    const environment = { IDS_DATA_DIR: place.directory, ...(place.url && { DATABASE_URL: place.url }) };
    const stored = async () => {
      const database = await openDatabase(place);
      try {
        return await database.kysely.selectFrom("api_key").selectAll().execute();
      } finally {
        await database.close();
      }
    };
    return { environment, stored };
  };

  test("a key is shown once, when it is made; only its hash is stored, and it is gone when it is revoked", async () => {
    const { environment, stored } = await open();
    const made = await ids(environment, "keys", "create", "acme", "--plan", "pro_monthly", "--name", "dashboard");
    expect(made).toEqual({ out: expect.stringMatching(/^ids_[0-9a-f]{40}\n$/), err: "", status: 0 });
    const key = made.out.trim();
    const rows = await stored();
    expect(rows).toMatchObject([{ hash: hashOf(key), account: "acme", name: "dashboard" }]);
    expect(JSON.stringify(rows)).not.toContain(key.slice(4));

    const listed = await ids(environment, "keys", "list");
    expect(listed.out).toMatch(new RegExp(`${hashOf(key).slice(0, 12)}\\s+acme\\s+pro_monthly\\s+dashboard`));
    expect(listed.out).not.toContain(key.slice(4, 20));

    expect(await ids(environment, "keys", "revoke", hashOf(key).slice(0, 7))).toMatchObject({
      err: "ids: Name the key, or at least 8 digits of its hash\n",
      status: 1,
    });
    expect(await ids(environment, "keys", "revoke", key)).toMatchObject({
      out: `Revoked ${hashOf(key).slice(0, 12)}.\n`,
      status: 0,
    });
    expect(await stored()).toMatchObject([{ revoked_at: expect.any(Date) }]);
    expect(await ids(environment, "keys", "revoke", hashOf(key).slice(0, 12))).toMatchObject({
      err: "ids: No live key has this hash\n",
      status: 1,
    });
    expect((await ids(environment, "keys", "list")).out).toMatch(/\d{4}-\d\d-\d\d\s+\d{4}-\d\d-\d\d\n$/);
  });

  test("a plan that does not exist is refused, and the plans are named", async () => {
    const { environment, stored } = await open();
    const { out, err, status } = await ids(environment, "keys", "create", "acme", "--plan", "gold");
    expect({ out, err, status }).toEqual({
      out: "",
      err: `ids: Unknown plan gold; the plans are ${planKeys.join(", ")}\n`,
      status: 1,
    });
    expect(await stored()).toEqual([]);
  });
});
