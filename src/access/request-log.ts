import { type Kysely, type Selectable, sql } from "kysely";
import type { StoreTables } from "../store/tables.ts";
import type { Principal } from "./keys/api-key.ts";
import { flushPeriodically, type PeriodicFlush } from "./periodic-flush.ts";

/** A request of who holds a key, when it has ended. Nothing of what it asked for or was answered. */
export interface EndedRequest {
  readonly id: string;
  readonly at: number;
  readonly operation: string;
  readonly status: number;
  /** Requests that it counted as, against the plan. */
  readonly cost: number;
  readonly milliseconds: number;
}

export type RequestRow = Selectable<StoreTables["request_log"]>;

/** The last requests of each account. What is noted is in memory; the store learns of it within seconds. */
export interface RequestLog extends PeriodicFlush {
  readonly note: (caller: Pick<Principal, "account" | "keyId">, request: EndedRequest) => void;
  /** Newest first, those before the cursor. */
  readonly list: (
    wanted: WantedRequests,
  ) => Promise<{ readonly requests: readonly RequestRow[]; readonly more: boolean }>;
}

export interface WantedRequests {
  /** Absent: of all accounts. */
  readonly account: string | undefined;
  /** Empty: any. Written in upper case it is found too: ids that are made here have no capitals. */
  readonly id: string;
  readonly before: string | undefined;
  readonly limit: number;
  /** What ended earlier is gone, whether it was taken away already or not. */
  readonly since: Date;
}

/** Days for which requests are kept. */
export const requestLogDays = 7;

/** Between two writes so many of an account that succeeded are listed, and so many that failed; the rest are counted. */
export const maxNoted = 100;
/** Between two writes, of all accounts: bounds memory and what the store is asked to write. */
const maxRows = 5_000;
/** Rows of an account; older ones are taken away. */
export const maxStored = 10_000;
/** So many rows are written before the oldest are looked for. */
const trimEvery = 1_000;

type NewRow = Omit<RequestRow, "place" | "at"> & { readonly at: string };

/** What an account did since the last write. */
interface Recent {
  succeeded: number;
  failed: number;
  last: NewRow | undefined;
}

export function createRequestLog(database: Kysely<StoreTables>, warn: (message: string) => void): RequestLog {
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
      // Whoever cannot be reached is asked again in seconds; what was to be written then is lost, and no memory is.
      if (!failing) warn(`requests cannot be logged now: ${error instanceof Error ? error.message : String(error)}`);
      failing = true;
    }
  };

  return { note, list: (wanted) => listRows(database, wanted), ...flushPeriodically(flush) };
}

async function insertRows(database: Kysely<StoreTables>, rows: readonly NewRow[]): Promise<void> {
  await sql`
    insert into request_log (account, key_id, request_id, operation, status, cost, at, milliseconds, not_listed)
    select account, key_id, request_id, operation, status, cost, at, milliseconds, not_listed
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (account text, key_id text, request_id text, operation text, status int4, cost int4, at timestamptz,
        milliseconds int4, not_listed int4)`.execute(database);
}

/** An account has no more rows than are kept, however much it asks. */
async function trim(database: Kysely<StoreTables>, account: string): Promise<void> {
  await sql`
    delete from request_log where account = ${account} and place <= (
      select place from request_log where account = ${account} order by place desc offset ${maxStored} limit 1
    )`.execute(database);
}

async function listRows(database: Kysely<StoreTables>, { account, id, before, limit, since }: WantedRequests) {
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
