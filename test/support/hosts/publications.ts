import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { evaluationKind } from "../../../src/domains/alerts/evaluation/evaluation-job.ts";
import { openQueue } from "../../../src/jobs/queue.ts";
import { logChanges } from "../../../src/store/changes/change-log.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { raiseGeneration } from "../../../src/store/served/generations.ts";
import { titleOf } from "./reads.ts";

export interface Publications {
  /** The subjects of the changes that were acknowledged. */
  readonly acknowledged: readonly string[];
  /** Lets the rules look at what is new. */
  readonly evaluate: () => Promise<void>;
  /** Asks whichever server is the primary. */
  readonly accounts: () => Promise<ReadonlySet<string>>;
  /** Publishes no more. */
  readonly end: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const changedDataset = "internet-outages";
const pauseMs = 400;
let generation = 0;

/**
 * Repeats the steps of a refresh: a generation of tenders whose titles name its number, a change in the log, and the
 * rules.
 */
export async function startPublications(databaseUrl: string): Promise<Publications> {
  const log = () => undefined;
  const database = await openDatabase({ url: databaseUrl, directory: "/nowhere", name: "publications", log });
  const queue = await openQueue(database, { kinds: [evaluationKind], role: "send", log });
  const acknowledged: string[] = [];
  let isOver = false;
  const publish = async () => {
    generation += 1;
    const subject = `outage-${generation}`;
    const change = { kind: "appeared", rows: "outages", subject, country: "UA", after: { id: subject } } as const;
    await database.kysely.transaction().execute(async (transaction) => {
      await sql`update tender_detail set title = ${titleOf(generation)}`.execute(transaction);
      await raiseGeneration(transaction, "global-tenders");
      await logChanges(transaction, { dataset: changedDataset, origin: "sample", at: new Date() }, [change]);
    });
    acknowledged.push(subject);
  };
  const evaluate = async () => void (await queue.send(evaluationKind, {}, { key: evaluationKind.name }));
  await publish();
  const publishing = (async () => {
    while (!isOver) {
      // What failed may be there nevertheless, so that the next one has a number of its own.
      await publish()
        .then(evaluate)
        .catch(() => undefined);
      await wait(pauseMs);
    }
  })();
  const accounts = async () => {
    const { rows } = await database.query("select id from account");
    return new Set((rows as { id: string }[]).map(({ id }) => id));
  };
  const end = async () => {
    isOver = true;
    await publishing;
  };
  return {
    ...{ acknowledged, evaluate, accounts, end },
    async close() {
      await end();
      await queue.close();
      await database.close();
    },
  };
}
