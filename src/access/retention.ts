import { sql } from "kysely";
import { isoDay } from "../reference/calendar.ts";
import { deleteSome, type Retention } from "../store/retention.ts";
import { isLive } from "./keys/keys.ts";
import { maxStored, requestLogDays } from "./request-log.ts";
import { endedSessionDays } from "./sessions/sessions.ts";

export const endedKeyDays = 400;

export const accessRetention = [
  {
    table: "usage_day",
    stored: "usage",
    ends: "The calls of a day, from its date. Quotas have their own counters.",
    forget: (database, before, { max }) =>
      deleteSome(
        database,
        {
          table: "usage_day",
          key: ["account", "day", "operation"],
          where: sql`day < ${isoDay(before)}::date`,
        },
        max,
      ),
  },
  {
    table: "request_log",
    stored: requestLogDays,
    ends: `A request in the log of its account; beyond ${maxStored.toLocaleString("en-US")} per account, and more than a few per second, sooner.`,
    forget: (database, before, { max }) =>
      deleteSome(database, { table: "request_log", key: ["place"], where: sql`at < ${before}` }, max),
  },
  {
    table: "audit_event",
    stored: "audit",
    ends: "An event, from the write. The event that created a key is retained while the key is active.",
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
    ends: "A revoked or expired key, from its end.",
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
    ends: "A revoked or expired feed URL, from its end.",
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
    ends: "The response stored for an `Idempotency-Key`, 24 hours after it was sent.",
    forget: (database, _, { max, now }) =>
      deleteSome(database, { table: "idempotent_call", key: ["id"], where: sql`expires_at <= ${now}` }, max),
  },
] as const satisfies readonly Retention[];
