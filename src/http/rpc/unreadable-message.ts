import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, type ContextValues, createContextKey, type HandlerContext } from "@connectrpc/connect";
import { compressionGzip } from "@connectrpc/connect-node";
import { helpOn } from "../error-guide.ts";
import type { Exchange } from "../exchange.ts";

const compress = promisify(gzip);

/**
 * Answers are compressed for each request anew, so only the cheapest way is offered. What does not decompress is the
 * sender's fault; the library takes some of it for ours.
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

/** Whether the query of a Connect GET says in which form its message is. */
export function saysForm({ request, query }: Exchange): boolean {
  return request.method !== "GET" || forms.has(new URLSearchParams(query).get("encoding") ?? "");
}

/** Whether what a call says its body to be is known to one of the protocols; those of gRPC say what they do not know in their own way. */
export function hasKnownType({ request }: Exchange): boolean {
  return (
    request.method !== "POST" ||
    /^application\/(?:grpc|(?:connect\+)?(?:json|proto)\s*(?:;|$))/i.test(request.headers["content-type"] ?? "")
  );
}

const forms: ReadonlySet<string> = new Set(["json", "proto"]);

/** The library takes text that is no base64 for a fault of ours. Throws what it is. */
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

/** The message of a call was read: what fails from here on is not its fault. */
export function markReadable(values: ContextValues): void {
  values.set(readableKey, true);
}

/** The library ends a call with the very error that it sends afterwards; its types do not say so. */
type Endable = HandlerContext & { abort: (reason?: unknown) => void };

/**
 * Makes what fails between the gate and the handler, where the message is read, the caller's fault: the library says
 * `internal` of some of it. A deadline that is over by then changes nothing in that.
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

/** The one for which gRPC's own rules want `internal`: a compressed message without a word on how. */
const uncompressible = "received compressed envelope";

/** `InvalidArgument` is said of the rest already. */
const blamed: ReadonlySet<Code> = new Set([Code.Internal, Code.Unknown, Code.InvalidArgument]);
