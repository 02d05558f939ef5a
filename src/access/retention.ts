import { sql } from "kysely";
import { deleteSome, type Retention } from "../store/retention.ts";
import { isLive } from "./keys/keys.ts";
import { maxStored, requestLogDays } from "./request-log.ts";
import { endedSessionDays } from "./sessions/sessions.ts";

/** How long a revoked or expired key or feed URL is still listed. */
export const endedKeyDays = 400;

/** What is kept of accounts beside themselves. */
export const accessRetention = [
  {
    table: "usage_day",
    stored: "usage",
    ends: "A day of calls, from its date. Quotas do not count by it.",
    forget: (database, before, { max }) =>
      deleteSome(
        database,
        {
          table: "usage_day",
          key: ["account", "day", "operation"],
          where: sql`day < ${before.toISOString().slice(0, 10)}::date`,
        },
        max,
      ),
  },
  {
    table: "request_log",
    stored: requestLogDays,
    ends: `A request in the log of its account; beyond ${maxStored.toLocaleString("en-US")} an account, and what is more than a few a second, sooner.`,
    forget: (database, before, { max }) =>
      deleteSome(database, { table: "request_log", key: ["place"], where: sql`at < ${before}` }, max),
  },
  {
    table: "audit_event",
    stored: "audit",
    ends: "An event, from the write. The one that made a key which is still active stays.",
    forget: (database, before, { max, now }) =>
      deleteSome(
        database,
        {
          table: "audit_event",
          key: ["id"],
          where: sql`at < ${before} and not exists (
            select from jsonb_array_elements(audit_event.result) as detail join api_key on api_key.id = detail ->> 'value'
            where detail ->> 'name' = 'result.key.id' and ${isLive(now)}
          )`,
        },
        max,
      ),
  },
  {
    table: "api_key",
    stored: endedKeyDays,
    ends: "A key, from its end.",
    forget: (database, before, { max }) =>
      deleteSome(
        database,
        { table: "api_key", key: ["id"], where: sql`(revoked_at < ${before} or expires_at < ${before})` },
        max,
      ),
  },
  {
    table: "feed_url",
    stored: endedKeyDays,
    ends: "A feed URL, from its end.",
    forget: (database, before, { max }) =>
      deleteSome(
        database,
        { table: "feed_url", key: ["id"], where: sql`(revoked_at < ${before} or expires_at < ${before})` },
        max,
      ),
  },
  {
    table: "console_session",
    stored: endedSessionDays,
    ends: "A sign-in to the console, a day after its end.",
    forget: (database, before, { max }) =>
      deleteSome(
        database,
        { table: "console_session", key: ["hash"], where: sql`(revoked_at < ${before} or expires_at < ${before})` },
        max,
      ),
  },
  {
    table: "idempotent_call",
    stored: 0,
    ends: "The answer kept for an `Idempotency-Key`, 24 hours after it was given.",
    forget: (database, _, { max, now }) =>
      deleteSome(database, { table: "idempotent_call", key: ["id"], where: sql`expires_at <= ${now}` }, max),
  },
] as const satisfies readonly Retention[];
