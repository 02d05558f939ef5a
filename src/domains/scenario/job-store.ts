import type { JsonValue } from "@bufbuild/protobuf";
import { type ExpressionBuilder, sql } from "kysely";
import { Congested } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import type { Store, StoreTables, Transaction } from "../../store/tables.ts";
import type { ScenarioJobRow, ScenarioTables } from "./job-table.ts";

const ttlMs = dayMs;

export interface JobLimits {
  readonly waiting: number;
  readonly perAccount: number;
}

export const jobLimits: JobLimits = { waiting: 100, perAccount: 5 };

// The key of an advisory lock of the database. Other locks must have other keys.
const countLock = 4_815_162_343n;

/** Stores a new job. Throws `Congested` if the account or the service has too many jobs. */
export async function addJob(
  transaction: Transaction,
  row: Pick<ScenarioJobRow, "id" | "account" | "scenario_id" | "iso2" | "disruption_pct" | "created_at">,
  { waiting, perAccount }: JobLimits,
): Promise<void> {
  // Without the lock, two concurrent requests together could exceed the limit.
  await sql`select pg_advisory_xact_lock(${countLock})`.execute(transaction);
  const tables = transaction.withTables<ScenarioTables>();
  const counts = await tables
    .selectFrom("scenario_job")
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere("status", "=", "pending").as("waiting"),
      fn.countAll<string>().filterWhere("account", "=", row.account).as("own"),
    ])
    .where("status", "in", ["pending", "processing"])
    .executeTakeFirstOrThrow();
  if (Number(counts.waiting) >= waiting) throw new Congested("Scenario queue is at capacity, please try again later");
  if (Number(counts.own) >= perAccount)
    throw new Congested(`An account may have ${perAccount} unfinished scenario jobs, please try again later`);
  await tables
    .insertInto("scenario_job")
    .values({ ...row, status: "pending", due_at: row.created_at })
    .execute();
}

/** Returns a job of the account. Undefined if the job is unknown or has expired. */
export function jobOf(database: Store, account: string, id: string, now: Date): Promise<ScenarioJobRow | undefined> {
  return database
    .withTables<ScenarioTables>()
    .selectFrom("scenario_job")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .where(({ eb, or }) => or([eb("finished_at", "is", null), eb("finished_at", ">", retainedFrom(now))]))
    .executeTakeFirst();
}

/** Claims the oldest job that no worker holds. Until the lease ends, no other worker can claim it. */
export function claimJob(
  database: Store,
  { lease, until, now }: { readonly lease: string; readonly until: Date; readonly now: Date },
): Promise<ScenarioJobRow | undefined> {
  return database
    .withTables<ScenarioTables>()
    .updateTable("scenario_job")
    .set(({ fn, val }) => ({
      status: "processing",
      lease,
      lease_until: until,
      started_at: fn.coalesce("started_at", val(now)),
    }))
    .where("id", "=", ({ selectFrom }) =>
      selectFrom("scenario_job")
        .select("id")
        .where((builder) => isFree(builder, now))
        .orderBy("created_at")
        .orderBy("id")
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

export async function isAnyFree(database: Store, now: Date): Promise<boolean> {
  const found = await database
    .withTables<ScenarioTables>()
    .selectFrom("scenario_job")
    .select("id")
    .where((builder) => isFree(builder, now))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The condition that a worker may claim a job: the job is due, or the lease of its worker has ended. */
function isFree({ eb, and, or }: ExpressionBuilder<StoreTables & ScenarioTables, "scenario_job">, now: Date) {
  return or([
    and([eb("status", "=", "pending"), eb("due_at", "<=", now)]),
    and([eb("status", "=", "processing"), eb("lease_until", "<=", now)]),
  ]);
}

type Settled =
  | { readonly status: "done"; readonly result: JsonValue; readonly fromSamples: boolean; readonly at: Date }
  | { readonly status: "failed"; readonly failures: number; readonly at: Date }
  | { readonly status: "pending"; readonly failures: number; readonly dueAt: Date };

/** Stores the outcome of a job. Returns false if another worker has claimed it, whose outcome is stored instead. */
export async function settleJob(
  database: Store,
  { id, lease }: Pick<ScenarioJobRow, "id" | "lease">,
  settled: Settled,
): Promise<boolean> {
  const row = await database
    .withTables<ScenarioTables>()
    .updateTable("scenario_job")
    .set({ status: settled.status, lease: null, lease_until: null, ...changesOf(settled) })
    .where("id", "=", id)
    .where("lease", "=", lease)
    .where("status", "=", "processing")
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

function changesOf(settled: Settled) {
  if (settled.status === "done") {
    const { result, fromSamples, at } = settled;
    return { result: JSON.stringify(result), from_samples: fromSamples, finished_at: at };
  }
  const { failures } = settled;
  return settled.status === "failed"
    ? { failures, error: "computation_error" as const, finished_at: settled.at }
    : { failures, due_at: settled.dueAt };
}

export async function deleteExpiredJobs(database: Store, now: Date): Promise<void> {
  await database
    .withTables<ScenarioTables>()
    .deleteFrom("scenario_job")
    .where("finished_at", "<=", retainedFrom(now))
    .execute();
}

function retainedFrom(now: Date): Date {
  return new Date(now.getTime() - ttlMs);
}
