// Written by `make generate`.
/** A page of the log of requests. A request is listed seconds after it has ended; nothing of what it asked for is kept. The newest 10,000 of an account are kept, and of each 5 seconds 100 that succeeded and 100 that failed: `notListed` counts the others. */
export interface ListRequestsResponse {
  /** Newest first. */
  requests: LoggedRequest[];
  /** Cursor of the next page. Empty on the last page. */
  nextCursor: string;
}

/** A request that has ended. */
export interface LoggedRequest {
  /** Place in the log. Later requests have higher ones. */
  id: string;
  /** `X-Request-Id` of the request and its response. */
  requestId: string;
  /** Time when it came, Unix epoch milliseconds. */
  at: number;
  /** Account of the key. */
  account: string;
  /** Id of the key or feed URL. */
  keyId: string;
  /** Operation, such as `ListConflictEvents`. Each read of a batch is a request. */
  operation: string;
  /** HTTP status of the response. A failed gRPC call has 400 if the caller caused the failure, otherwise 503. */
  status: number;
  /** Requests that it counted as, against the plan. 0 if it was refused or is free of charge. */
  cost: number;
  /** Duration in milliseconds. */
  milliseconds: number;
  /** Requests of the account right after this one that are not listed. Usually 0. */
  notListed: number;
}

export interface GetPaths {
  /** Lists the account's recent requests.
   *
   * Those of the last 7 days, newest first. This call does not count against any plan quota. */
  "/api/account/v1/list-requests": {
    query: {
      /** `X-Request-Id` of a request. Default: all. For the operator, of any account. */
      request_id?: string | undefined;
      /** Operator only. Default: the caller's own account. */
      account?: string | undefined;
      /** Requests per page, 1 to 200. Default 100, also for 0. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page. Default: the first page. */
      cursor?: string | undefined;
    };
    answer: ListRequestsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
}

