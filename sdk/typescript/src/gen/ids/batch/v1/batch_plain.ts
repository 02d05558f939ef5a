// Written by `make generate`.
/** The responses. */
export interface RunBatchResponse {
  /** One response for each read, in request order. */
  responses: BatchedResponse[];
}

/** The reads to run. */
export interface RunBatchRequest {
  /** 1 to 20 reads. They run side by side. */
  requests: BatchedRead[];
}

/** The response to a read. */
export interface BatchedResponse {
  /** Id of the read, as sent. */
  id: string;
  /** HTTP status of the read. */
  status: number;
  /** HTTP headers of the read's response, without those that are about its transfer: `Content-*`, `Vary`, `X-Content-Type-Options` and `X-Request-Id`. An `ETag` is that of the read's own GET request. */
  headers: Record<string, string>;
  /** JSON body of the read's response or error. */
  body: unknown;
}

/** A read to run. */
export interface BatchedRead {
  /** Returned with the response. No two reads of a batch may have the same id. Default: empty. */
  id?: string | undefined;
  /** Path and query of the read, as in its GET request: percent-encoded, without host and fragment. Deprecated paths and `jmespath` work too. Writes and batches are refused. */
  path: string;
}

export interface PostPaths {
  /** Runs up to 20 reads in one request.
   *
   * Responses are in request order. Each read is authorized, counted against quotas and answered as if it were requested by itself with the key of this request. A read that is refused or fails has its own status and error body; the others are served. This call itself counts against no quota of the plan. Only the key is passed on: no other header of this request applies to the reads. A read that takes longer than 10 seconds has status 503. The response has at most 4,000,000 bytes: a read that does not fit has status 413 and can be requested by itself. No API key is required for reads that require none. */
  "/api/batch/v1/run-batch": { body: RunBatchRequest; answer: RunBatchResponse };
}

