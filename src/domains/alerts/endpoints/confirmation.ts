import { createHash, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { Congested, invalidField, SwitchedOff } from "../../../errors.ts";
import { dayMs } from "../../../reference/duration.ts";
import { isMailAddress } from "../../../reference/mail-address.ts";
import { deleteSome, type Retention } from "../../../store/retention.ts";
import type { Transaction } from "../../../store/tables.ts";
import type { AlertTables } from "../alert-table.ts";

export const confirmationType = "endpoint.confirmation";

/** Maximum codes per day to one address from all accounts. The second constant is the maximum from one account. */
const maxToAddress = 3;
const maxByAccount = 20;

const codeBytes = 16;

export function newCode(randomBytes: (size: number) => Buffer): string {
  return randomBytes(codeBytes).toString("hex");
}

/** Throws `InvalidRequest` for an invalid email address, and `SwitchedOff` if the service cannot send mail. */
export function checkAddress(address: string, sendsMail: boolean): void {
  if (!sendsMail) throw new SwitchedOff("E-mail is disabled on this service: IDS_SMTP_URL is not set");
  if (!isMailAddress(address)) throw invalidField("target", "value must be an e-mail address");
}

/** Counts a confirmation code that is about to be sent. Throws `Congested` if the limit of the day is reached. */
export async function countCode(
  transaction: Transaction,
  { account, address, now }: { readonly account: string; readonly address: string; readonly now: Date },
): Promise<void> {
  const tables = transaction.withTables<AlertTables>();
  const address_hash = createHash("sha256").update(address.toLowerCase()).digest("hex");
  const since = new Date(now.getTime() - dayMs);
  // The lock serializes codes to the same address, so that two accounts together cannot exceed its limit.
  await sql`select pg_advisory_xact_lock(hashtextextended(${address_hash}, 0))`.execute(transaction);
  const { to, by } = await tables
    .selectFrom("confirmation_sent")
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere("address_hash", "=", address_hash).as("to"),
      fn.countAll<string>().filterWhere("account", "=", account).as("by"),
    ])
    .where("sent_at", ">", since)
    .executeTakeFirstOrThrow();
  if (Number(to) >= maxToAddress || Number(by) >= maxByAccount)
    throw new Congested("Too many codes were sent to the address, or by the account, in 24 hours");
  await tables.insertInto("confirmation_sent").values({ account, address_hash, sent_at: now }).execute();
}

/** Throws `InvalidRequest` if the request does not have the expected confirmation code. */
export function checkCode(expected: string, given: string): void {
  const hashed = (text: string) => createHash("sha256").update(text).digest();
  if (!timingSafeEqual(hashed(expected), hashed(given.trim())))
    throw invalidField("code", "value must be the code that was sent to the address");
}

export const confirmationRetention = {
  table: "confirmation_sent",
  stored: 1,
  ends: "The record that a code was sent to an address.",
  forget: (database, before, { max }) =>
    deleteSome(database, { table: "confirmation_sent", key: ["ctid"], where: sql`sent_at < ${before}` }, max),
} as const satisfies Retention;
