import type { Registry } from "prom-client";

/** Attributes of a step. They never contain a parameter, key, query or path with values. */
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

/** A step is a function, so that only sampled steps are described. Without tracing nothing is wrapped. */
export interface Tracing {
  /** The span is in the trace of the caller (W3C Trace Context). Undefined if it is not sampled. */
  readonly request: (step: () => Step, traceparent: string | undefined) => RequestSpan | undefined;
  readonly job: <T>(step: () => Step, work: () => Promise<T>) => Promise<T>;
  /** Records a step of a request or job. If that is not sampled, only the work runs. */
  readonly step: <T>(step: () => Step, work: (note: Note) => Promise<T>) => Promise<T>;
  /** Returns the headers that pass the current trace to another service. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Also exports metrics. Disposing it exports them one last time, and waits for this. */
  readonly exportMetrics: (registry: Registry) => AsyncDisposable;
  /** Exports the remaining spans and metrics within a short timeout. Repeated calls are safe. */
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

/** The first table. A name followed by a parenthesis is a function. */
const table = /\b(?:from|into|update)\s+(?!\w+\()("?\w+"?(?:\."?\w+"?)?)/i;

/** Returns the verb and the first table of a statement, such as `select conflict_event`, without any values. */
function statementName(sql: string): string {
  const verb = /^[\s(]*([a-z]+)/i.exec(sql)?.[1] ?? "statement";
  const name = table.exec(sql)?.[1];
  return name === undefined ? verb.toLowerCase() : `${verb.toLowerCase()} ${name.replaceAll('"', "")}`;
}
