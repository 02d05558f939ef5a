import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { StoreTables } from "../../store/tables.ts";
import type { Principal } from "../keys/api-key.ts";
import { keysGeneration } from "../keys/keys.ts";
import { type PrincipalSource, principalOf, subscriptionColumns } from "../keys/principal.ts";

export interface Sessions {
  /** Returns the token, which is not stored. */
  readonly begin: (holder: Principal, now: number) => Promise<string>;
  readonly end: (token: string, now: number) => Promise<void>;
}

/** A working day; then the user signs in again. */
export const sessionHours = 12;

export const endedSessionDays = 1;

export function consoleSessions(database: Kysely<StoreTables>, randomBytes: (size: number) => Buffer): Sessions {
  return {
    async begin({ keyId, expiresAt = Number.POSITIVE_INFINITY }, now) {
      const token = randomBytes(32).toString("base64url");
      const end = Math.min(now + sessionHours * 3_600_000, expiresAt);
      await database
        .insertInto("console_session")
        .values({
          hash: sessionHash(token),
          key_id: keyId,
          created_at: new Date(now),
          expires_at: new Date(end),
          revoked_at: null,
        })
        .execute();
      return token;
    },
    async end(token, now) {
      await database.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("console_session")
          .set({ revoked_at: new Date(now) })
          .where("hash", "=", sessionHash(token))
          .where("revoked_at", "is", null)
          .executeTakeFirst();
        // Every process invalidates its cached sessions.
        if (numUpdatedRows > 0) await raiseGeneration(transaction, keysGeneration);
      });
    },
  };
}

/** Returns the current principal of a session; undefined if the session or its key has ended. */
export async function findSession({ database, plans }: PrincipalSource, token: string, now: number) {
  const rows = await database
    .selectFrom("console_session as session")
    .innerJoin("api_key", "api_key.id", "session.key_id")
    .leftJoin("account", "account.id", "api_key.account")
    .leftJoin("subscription", "subscription.account", "api_key.account")
    .select(["api_key.id as key", "api_key.account", "api_key.scopes", "account.id as owner"])
    .select("api_key.expires_at as key_ends")
    .select(sql<Date>`least(session.expires_at, api_key.expires_at)`.as("expires_at"))
    .select(subscriptionColumns)
    .where("session.hash", "=", sessionHash(token))
    .where("session.revoked_at", "is", null)
    .where("api_key.revoked_at", "is", null)
    .execute();
  const [row] = rows;
  const principal = principalOf(rows, plans, now);
  return row && principal && { ...principal, keyExpiresAt: row.key_ends?.getTime() };
}

const shape = /^[A-Za-z0-9_-]{43}$/;

/** 256 bits in base64url. */
export function isSessionShaped(text: string): boolean {
  return shape.test(text);
}

/** SHA-256 of the whole token. A token of 256 random bits needs no salt. */
export function sessionHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The token prevents CSRF. Other sites cannot read it, and it does not reveal the session. */
export function formToken(token: string): string {
  return createHash("sha256").update(`form ${token}`).digest("base64url");
}
