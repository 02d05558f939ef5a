import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import { type MailParts, mailParts, sendMail } from "../../delivery/mail.ts";
import { datasetStatuses, type StatusParts } from "../../ingest/dataset-status.ts";
import { ingestProblems, type Problem } from "../../ingest/problems.ts";
import type { Job } from "../../jobs/job.ts";
import type { JobKind } from "../../jobs/queue.ts";
import { dayMs } from "../../reference/duration.ts";
import { libraries } from "../../reference/libraries.ts";
import type { Store } from "../../store/tables.ts";

export const operatorAlertKind: JobKind = { name: "operator-alerts", onePerKey: true, retries: 0, cacheSeconds: 3_600 };

export interface OperatorAlertParts extends StatusParts {
  readonly config: Pick<Config, "directory" | "mail" | "operator">;
  readonly database: Store;
  readonly log: Pick<Logger, "warn">;
  /** Returns the free bytes of the disk with the data folder. */
  readonly freeBytes?: () => Promise<number>;
}

const timeoutMs = 10_000;
const minFreeBytes = 1024 ** 3;
/** Maximum age of the last backup, which allows a weekly backup to be a day late. */
const maxBackupAgeMs = 8 * dayMs;

/** Reports each problem to the operator's endpoints when it starts and when it has ended. */
export function operatorAlertJob(parts: OperatorAlertParts): Job {
  const mail = mailParts(parts.config.mail, timeoutMs);
  return {
    kind: operatorAlertKind,
    every: "* * * * *",
    work: async () => {
      if (parts.config.operator.alerts.length > 0) await reportProblems(parts, mail);
    },
  };
}

async function reportProblems(parts: OperatorAlertParts, mail: MailParts | undefined): Promise<void> {
  const { database, clock } = parts;
  const now = clock();
  const problems = await problemsNow(parts, now);
  const known = await database.selectFrom("operator_problem").selectAll().execute();
  const sinceOf = new Map(known.map(({ key, since }) => [key, since]));
  const current = new Set(problems.map(({ key }) => key));
  const isReported = new Set(known.flatMap(({ key, reported }) => (reported ? [key] : [])));
  const begun = problems.filter(({ key }) => !sinceOf.has(key));
  if (begun.length > 0)
    await database
      .insertInto("operator_problem")
      .values(begun.map(({ key, text }) => ({ key, text, since: now, reported: false })))
      .execute();
  const lasts = ({ key, delayMs = 0 }: Problem) => now.getTime() - (sinceOf.get(key) ?? now).getTime() >= delayMs;
  const started = problems.filter((problem) => !isReported.has(problem.key) && lasts(problem));
  const gone = known.filter(({ key }) => !current.has(key));
  const ended = gone.filter(({ reported }) => reported);
  const isSent = started.length + ended.length > 0 && (await send(parts, mail, { started, ended, now }));
  for (const { key } of isSent ? started : [])
    await database.updateTable("operator_problem").set({ reported: true }).where("key", "=", key).execute();
  // A problem that was reported and has ended remains in the table until an endpoint has accepted the report of its
  // end.
  for (const { key, reported } of gone)
    if (isSent || !reported) await database.deleteFrom("operator_problem").where("key", "=", key).execute();
}

async function problemsNow({ config, database, freeBytes, ...parts }: OperatorAlertParts, now: Date) {
  const statuses = await datasetStatuses(database, { ...parts, forOperator: true });
  const free = await (freeBytes ? freeBytes() : freeBytesOf(config.directory));
  const backup = await database.selectFrom("backup_run").selectAll().executeTakeFirst();
  const problems: Problem[] = ingestProblems(statuses, now);
  if (free !== undefined && free < minFreeBytes)
    problems.push({ key: "disk", text: `The disk of the data folder has ${Math.floor(free / 1024 ** 2)} MiB left` });
  if (backup?.error)
    problems.push({ key: "backup", text: `The backup of ${backup.at.toISOString()} failed: ${backup.error}` });
  else if (backup && now.getTime() - backup.at.getTime() > maxBackupAgeMs)
    problems.push({ key: "backup", text: `The last backup is of ${backup.at.toISOString()}` });
  return problems;
}

/** Returns the free bytes of the disk with a folder; undefined if it does not exist, as with Postgres. */
export async function freeBytesOf(directory: string): Promise<number | undefined> {
  if (!existsSync(directory)) return undefined;
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

interface Report {
  readonly started: readonly Problem[];
  readonly ended: readonly Problem[];
  readonly now: Date;
}

/** Returns whether an endpoint accepted the report. If none did, it is sent again in a minute. */
async function send(
  { config, log }: OperatorAlertParts,
  mail: MailParts | undefined,
  { started, ended, now }: Report,
): Promise<boolean> {
  const lines = [...started.map(({ text }) => `Problem: ${text}`), ...ended.map(({ text }) => `Ended: ${text}`)];
  const subject = `Intelligence Data Service on ${hostname()}: problems started: ${started.length}, ended: ${ended.length}`;
  const text = [subject, ...lines].join("\n");
  const body = JSON.stringify({
    type: "operator.problems",
    timestamp: now.toISOString(),
    text,
    started: started.map(plain),
    ended: ended.map(plain),
  });
  const sent = await Promise.all(
    config.operator.alerts.map(async (target) => {
      const failure = target.startsWith("mailto:")
        ? (await sendMail({ id: `operator-${now.getTime()}`, to: target.slice(7), subject, text }, mail, timeoutMs))
            .error
        : await post(target, body);
      // The address can contain a secret, so the line names only its host.
      if (failure !== "") log.warn({ host: new URL(target).host, reason: failure }, "operator alert not sent");
      return failure === "";
    }),
  );
  return sent.includes(true);
}

const plain = ({ key, text }: Problem) => ({ key, text });

/** The operator chose the address, so it may be in a private network. */
async function post(url: string, body: string): Promise<string> {
  try {
    const { statusCode, body: response } = await libraries.undici().request(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.dump();
    return statusCode < 300 ? "" : `status ${statusCode}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
