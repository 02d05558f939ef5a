import { createHash, randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { CallAnswerLost, CallInFlight, IdempotencyKeyReused, SecretUnreadable } from "../errors.ts";
import { dayMs } from "../reference/duration.ts";
import type { CommitMark } from "../store/postgres-dialect.ts";
import type { StoreTables } from "../store/tables.ts";
import type { Encryption } from "./encryption.ts";

export const responsesPurpose = "idempotent calls";

/** Stores responses of calls with an idempotency key, so that a repeated call is done once. */
export interface IdempotentCalls {
  /**
   * Returns the stored response, or undefined if this call must do the work. Throws `CallInFlight`, `CallAnswerLost`
   * or `IdempotencyKeyReused`.
   */
  readonly claim: (call: IdempotentCall, now: Date) => Promise<string | undefined>;
  readonly retain: (call: IdempotentCall, response: string, now: Date) => Promise<void>;
  /** If it committed nothing, the next call with this key tries again; otherwise it receives an error. */
  readonly release: (call: IdempotentCall, now: Date) => Promise<void>;
  /** Returns the mark that transactions of the work store with their changes. */
  readonly markOf: (call: IdempotentCall) => CommitMark;
}

export interface IdempotentCall {
  readonly id: string;
  readonly requestHash: string;
  /** ID of this call, which differs from other calls with the same key. */
  readonly claimant: string;
}

/** After this time, a call without a response counts as crashed. */
const lockedForMs = 180_000;
const ttlMs = dayMs;
const largestResponse = 256 * 1024;

export function idempotentCall(caller: string, operation: string, key: string, request: string): IdempotentCall {
  return { id: digest(`${caller}\n${operation}\n${key}`), requestHash: digest(request), claimant: randomUUID() };
}

export function idempotentCalls(database: Kysely<StoreTables>, encryption: Encryption): IdempotentCalls {
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
      // This call made the claim, but lost the response of the store.
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
      // Responses that are too large are not stored. A repeated call does the work again.
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
      // A transaction without writes has no transaction ID.
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

/** Responses that no secret can decrypt stay unchanged. */
export async function reencryptResponses(database: Kysely<StoreTables>, encryption: Encryption): Promise<void> {
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

async function remove(database: Kysely<StoreTables>, id: string): Promise<void> {
  await database.deleteFrom("idempotent_call").where("id", "=", id).where("answer", "is", null).execute();
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
