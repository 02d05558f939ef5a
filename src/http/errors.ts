import { Code, ConnectError } from "@connectrpc/connect";
import {
  BillingVerificationErrorSchema,
  ForbiddenErrorSchema,
  ValidationErrorSchema,
} from "../../gen/es/ids/common/v1/common_pb.ts";
import { type ErrorCode, errorCode, errorKinds, type FailureCause } from "../error-kinds.ts";
import {
  AccessUnconfirmed,
  BodyTooLarge,
  bodyOf,
  InvalidRequest,
  NotEntitled,
  ServiceError,
  UpgradeRequired,
} from "../errors.ts";
import { standardDetails } from "./rpc/standard-details.ts";

/** The response to a failed request: status, JSON body, and extra headers as alternating names and values. */
export interface Failure {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: readonly string[];
  /** The status code for Connect, gRPC-Web, and gRPC. */
  readonly code: Code;
  /** True if the service is at fault instead of the caller. The cause is then logged. */
  readonly fault: boolean;
}

/** Converts any thrown value to a response. An error without a kind becomes a 500 without details. */
export function toFailure(error: unknown, now: number): Failure {
  const { status, code, isFault: fault = false } = errorKinds[errorCode(error)];
  if (!(error instanceof ServiceError)) return { status, code, fault, body: bodyOf(error), headers: [] };
  return { status: error.status, code, fault: error.isFault, body: error.body, headers: error.headersAt(now) };
}

/** Returns who or what caused a failure, such as the caller or the service, for the metrics. */
export function causeOf(error: unknown): FailureCause {
  return error instanceof ConnectError ? causeOfCode(error.code) : errorKinds[errorCode(error)].countedAs;
}

/** Returns who or what caused an error of the RPC library. */
function causeOfCode(code: Code): FailureCause {
  if (code === Code.Canceled || code === Code.DeadlineExceeded) return "gone";
  const isOurs = code === Code.Internal || code === Code.Unavailable || code === Code.Unknown || code === Code.DataLoss;
  return isOurs ? "service" : "caller";
}

/** Returns a `Link` header to the documentation of an error, as name and value. */
export function helpLink(error: unknown): [name: string, value: string] {
  return helpOn(errorCode(error));
}

/** Returns a `Link` header to the documentation of an error code. */
export function helpOn(code: ErrorCode): [name: string, value: string] {
  return ["Link", `</docs/errors#${code}>; rel="help"`];
}

/** Converts any thrown value to an error for the RPC protocols. Errors of the RPC library are not changed. */
export function toConnectError(error: unknown, now: number): ConnectError {
  if (error instanceof ConnectError) return error;
  const { body, headers, code } = toFailure(error, now);
  const text = typeof body.error === "string" ? body.error : messageOf(error, body);
  const metadata = new Headers();
  for (let index = 0; index + 1 < headers.length; index += 2)
    metadata.set(headers[index] ?? "", headers[index + 1] ?? "");
  const retryAfter = metadata.get("Retry-After");
  metadata.set(...helpLink(error));
  const standard = standardDetails(error, body, retryAfter === null ? undefined : Number(retryAfter));
  return new ConnectError(text, code, metadata, [...detailsOf(error), ...standard], error);
}

function messageOf(error: unknown, { message }: Failure["body"]): string {
  return error instanceof InvalidRequest || error instanceof UpgradeRequired ? error.message : String(message);
}

/** Returns the error details that the JSON body contains next to its message. */
function detailsOf(error: unknown): NonNullable<ConstructorParameters<typeof ConnectError>[3]> {
  if (error instanceof InvalidRequest)
    return [{ desc: ValidationErrorSchema, value: { violations: [...error.violations] } }];
  if (error instanceof NotEntitled || error instanceof UpgradeRequired)
    return [{ desc: ForbiddenErrorSchema, value: { error: error.message, ...error.details } }];
  if (error instanceof AccessUnconfirmed) {
    const { message, code, requiredTier } = error;
    const value = { error: message, code, ...(requiredTier === undefined ? {} : { requiredTier }) };
    return [{ desc: BillingVerificationErrorSchema, value }];
  }
  return [];
}

const reasons = { 400: "Bad Request", 501: "Not Implemented", 505: "HTTP Version Not Supported" } as const;

/** A message that violates HTTP. The connection ends, because the server cannot know where the next message starts. */
export class MessageRefused extends ServiceError {
  readonly #status: keyof typeof reasons;

  constructor(status: keyof typeof reasons) {
    super(reasons[status]);
    this.#status = status;
  }

  override get status() {
    return this.#status;
  }
}

/** The media type of the body is not supported. */
export class MediaTypeRefused extends ServiceError {
  constructor(types: string) {
    super(`Content-Type: value must be ${types}`);
  }
}

export class RouteNotFound extends ServiceError {}

/** The terms of a source forbid this kind of redistribution to every caller. */
export class NotRedistributable extends ServiceError {}

/** The caller accepts none of the offered formats. */
export class NotAcceptable extends ServiceError {
  constructor(formats: string) {
    super(`Not available in the accepted format; available: ${formats}`);
  }
}

/** `If-Match` names another version. */
export class PreconditionFailed extends ServiceError {}

/** `Range` selects no byte of the representation. */
export class RangeNotSatisfiable extends ServiceError {
  readonly length: number;

  constructor(length: number) {
    super(`Range: value must select bytes of the ${length} bytes of the file`);
    this.length = length;
  }

  override headersAt() {
    return ["Content-Range", `bytes */${this.length}`];
  }
}

/** The operator has not installed an optional package that the response needs. */
export class NotInstalled extends ServiceError {}

/** The path exists, but not with this verb. */
export class VerbNotAllowed extends ServiceError {
  readonly allow: string;

  constructor(allow: string) {
    super("Method not allowed");
    this.allow = allow;
  }

  override headersAt() {
    return ["Allow", this.allow];
  }
}

/** A POST to a read cannot be converted to a GET with the same parameters. */
export class PostNotConvertible extends ServiceError {
  readonly details: {
    readonly parameter?: string;
    readonly maxValues?: number;
    readonly maxCharacters?: number;
    readonly hint?: string;
  };

  constructor(message: string, details: PostNotConvertible["details"] = {}) {
    super(message);
    this.details = details;
  }

  override get body() {
    return { error: this.message, ...this.details };
  }
}

/** The body of a POST to a read is too long. */
export class PostTooLarge extends BodyTooLarge {
  constructor({ maxBytes }: BodyTooLarge) {
    super("malformed_request", maxBytes);
  }

  override get status() {
    return 400;
  }
}

/** The origin of the browser is not allowed. */
export class OriginRefused extends ServiceError {}
