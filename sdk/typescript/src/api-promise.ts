/** How the data behind an answer stand. */
export interface DataFacts {
  /** The values are invented, for trying the service. */
  readonly sample: boolean;
  /** They are older than they should be. */
  readonly stale: boolean;
  /** Seconds since they were last read well; where they are stale. */
  readonly ageSeconds?: number;
  /** Sources without which they say too little and that were never read. */
  readonly missing: readonly string[];
}

/** What came beside the data. */
export interface ResponseFacts {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string;
  readonly data: DataFacts;
}

/** An answer with what came beside it. */
export interface Answered<T> {
  readonly data: T;
  readonly response: ResponseFacts;
}

/** A call under way: a promise of its data, or of the data with status and headers. */
export interface APIPromise<T> extends Promise<T> {
  withResponse(): Promise<Answered<T>>;
}

export function pending<T>(answered: Promise<Answered<T>>): APIPromise<T> {
  const data = answered.then((answer) => answer.data);
  return Object.assign(data, {
    withResponse() {
      // Whoever takes the whole answer has its failure there; nobody looks at this promise any more.
      data.catch(() => undefined);
      return answered;
    },
  });
}
