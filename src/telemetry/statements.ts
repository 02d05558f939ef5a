import type { Step, Tracing } from "./tracing.ts";

export type RecordStatement = <T>(sql: string, run: () => Promise<T>) => Promise<T>;

export function statementRecorder(tracing: Tracing): RecordStatement {
  return (sql, run) => tracing.step(() => stepOf(sql), run);
}

function stepOf(sql: string): Step {
  const name = statementName(sql);
  return { name, attributes: { "db.system.name": "postgresql", "db.query.summary": name }, isCall: true };
}

/** The first table. A name followed by a parenthesis is a function. */
const table = /\b(?:from|into|update)\s+(?!\w+\()("?\w+"?(?:\."?\w+"?)?)/i;

/** Returns the verb and the first table of a statement, such as `select conflict_event`, without any values. */
function statementName(sql: string): string {
  const verb = /^[\s(]*([a-z]+)/i.exec(sql)?.[1] ?? "statement";
  const name = table.exec(sql)?.[1];
  return name === undefined ? verb.toLowerCase() : `${verb.toLowerCase()} ${name.replaceAll('"', "")}`;
}
