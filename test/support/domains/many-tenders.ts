import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import { expect } from "vitest";
import { provideWords } from "../../../src/domains/economic/tenders/tender-conditions.ts";
import { noticeRows } from "../../../src/domains/economic/tenders/tender-row.ts";
import type { Database } from "../../../src/store/database.ts";
import { syntheticTenders } from "./synthetic-tenders.ts";
import { refreshTenders } from "./tender-refresh.ts";

export const many = 1_000_000;
export const batch = 50_000;

/** Loads all rows before the indexes are made, as one would by hand. */
export async function fillTenders(database: Database, url: string, at: Date): Promise<void> {
  const started = performance.now();
  const { rows } = await database.query(
    "select indexname as name, indexdef as definition from pg_indexes where tablename = 'tender' and indexname <> 'tender_pkey'",
  );
  const indexes = rows as { name: string; definition: string }[];
  for (const { name } of indexes) await database.query(`drop index ${name}`);
  for (let first = 0; first < many; first += batch) await copyAll(url, await rowTexts(database, first, batch, at));
  for (const { definition } of indexes) await unlimited(database, definition);
  for (const table of ["tender", "tender_detail", "tender_word"]) await unlimited(database, `vacuum analyze ${table}`);
  await unlimited(database, "checkpoint");
  await refreshSome(database, at, 0, 1_000);
  console.log(`${many} rows and their indexes: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}

/** A statement that may take as long as it needs. */
async function unlimited(database: Database, statement: string): Promise<void> {
  await database.kysely.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    await sql.raw(statement).execute(connection);
  });
}

/** Rows as COPY reads them, by table; their words are there already. */
type RowTexts = Readonly<
  Record<"tender" | "tender_detail", { readonly columns: string; readonly lines: readonly string[] }>
>;

export async function rowTexts(database: Database, first: number, count: number, at: Date): Promise<RowTexts> {
  const notices = [...syntheticTenders(count, at, first)].map((notice) => noticeRows(notice, at));
  const words = [...new Set(notices.flatMap((each) => each.words))];
  await database.kysely.transaction().execute((transaction) => provideWords(transaction, words));
  const rows = notices.map((each) => ({ origin: "live", revision: 1, ...each.row }));
  const lines = (values: readonly object[]) => values.map((each) => Object.values(each).map(copied).join("\t"));
  const columns = (values: readonly object[]) => Object.keys(values[0] ?? {}).join();
  const details = notices.map(({ detail }) => detail);
  return {
    tender: { columns: columns(rows), lines: lines(rows) },
    tender_detail: { columns: columns(details), lines: lines(details) },
  };
}

function copied(value: unknown): string {
  if (value === null) return "\\N";
  const text = Array.isArray(value) ? `{${value.map((item) => JSON.stringify(item)).join()}}` : String(value);
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

export async function copyAll(url: string, texts: RowTexts): Promise<void> {
  for (const [table, { columns, lines }] of Object.entries(texts)) {
    const psql = spawn("psql", [url, "-q", "-v", "ON_ERROR_STOP=1", "-c", `copy ${table} (${columns}) from stdin`], {
      stdio: ["pipe", "inherit", "inherit"],
    });
    const ended = once(psql, "exit");
    await pipeline(Readable.from([`${lines.join("\n")}\n`]), psql.stdin);
    expect((await ended)[0]).toBe(0);
  }
}

/** A refresh of new notices, in seconds. */
export async function refreshSome(database: Database, at: Date, first: number, count: number): Promise<number> {
  const rows = [...syntheticTenders(count, at, first)];
  const started = performance.now();
  const outcome = await refreshTenders(database, rows, { now: at });
  expect(outcome.generation).toBeGreaterThan(0);
  return (performance.now() - started) / 1_000;
}
