/** Thrown if a source or another external server sends no usable response. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** Seconds after which the server accepts another request, according to its response. */
  readonly retryAfterSeconds: number | undefined;
  /** Reason of the failure, if the status does not show it. */
  readonly kind: "unreachable" | "refused" | "over quota" | undefined;
  /** True if no request was sent, because requests to the server are paused or the budget of requests is used up. */
  readonly unsent: boolean;

  constructor(
    message: string,
    options: {
      cause?: unknown;
      status?: number;
      retryAfterSeconds?: number;
      kind?: "unreachable" | "refused" | "over quota";
      unsent?: true;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = options.kind;
    this.unsent = options.unsent ?? false;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
