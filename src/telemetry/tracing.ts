import type { Registry } from "prom-client";

/** Attributes of a step in a trace. They contain no API keys, parameters, queries, or paths with values. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface Step {
  readonly name: string;
  readonly attributes?: Attributes;
  readonly isCall?: true;
}

export type Note = (attributes: Attributes) => void;

export interface RequestSpan {
  readonly run: (serve: () => void) => void;
  readonly ended: (status: number) => void;
}

/** Tracing of requests and jobs. A function describes each step, and is called only if the step is recorded. */
export interface Tracing {
  /** Starts a span, which belongs to the client's trace if there is one. Undefined if the request is not sampled. */
  readonly request: (step: () => Step, traceparent: string | undefined) => RequestSpan | undefined;
  readonly job: <T>(step: () => Step, work: () => Promise<T>) => Promise<T>;
  /** Runs work as a step of a request or job. The step is recorded only if its request or job is. */
  readonly step: <T>(step: () => Step, work: (note: Note) => Promise<T>) => Promise<T>;
  /** Returns headers with the current trace, for a request to another service. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Exports metrics periodically. Disposing the result exports them a last time and waits for that. */
  readonly exportMetrics: (registry: Registry) => AsyncDisposable;
  /** Exports the remaining spans and metrics within a short timeout. It may be called repeatedly. */
  readonly close: () => Promise<void>;
}

export type RecordStatement = <T>(sql: string, run: () => Promise<T>) => Promise<T>;

export function statementRecorder(tracing: Tracing): RecordStatement {
  return (sql, run) => tracing.step(() => stepOf(sql), run);
}

function stepOf(sql: string): Step {
  const name = statementName(sql);
  return { name, attributes: { "db.system.name": "postgresql", "db.query.summary": name }, isCall: true };
}

/** Matches the first table in a statement. A name before a parenthesis is a function and not a table. */
const table = /\b(?:from|into|update)\s+(?!\w+\()("?\w+"?(?:\."?\w+"?)?)/i;

/** Names a statement by its verb and first table, such as `select conflict_event`. The name contains no values. */
function statementName(sql: string): string {
  const verb = /^[\s(]*([a-z]+)/i.exec(sql)?.[1] ?? "statement";
  const name = table.exec(sql)?.[1];
  return name === undefined ? verb.toLowerCase() : `${verb.toLowerCase()} ${name.replaceAll('"', "")}`;
}
