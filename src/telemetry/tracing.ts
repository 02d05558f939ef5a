import type { Registry } from "prom-client";

/** Attributes of a step. They never contain a parameter, key, query or path with values. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** A step of a trace. */
export interface Step {
  readonly name: string;
  readonly attributes?: Attributes;
  /** True if the step calls another service. */
  readonly isCall?: true;
}

/** Adds attributes that become known during the step. */
export type Note = (attributes: Attributes) => void;

/** The span of a request. */
export interface RequestSpan {
  /** Runs the function in the context of the span. */
  readonly run: (serve: () => void) => void;
  readonly ended: (status: number) => void;
}

/**
 * Records traces. A step is a function, so that only sampled steps are described. Without tracing this object does not
 * exist and nothing is wrapped.
 */
export interface Tracing {
  /**
   * Starts the span of a request, in the trace of the caller (W3C Trace Context). Returns undefined if it is not
   * sampled.
   */
  readonly request: (step: () => Step, traceparent: string | undefined) => RequestSpan | undefined;
  /** Records a job as a trace of its own. */
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
