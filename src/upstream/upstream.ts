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
  /** Whom the upstream's operator can turn to: stands in the user agent. */
  readonly contact?: string;
  /** The user agent begins like a browser's: for hosts that refuse any other. Our name stands in it all the same. */
  readonly likeBrowser?: true;
  /** A caller waits for the answer: it is asked before what refreshes ask, and fails rather than wait in line beyond its time-out. */
  readonly callerWaits?: true;
  /** An answer with it in its first 500 characters means a 429, whatever its status. */
  readonly tooOften?: RegExp;
  /** Media types that are asked for; what `json` asks for is JSON. */
  readonly accept?: string;
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
