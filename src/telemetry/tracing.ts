import type { Registry } from "prom-client";

/** What is said of a piece of work. Never a parameter, a key, a query or a path with values. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** A piece of work. */
export interface Step {
  readonly name: string;
  readonly attributes?: Attributes;
  /** It waits for another service. */
  readonly isCall?: true;
}

/** What becomes known of it while it is done. */
export type Note = (attributes: Attributes) => void;

/** A request that is recorded. */
export interface RequestSpan {
  /** What is begun within belongs to it. */
  readonly run: (serve: () => void) => void;
  readonly ended: (status: number) => void;
}

/** Records what is done, and for what; a step is described only where it is recorded. Where it is off there is none, and nothing is wrapped. */
export interface Tracing {
  /** Begins the record of a request, in the trace that its caller names (W3C Trace Context); undefined where it is not sampled. */
  readonly request: (step: () => Step, traceparent: string | undefined) => RequestSpan | undefined;
  /** Records a job: a trace of its own. */
  readonly job: <T>(step: () => Step, work: () => Promise<T>) => Promise<T>;
  /** Records a step of a request or of a job; outside of them, and where they are not sampled, it only does the work. */
  readonly step: <T>(step: () => Step, work: (note: Note) => Promise<T>) => Promise<T>;
  /** What names the step under way to a service that is called. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Delivers the metrics too, from now on; its end reads them once more, and whoever closes this waits until they are there. */
  readonly exportMetrics: (registry: Registry) => AsyncDisposable;
  /** Delivers what is left, metrics too, if it can soon. More than one may ask. */
  readonly close: () => Promise<void>;
}
