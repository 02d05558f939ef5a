import type { Step, Tracing } from "./tracing.ts";

/** Does what a statement says, and records it. */
export type RecordStatement = <T>(sql: string, run: () => Promise<T>) => Promise<T>;

export function statementRecorder(tracing: Tracing): RecordStatement {
  return (sql, run) => tracing.step(() => stepOf(sql), run);
}

function stepOf(sql: string): Step {
  const name = statementName(sql);
  return { name, attributes: { "db.system.name": "postgresql", "db.query.summary": name }, isCall: true };
}

/** The first table; a function's name has its bracket behind it. */
const table = /\b(?:from|into|update)\s+(?!\w+\()("?\w+"?(?:\."?\w+"?)?)/i;

/** What a statement does, and to which table first: `select conflict_event`. Nothing of its values. */
function statementName(sql: string): string {
  const verb = /^[\s(]*([a-z]+)/i.exec(sql)?.[1] ?? "statement";
  const name = table.exec(sql)?.[1];
  return name === undefined ? verb.toLowerCase() : `${verb.toLowerCase()} ${name.replaceAll('"', "")}`;
}
