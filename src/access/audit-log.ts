import type { Selectable } from "kysely";
import type { Store, StoreTables } from "../store/tables.ts";

interface AuditActor {
  /** Account of the caller's key. Without a key, it is `cli` or `stripe`. */
  readonly actor: string;
  readonly keyId: string;
  readonly address: string;
  readonly requestId: string;
}

export interface AuditedWrite extends AuditActor {
  readonly at: Date;
  readonly operation: string;
  readonly account: string;
  readonly request: readonly AuditDetail[];
}

export interface AuditDetail {
  readonly name: string;
  readonly value: string;
}

export type AuditRow = Selectable<StoreTables["audit_event"]>;

/** Log of every write. If the log entry cannot be stored, the write is not done. */
export interface AuditLog {
  readonly begin: (write: AuditedWrite) => Promise<string>;
  readonly end: (id: string, ending: AuditEnding) => Promise<void>;
  /** Returns a page of entries of one account or all, newest first, whether there are more, and the total. */
  readonly list: (
    account: string | undefined,
    before: string | undefined,
    limit: number,
  ) => Promise<{ readonly events: readonly AuditRow[]; readonly more: boolean; readonly total: number }>;
}

export interface AuditEnding {
  /** Result of the write: `ok`, or the name of the error. */
  readonly outcome: string;
  readonly account: string;
  readonly result: readonly AuditDetail[];
}

export function auditLog(database: Store): AuditLog {
  return {
    async begin(write) {
      const { id } = await database
        .insertInto("audit_event")
        .values(rowOf(write))
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    },
    async end(id, { outcome, account, result }) {
      await database
        .updateTable("audit_event")
        .set({ outcome, account, result: JSON.stringify(result) })
        .where("id", "=", id)
        .execute();
    },
    async list(account, before, limit) {
      const found = database
        .selectFrom("audit_event")
        .$if(account !== undefined, (query) => query.where("account", "=", account ?? ""));
      const rows = await found
        .selectAll()
        .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      const { total } = await found.select((row) => row.fn.countAll<string>().as("total")).executeTakeFirstOrThrow();
      return { events: rows.slice(0, limit), more: rows.length > limit, total: Number(total) };
    },
  };
}

/** Logs a write that no request caused, in the same transaction as the write. */
export async function logWrite(
  transaction: Store,
  write: Omit<AuditedWrite, "keyId" | "address" | "requestId">,
): Promise<void> {
  const row = rowOf({ ...write, keyId: "", address: "", requestId: "" });
  await transaction
    .insertInto("audit_event")
    .values({ ...row, outcome: "ok" })
    .execute();
}

function rowOf({ at, actor, keyId, account, operation, request, address, requestId }: AuditedWrite) {
  return {
    at,
    actor,
    key_id: keyId,
    account,
    operation,
    request: JSON.stringify(request),
    result: null,
    outcome: null,
    address,
    request_id: requestId,
  };
}
