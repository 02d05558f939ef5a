import { sql } from "kysely";
import { isoDay } from "../../../reference/calendar.ts";
import type { Transaction } from "../../../store/tables.ts";
import type { AsOf } from "../cross-domain-readings.ts";
import { methodologyVersion, rules } from "../method/structure.ts";
import type { CountryScore } from "./country-score.ts";

/** The name of the formula that combines pillars. Only scores of the same formula are compared. */
export const formulaTag = "pc";
export const historyMethod = `${methodologyVersion}:${formulaTag}`;

/** Returns the stored scores of earlier days by country, oldest first. Today is not included. */
export async function readHistory(transaction: Transaction, { origin, now }: AsOf) {
  const { rows } = await sql<{ country: string; score: number }>`
    select country, score from resilience_history
    where method = ${historyMethod} and origin = ${origin} and day < ${isoDay(now)}::date
      and day >= ${isoDay(now)}::date - ${rules.historyDays}::int
    order by country, day`.execute(transaction);
  const history = new Map<string, number[]>();
  for (const { country, score } of rows) {
    const known = history.get(country);
    if (known) known.push(score);
    else history.set(country, [score]);
  }
  return history;
}

/** Stores the known scores of the day. Deletes scores that are too old for a comparison. */
export async function retainScores(
  transaction: Transaction,
  assessed: readonly { readonly score: Pick<CountryScore, "country" | "level" | "overall"> }[],
  { origin, now }: AsOf,
): Promise<void> {
  const scores = assessed
    .filter(({ score }) => score.level !== "unknown")
    .map(({ score }) => ({ country: score.country, score: score.overall }));
  await sql`
    delete from resilience_history
    where origin <> ${origin} or day < ${isoDay(now)}::date - ${rules.historyDays}::int`.execute(transaction);
  await sql`
    insert into resilience_history (method, country, origin, day, score)
    select ${historyMethod}, country, ${origin}, ${isoDay(now)}::date, score
    from json_to_recordset(${JSON.stringify(scores)}::json) as scored (country text, score float8)
    on conflict (method, origin, country, day) do update set score = excluded.score`.execute(transaction);
}
