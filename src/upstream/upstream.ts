/** One request to the outside. */
export interface UpstreamRequest {
  readonly url: string;
  /** POST with this form; without it and `body`, a GET. */
  readonly form?: Readonly<Record<string, string>>;
  /** POST with this value as JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whole time allowed for one try, body included; 30,000 when absent. */
  readonly timeoutMs?: number;
  /** Largest body taken, in bytes; 64 MiB when absent. */
  readonly maxBytes?: number;
  /** How often it is sent at most; 3 when absent. 1 where every try is counted against a small quota. */
  readonly tries?: number;
  /** The one host to which redirects of a GET are followed; without it none is. */
  readonly redirectsTo?: string;
  /** How many redirects in a row are followed; 1 when absent. */
  readonly redirects?: number;
  /** Media type that the answer must have, such as `text/html`. */
  readonly mediaType?: string;
}

/** What a source may use of the world: its time, its network, its secrets. */
export interface Upstream {
  readonly origin: "live" | "sample";
  readonly now: Date;
  /** The body as parsed JSON; throws `UpstreamError` for anything but a 2xx with JSON. */
  readonly json: (request: UpstreamRequest) => Promise<unknown>;
  /** The body as text, empty for a 204; throws `UpstreamError` for anything but a 2xx. */
  readonly text: (request: UpstreamRequest) => Promise<string>;
  /** The value of one of the source's own variables; the fallback where it is not set and there is one. */
  readonly variable: (name: string, fallback?: string) => string;
  /** Resolves after so many milliseconds, at once where nobody has to be spared; to be called between requests. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}
