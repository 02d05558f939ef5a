import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, type ContextValues, createContextKey, type HandlerContext } from "@connectrpc/connect";
import { compressionGzip } from "@connectrpc/connect-node";
import { helpOn } from "../errors.ts";
import type { Exchange } from "../exchange.ts";

const compress = promisify(gzip);

/**
 * Responses are compressed for each request, so only the fastest method is offered. If a request does not decompress,
 * the sender is at fault, but the library sometimes reports an internal error.
 */
export const lenientGzip: typeof compressionGzip = {
  ...compressionGzip,
  compress: (bytes) => compress(bytes, { level: 1 }),
  async decompress(bytes, maxBytes) {
    try {
      return await compressionGzip.decompress(bytes, maxBytes);
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      throw new ConnectError(rawMessage, code === Code.ResourceExhausted ? code : Code.InvalidArgument);
    }
  },
};

/** Returns whether the query of a Connect GET names the encoding of its message. */
export function saysForm({ request, query }: Exchange): boolean {
  return request.method !== "GET" || forms.has(new URLSearchParams(query).get("encoding") ?? "");
}

/** Returns whether the media type is known. gRPC rejects unknown types with its own status. */
export function hasKnownType({ request }: Exchange): boolean {
  return (
    request.method !== "POST" ||
    /^application\/(?:grpc|(?:connect\+)?(?:json|proto)\s*(?:;|$))/i.test(request.headers["content-type"] ?? "")
  );
}

const forms: ReadonlySet<string> = new Set(["json", "proto"]);

/** Rejects invalid base64, which the RPC library would report as an internal error. */
export function requireBase64({ requestMethod, url }: HandlerContext): void {
  const { searchParams } = new URL(url);
  if (requestMethod !== "GET" || searchParams.get("base64") !== "1") return;
  try {
    base64Decode(searchParams.get("message") ?? "");
  } catch (cause) {
    throw new ConnectError("message: value must be base64 text", Code.InvalidArgument, {}, [], cause);
  }
}

const readableKey = createContextKey(false, { description: "the message was read" });

/** Records that the request message was parsed. Later failures are then not caused by the message. */
export function markReadable(values: ContextValues): void {
  values.set(readableKey, true);
}

/** The RPC library's context has `abort`, which ends a call with an error, but its types do not. */
type Endable = HandlerContext & { abort: (reason?: unknown) => void };

/**
 * Attributes failures to the caller if they occur after the access checks and before the handler, while the message is
 * read. The library reports some of them as `internal`. An expired deadline is not attributed to the caller.
 */
export function blameUnreadable(context: HandlerContext, unreadable: (reason: string) => void): void {
  const call = context as Endable;
  const { abort, values } = call;
  call.abort = (reason) => {
    if (!values.get(readableKey) && reason instanceof ConnectError && blamed.has(reason.code)) {
      if (!reason.rawMessage.startsWith(uncompressible)) Object.assign(reason, { code: Code.InvalidArgument });
      reason.metadata.set(...helpOn("invalid-body"));
      unreadable(reason.rawMessage);
    }
    abort(reason);
  };
}

/** Start of the error for a compressed message that names no encoding. For it, gRPC requires the code `internal`. */
const uncompressible = "received compressed envelope";

/** The library reports unreadable messages with these codes. They become `InvalidArgument`. */
const blamed: ReadonlySet<Code> = new Set([Code.Internal, Code.Unknown, Code.InvalidArgument]);
