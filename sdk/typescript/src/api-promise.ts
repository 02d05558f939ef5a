/** State of the data in a response. */
export interface DataFacts {
  /** True if the values are invented, for tests of the service. */
  readonly sample: boolean;
  /** True if the data is older than it should be. */
  readonly stale: boolean;
  /** Seconds since the last successful read of the data. Set only if it is stale. */
  readonly ageSeconds?: number;
  /** Required sources that were never read. */
  readonly missing: readonly string[];
}

/** Status, headers and other facts of a response. */
export interface ResponseFacts {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string;
  readonly data: DataFacts;
}

/** A response: its data, and its status and headers. */
export interface Answered<T> {
  readonly data: T;
  readonly response: ResponseFacts;
}

/** A running call: a promise of its data, or of the data with status and headers. */
export interface APIPromise<T> extends Promise<T> {
  withResponse(): Promise<Answered<T>>;
}

export function pending<T>(answered: Promise<Answered<T>>): APIPromise<T> {
  const data = answered.then((answer) => answer.data);
  return Object.assign(data, {
    withResponse() {
      // A caller of this method gets the failure there, so that this promise must not report it again.
      data.catch(() => undefined);
      return answered;
    },
  });
}
