import { randomBytes } from "node:crypto";
import { hashOf, isKeyShaped, newKey } from "../access/api-key.ts";
import { revokeKey, storeKey } from "../access/keys.ts";
import { ConfigurationError } from "../errors.ts";
import type { Terminal } from "./program.ts";
import { withStore } from "./store.ts";
import { table } from "./table.ts";

/** How much of a hash names a key on the command line. */
const shownDigits = 12;

/** Makes a key for an account and shows it this once. */
export async function createKey(
  terminal: Terminal,
  account: string,
  owner: { readonly plan: string; readonly name: string },
): Promise<void> {
  const key = newKey(randomBytes);
  await withStore(terminal, "keys", ({ kysely }) => storeKey(kysely, key, { account, ...owner }, new Date()));
  terminal.out.write(`${key}\n`);
}

/** Lists every key, live ones first. */
export async function listKeys(terminal: Terminal): Promise<void> {
  const rows = await withStore(terminal, "keys", ({ kysely }) =>
    kysely
      .selectFrom("api_key")
      .leftJoin("subscription", "subscription.account", "api_key.account")
      .selectAll("api_key")
      .select("subscription.plan")
      .orderBy("revoked_at", (order) => order.desc().nullsFirst())
      .orderBy("api_key.created_at")
      .execute(),
  );
  terminal.out.write(
    table(
      ["hash", "account", "plan", "name", "created", "revoked"],
      rows.map((row) => [
        row.hash.slice(0, shownDigits),
        row.account,
        row.plan ?? "free",
        row.name,
        row.created_at.toISOString().slice(0, 10),
        row.revoked_at?.toISOString().slice(0, 10) ?? "",
      ]),
    ),
  );
}

/** Revokes the one live key that is named. */
export async function revoke(terminal: Terminal, named: string): Promise<void> {
  const start = isKeyShaped(named) ? hashOf(named) : named;
  if (!/^[0-9a-f]{8,64}$/.test(start)) throw new ConfigurationError("Name the key, or at least 8 digits of its hash");
  await withStore(terminal, "keys", async ({ kysely }) => {
    const found = await kysely
      .selectFrom("api_key")
      .select("hash")
      .where("hash", "like", `${start}%`)
      .where("revoked_at", "is", null)
      .execute();
    const [only, ...others] = found;
    if (!only) throw new ConfigurationError("No live key has this hash");
    if (others.length > 0) throw new ConfigurationError(`${found.length} live keys begin so: give more digits`);
    await revokeKey(kysely, only.hash, new Date());
    terminal.out.write(`Revoked ${only.hash.slice(0, shownDigits)}.\n`);
  });
}
