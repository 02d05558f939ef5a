/** An upstream response failed: timeout, status, format or size. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  /** HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** Seconds that the upstream asks clients to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** The reason, if the status does not show it. */
  readonly kind: "unreachable" | "refused" | "over quota" | undefined;
  /** True if no request was sent because the upstream is spared. */
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
