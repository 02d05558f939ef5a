import { type Selectable, sql } from "kysely";
import type { Store, StoreTables } from "../store/tables.ts";
import type { Principal } from "./keys/api-key.ts";
import { flushPeriodically, type PeriodicFlush } from "./periodic-flush.ts";

/** A completed request with a key. Its parameters and response are not stored. */
interface EndedRequest {
  readonly id: string;
  readonly at: number;
  readonly operation: string;
  readonly status: number;
  /** Number of calls as which the request was counted. */
  readonly cost: number;
  readonly milliseconds: number;
}

export type RequestRow = Selectable<StoreTables["request_log"]>;

/** Log of the last requests of each account. Entries are written in batches within seconds. */
export interface RequestLog extends PeriodicFlush {
  readonly note: (caller: Pick<Principal, "account" | "keyId">, request: EndedRequest) => void;
  /** Returns entries older than the cursor, newest first. */
  readonly list: (
    wanted: WantedRequests,
  ) => Promise<{ readonly requests: readonly RequestRow[]; readonly more: boolean }>;
}

interface WantedRequests {
  /** ID of the account; undefined selects all accounts. */
  readonly account: string | undefined;
  /** Request ID; empty selects all requests. The ID in lower case matches too, because generated IDs are lower case. */
  readonly id: string;
  readonly before: string | undefined;
  readonly limit: number;
  /** Entries before this time are not returned, even if they are not yet deleted. */
  readonly since: Date;
}

export const requestLogDays = 7;

/**
 * Maximum number of listed successes, and of listed failures, per account between two writes. The rest is only counted.
 */
export const maxNoted = 100;
/** Maximum number of rows per write, which limits memory and the duration of a write. */
const maxRows = 5_000;
/** Maximum number of rows per account. Older rows are deleted. */
export const maxStored = 10_000;
/** After this number of written rows, old rows of the account are deleted. */
const trimEvery = 1_000;

type NewRow = Omit<RequestRow, "place" | "at"> & { readonly at: string };

interface Recent {
  succeeded: number;
  failed: number;
  last: NewRow | undefined;
}

export function createRequestLog(database: Store, warn: (message: string) => void): RequestLog {
  let rows: NewRow[] = [];
  let recent = new Map<string, Recent>();
  const written = new Map<string, number>();
  let failing = false;

  const note: RequestLog["note"] = ({ account, keyId }, { id, at, operation, status, cost, milliseconds }) => {
    const own = recent.get(account) ?? { succeeded: 0, failed: 0, last: undefined };
    if (!own.last) recent.set(account, own);
    const kind = status < 400 ? "succeeded" : "failed";
    if (own.last && (own[kind] >= maxNoted || rows.length >= maxRows)) {
      own.last.not_listed += 1;
      return;
    }
    if (rows.length >= maxRows) return;
    own[kind] += 1;
    own.last = {
      ...{ account, key_id: keyId, request_id: id, operation, status, cost },
      ...{ at: new Date(at).toISOString(), milliseconds: Math.round(milliseconds), not_listed: 0 },
    };
    rows.push(own.last);
  };

  const flush = async () => {
    const taken = rows;
    rows = [];
    recent = new Map();
    if (taken.length === 0) return;
    try {
      await insertRows(database, taken);
      for (const { account } of taken) written.set(account, (written.get(account) ?? 0) + 1);
      for (const [account, count] of written) {
        if (count < trimEvery) continue;
        written.delete(account);
        await trim(database, account);
      }
      failing = false;
    } catch (error) {
      // Entries that could not be written are dropped to limit memory. The warning is not logged again until a write
      // succeeds.
      if (!failing) warn(`requests cannot be logged now: ${error instanceof Error ? error.message : String(error)}`);
      failing = true;
    }
  };

  return { note, list: (wanted) => listRows(database, wanted), ...flushPeriodically(flush) };
}

async function insertRows(database: Store, rows: readonly NewRow[]): Promise<void> {
  await sql`
    insert into request_log (account, key_id, request_id, operation, status, cost, at, milliseconds, not_listed)
    select account, key_id, request_id, operation, status, cost, at, milliseconds, not_listed
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (account text, key_id text, request_id text, operation text, status int4, cost int4, at timestamptz,
        milliseconds int4, not_listed int4)`.execute(database);
}

/** Deletes the oldest rows of an account above its maximum. */
async function trim(database: Store, account: string): Promise<void> {
  await sql`
    delete from request_log where account = ${account} and place <= (
      select place from request_log where account = ${account} order by place desc offset ${maxStored} limit 1
    )`.execute(database);
}

async function listRows(database: Store, { account, id, before, limit, since }: WantedRequests) {
  const rows = await database
    .selectFrom("request_log")
    .selectAll()
    .where("at", ">=", since)
    .$if(account !== undefined, (query) => query.where("account", "=", account ?? ""))
    .$if(id !== "", (query) => query.where("request_id", "in", [id, id.toLowerCase()]))
    .$if(before !== undefined, (query) => query.where("place", "<", before ?? ""))
    .orderBy("place", "desc")
    .limit(limit + 1)
    .execute();
  return { requests: rows.slice(0, limit), more: rows.length > limit };
}
