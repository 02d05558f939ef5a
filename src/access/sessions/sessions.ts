import { createHash } from "node:crypto";
import { sql } from "kysely";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { Store } from "../../store/tables.ts";
import type { Principal } from "../keys/api-key.ts";
import { keysGeneration } from "../keys/keys.ts";
import { type PrincipalSource, principalOf, subscriptionColumns } from "../keys/principal.ts";

export interface Sessions {
  /** Starts a session. Returns its token, of which only the hash is stored. */
  readonly begin: (holder: Principal, now: number) => Promise<string>;
  readonly end: (token: string, now: number) => Promise<void>;
}

/** Lifetime of a session: a working day. */
export const sessionHours = 12;

export const endedSessionDays = 1;

export function consoleSessions(database: Store, randomBytes: (size: number) => Buffer): Sessions {
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
        // Raising this number invalidates the cached sessions of every process.
        if (numUpdatedRows > 0) await raiseGeneration(transaction, keysGeneration);
      });
    },
  };
}

/** Returns the principal of a session; undefined if the session or its key has expired or was revoked. */
export async function findSession({ database, plans }: PrincipalSource, token: string, now: number) {
  const rows = await database
    .selectFrom("console_session as session")
    .innerJoin("api_key", "api_key.id", "session.key_id")
    .leftJoin("account", "account.id", "api_key.account")
    .leftJoin("subscription", "subscription.account", "api_key.account")
    .select(["api_key.id as key", "api_key.account", "api_key.scopes", "read_only", "account.id as owner"])
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

/** Returns whether a text has the format of a session token: 256 bits in base64url. */
export function isSessionShaped(text: string): boolean {
  return shape.test(text);
}

/** Returns the SHA-256 of a token. A salt is unnecessary, because the token has 256 random bits. */
export function sessionHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Derives a CSRF token for forms. Other sites cannot read it, and it does not reveal the session token. */
export function formToken(token: string): string {
  return createHash("sha256").update(`form ${token}`).digest("base64url");
}
