import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { CallAnswerLost, CallInFlight, IdempotencyKeyReused, SecretUnreadable } from "../errors.ts";
import { dayMs } from "../reference/duration.ts";
import type { CommitMark } from "../store/postgres-dialect.ts";
import type { Store } from "../store/tables.ts";
import type { Encryption } from "./encryption.ts";

export const responsesPurpose = "idempotent calls";

/** Stores the responses of calls with an idempotency key, so that a retried call is executed only once. */
export interface IdempotentCalls {
  /**
   * Returns the stored response, or undefined if this call must do the work. Throws `CallInFlight`, `CallAnswerLost`
   * or `IdempotencyKeyReused`.
   */
  readonly claim: (call: IdempotentCall, now: Date) => Promise<string | undefined>;
  readonly retain: (call: IdempotentCall, response: string, now: Date) => Promise<void>;
  /** Releases a failed call. If it committed nothing, a retry executes it again; otherwise the retry gets an error. */
  readonly release: (call: IdempotentCall, now: Date) => Promise<void>;
  /** Returns the statement that counts each transaction of the call, so that a retry knows whether any committed. */
  readonly markOf: (call: IdempotentCall) => CommitMark;
}

export interface IdempotentCall {
  readonly id: string;
  readonly requestHash: string;
  /** Random ID of this attempt, which distinguishes it from a retry with the same key. */
  readonly claimant: string;
}

/** If a call has no response after this time, its process is assumed to have crashed. */
const lockedForMs = 180_000;
const ttlMs = dayMs;
const largestResponse = 256 * 1024;

export function idempotentCall(caller: string, operation: string, key: string, request: string): IdempotentCall {
  return { id: digest(`${caller}\n${operation}\n${key}`), requestHash: digest(request), claimant: randomUUID() };
}

export function idempotentCalls(database: Store, encryption: Encryption): IdempotentCalls {
  const openResponse = (encrypted: Buffer) => {
    try {
      return encryption.open(encrypted);
    } catch (cause) {
      if (!(cause instanceof SecretUnreadable)) throw cause;
      throw new CallAnswerLost(
        "The request with this Idempotency-Key succeeded, but its response can no longer be read: use another key to repeat it",
        { cause },
      );
    }
  };
  return {
    async claim({ id, requestHash, claimant }, now) {
      await database.deleteFrom("idempotent_call").where("expires_at", "<=", now).execute();
      const fresh = {
        request_hash: requestHash,
        answer: null,
        claimant,
        locked_until: new Date(now.getTime() + lockedForMs),
        expires_at: new Date(now.getTime() + ttlMs),
      };
      const claimed = await database
        .insertInto("idempotent_call")
        .values({ id, ...fresh })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning(sql<number>`1`.as("claimed"))
        .executeTakeFirst();
      if (claimed) return undefined;
      const known = await database.selectFrom("idempotent_call").selectAll().where("id", "=", id).executeTakeFirst();
      // This attempt has already claimed the idempotency key: the store's first response to it was lost.
      if (known?.claimant === claimant) return undefined;
      if (known && known.request_hash !== requestHash)
        throw new IdempotencyKeyReused("The Idempotency-Key was used for another request");
      if (known && !known.answer && known.locked_until <= now)
        throw new CallAnswerLost(
          "The first request with this Idempotency-Key ended without a response and may have taken effect: check its effect, and use another key to repeat it",
        );
      if (!known?.answer) throw new CallInFlight("The request with this Idempotency-Key is still in progress");
      return openResponse(known.answer);
    },
    async retain({ id }, response, now) {
      // A response that is too large is not stored, so a retry executes the call again.
      if (response.length > largestResponse) return void (await remove(database, id));
      await database
        .updateTable("idempotent_call")
        .set({ answer: encryption.seal(response), expires_at: new Date(now.getTime() + ttlMs) })
        .where("id", "=", id)
        .execute();
    },
    async release({ id, claimant }, now) {
      const own = { id, claimant, answer: null };
      const undone = await database
        .deleteFrom("idempotent_call")
        .where((row) => row.and({ ...own, commits: 0 }))
        .executeTakeFirst();
      if (undone.numDeletedRows > 0n) return;
      await database
        .updateTable("idempotent_call")
        .set({ locked_until: now })
        .where((row) => row.and(own))
        .execute();
    },
    markOf: ({ id }) => ({
      // `pg_current_xact_id_if_assigned` is null in a transaction without writes, so only transactions with writes are
      // counted.
      statement: sql`update idempotent_call set commits = commits + 1
        where id = ${id} and pg_current_xact_id_if_assigned() is not null`.compile(database),
      async areCommitted(transactions) {
        const { commits } = await database
          .selectFrom("idempotent_call")
          .select("commits")
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirstOrThrow();
        return commits >= transactions;
      },
    }),
  };
}

/** Encrypts stored responses with the current secret. Responses that no secret decrypts stay unchanged. */
export async function reencryptResponses(database: Store, encryption: Encryption): Promise<void> {
  const rows = await database.selectFrom("idempotent_call").select("id").where("answer", "is not", null).execute();
  for (const { id } of rows) {
    const row = await database.selectFrom("idempotent_call").select("answer").where("id", "=", id).executeTakeFirst();
    if (!row?.answer) continue;
    try {
      const response = encryption.renew(row.answer);
      if (response !== row.answer)
        await database
          .updateTable("idempotent_call")
          .set({ answer: response })
          .where("id", "=", id)
          .where("answer", "=", row.answer)
          .execute();
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
    }
  }
}

async function remove(database: Store, id: string): Promise<void> {
  await database.deleteFrom("idempotent_call").where("id", "=", id).where("answer", "is", null).execute();
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
